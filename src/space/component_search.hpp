// Depth-first search of all value combinations of one component that satisfy its rules. Each rule prunes as early as
// its bit masks allow; the last parameter is a single AND of masks. Combinations come out as sums of weights that the
// caller chooses (bits of a packed code, or strides of a mixed-radix index), in no particular order. Throws
// Error(bad_input) when a combination that satisfies every other rule makes a rule fail (division by zero).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "space/bounds.hpp"
#include "space/component.hpp"
#include "space/relation.hpp"

namespace wattune::space {

class ComponentSearch {
 public:
  /// `model` and `domains` must outlive the search.
  ComponentSearch(const Model& model, const std::vector<Domain>& domains, const Component& component);

  /// Parameters in the order of the search.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  [[nodiscard]] std::size_t depth() const { return order_.size(); }

  /// weights[d][i] = weight of entry i of the domain at depth d. Calls sink.row(sum, mask, words, weights[last]) for
  /// each group of combinations that share all but the last parameter; sink returns false to stop. Returns false if
  /// stopped.
  template <class Key, class Sink>
  bool run(const std::vector<std::vector<Key>>& weights, Sink& sink) {
    return run_to(weights, sink, order_.size());
  }

  /// The same for the first `depth` parameters only: combinations that no rule has excluded yet.
  template <class Key, class Sink>
  bool run_to(const std::vector<std::vector<Key>>& weights, Sink& sink, std::size_t depth) {
    return descend(weights, sink, 0, depth - 1, Key{0});
  }

  /// Whether a full assignment (domain entry per depth) satisfies all rules.
  [[nodiscard]] bool satisfies(std::span<const std::uint32_t> chosen);

  /// Errors of rules are not thrown; what cannot be evaluated counts as satisfied.
  void ignore_faults() { ignore_faults_ = true; }

 private:
  struct MaskSource {
    std::size_t relation;
    std::size_t level;
  };
  /// Values of depth `d` that may go on; nullptr if none.
  const std::uint64_t* admissible(std::size_t d);
  /// Whether the choices up to depth `d` can be completed, as far as bounds tell.
  [[nodiscard]] bool possible(std::size_t d) const {
    for (const std::size_t b : bounds_at_[d]) {
      if (!bounds_[b].possible(chosen_.data(), d)) return false;
    }
    return true;
  }
  [[nodiscard]] bool may_be_faulty() const;
  /// Throws if a rule fails for one of the combinations in `mask`.
  void verify(const std::uint64_t* mask);
  void throw_if_faulty(std::span<const std::uint32_t> chosen);
  void set_slots(std::span<const std::uint32_t> chosen);

  template <class Key, class Sink>
  bool descend(const std::vector<std::vector<Key>>& weights, Sink& sink, std::size_t d, std::size_t last, Key sum) {
    const std::uint64_t* mask = admissible(d);
    if (mask == nullptr) return true;
    const std::size_t words = masks_[d].size();
    if (d == last) {
      if (d + 1 == order_.size() && may_be_faulty()) verify(mask);
      return sink.row(sum, mask, words, weights[d].data());
    }
    for (std::size_t w = 0; w < words; ++w) {
      for (std::uint64_t word = mask[w]; word != 0; word &= word - 1) {
        const auto entry = static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
        chosen_[d] = entry;
        if (!possible(d)) continue;
        if (!descend(weights, sink, d + 1, last, static_cast<Key>(sum + weights[d][entry]))) return false;
      }
    }
    return true;
  }

  const Model& model_;
  const std::vector<Domain>& domains_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> rules_;
  std::vector<std::size_t> faulty_rules_;
  std::vector<Relation> relations_;
  std::vector<Bounds> bounds_;
  std::vector<std::vector<std::size_t>> bounds_at_;  ///< per depth: bounds to check once it is chosen
  std::vector<std::vector<MaskSource>> sources_;     ///< per depth
  std::vector<std::vector<std::uint64_t>> full_;     ///< per depth: all entries of the domain
  std::vector<std::vector<std::uint64_t>> masks_;    ///< per depth: the current admissible entries
  std::vector<std::uint32_t> chosen_;
  std::vector<Scalar> slots_;
  bool ignore_faults_ = false;
};

}  // namespace wattune::space

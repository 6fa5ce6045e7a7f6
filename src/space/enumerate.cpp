#include "space/enumerate.hpp"

#include <algorithm>
#include <optional>

#include "space/component_search.hpp"
#include "space/radix_sort.hpp"
#include "space/sinks.hpp"

namespace wattune::space {
namespace {

/// Products of domains up to here are searched straight into a bitmap: 4 MiB at most.
constexpr double dense_limit = 33554432.0;  // 2^25
/// Neighbouring blocks are merged while they stay within the first-level cache.
constexpr std::uint64_t merge_limit = 4096;

/// Consecutive parameters and the components within them.
struct Interval {
  std::size_t first;
  std::size_t last;  ///< one past
  std::vector<const Component*> components;
};

/// Components whose parameters interleave share an interval; a parameter with one value joins its neighbour.
std::vector<Interval> intervals(const std::vector<Component>& components, const std::vector<Domain>& domains) {
  std::vector<Interval> result;
  bool open = false;  // the last interval consists of parameters with one value only
  for (const Component& component : components) {
    const std::size_t first = component.parameters.front();
    const std::size_t last = component.parameters.back() + std::size_t{1};
    const bool trivial = component.parameters.size() == 1 && domains[first].size() == 1;
    if (!result.empty() && (first < result.back().last || trivial || open)) {
      result.back().last = std::max(result.back().last, last);
      result.back().components.push_back(&component);
      open = open && trivial;
    } else {
      result.push_back({first, last, {&component}});
      open = trivial;
    }
  }
  return result;
}

class IntervalSearch {
 public:
  IntervalSearch(const Model& model, const Narrowed& narrowed, const Interval& interval, std::uint64_t limit)
      : model_(model), domains_(narrowed.domains), interval_(interval), limit_(limit) {
    for (std::size_t p = interval.first; p < interval.last; ++p) {
      lengths_.push_back(static_cast<std::uint32_t>(model.parameters[p].values.size()));
    }
    local_domains_ = std::span(domains_).subspan(interval.first, interval.last - interval.first);
    for (const Component* component : interval.components) {
      const bool trivial = component->parameters.size() == 1 && domains_[component->parameters[0]].size() == 1 &&
                           component->faulty_rules.empty();
      if (trivial) {
        fixed_.push_back(component->parameters[0]);
      } else {
        searches_.emplace_back(model, domains_, *component);
      }
    }
  }

  Found run(std::optional<Block>& block) {
    const Layout layout(lengths_);
    if (layout.bits() > widest_code_bits) return Found::too_many;
    const bool whole = lengths_.size() == 1 && local_domains_[0].size() == lengths_[0];
    if (whole && interval_.components[0]->faulty_rules.empty()) {
      block.emplace(lengths_[0]);
      return Found::all;
    }
    Radix radix(lengths_, local_domains_);
    if (radix.bound() <= dense_limit) return run_dense(std::move(radix), block);
    return layout.bits() <= 64 ? run_sparse<std::uint64_t>(layout, block) : run_sparse<Wide>(layout, block);
  }

 private:
  std::vector<std::vector<std::uint64_t>> radix_weights(std::span<const std::uint32_t> order) const {
    std::vector<std::vector<std::uint64_t>> weights;
    for (const std::uint32_t p : order) {
      std::uint64_t stride = 1;
      for (std::size_t later = p + std::size_t{1}; later < interval_.last; ++later) stride *= domains_[later].size();
      std::vector<std::uint64_t>& of_depth = weights.emplace_back(domains_[p].size());
      for (std::size_t entry = 0; entry < of_depth.size(); ++entry) of_depth[entry] = stride * entry;
    }
    return weights;
  }

  Found run_dense(Radix radix, std::optional<Block>& block) {
    Bitmap bitmap(static_cast<std::uint64_t>(radix.bound()));
    if (searches_.size() == 1) {
      BitmapSink sink{bitmap};
      searches_[0].run(radix_weights(searches_[0].order()), sink);
    } else {
      std::vector<std::vector<std::uint64_t>> lists;
      for (ComponentSearch& search : searches_) {
        ListSink<std::uint64_t> sink{{}, ~std::uint64_t{0}};
        search.run(radix_weights(search.order()), sink);
        lists.push_back(std::move(sink.keys));
      }
      product(lists, 0, std::uint64_t{0}, [&](std::uint64_t key) { bitmap.set(key); });
    }
    block.emplace(lengths_, local_domains_, std::move(radix), std::move(bitmap));
    if (block->size() == 0) return Found::nothing;
    return block->size() > limit_ ? Found::too_many : Found::all;
  }

  template <class Key>
  Found run_sparse(const Layout& layout, std::optional<Block>& block) {
    std::vector<std::vector<Key>> lists;
    bool overflow = false;
    double count = 1.0;
    for (ComponentSearch& search : searches_) {
      ListSink<Key> sink{{}, limit_};
      overflow = !search.run(packed_weights<Key>(search.order(), domains_, layout, interval_.first), sink) || overflow;
      if (sink.keys.empty()) return Found::nothing;
      count *= static_cast<double>(sink.keys.size());
      lists.push_back(std::move(sink.keys));
    }
    if (overflow || count > static_cast<double>(limit_)) return Found::too_many;
    Key fixed{0};
    for (const std::uint32_t p : fixed_) {
      fixed |= pack<Key>(domains_[p].positions[0], layout.fields()[p - interval_.first]);
    }
    std::vector<Key> codes;
    if (lists.size() == 1 && fixed == 0) {
      codes = std::move(lists[0]);
    } else {
      codes.reserve(static_cast<std::size_t>(count));
      product(lists, 0, fixed, [&](Key code) { codes.push_back(code); });
    }
    radix_sort(codes, layout.bits());
    block.emplace(lengths_, local_domains_, codes);
    return Found::all;
  }

  template <class Key, class Visit>
  static void product(const std::vector<std::vector<Key>>& lists, std::size_t level, Key sum, const Visit& visit) {
    if (level == lists.size()) {
      visit(sum);
      return;
    }
    if (level + 1 == lists.size()) {
      for (const Key key : lists[level]) visit(static_cast<Key>(sum + key));
      return;
    }
    for (const Key key : lists[level]) product(lists, level + 1, static_cast<Key>(sum + key), visit);
  }

  const Model& model_;
  const std::vector<Domain>& domains_;
  const Interval& interval_;
  std::uint64_t limit_;
  std::vector<std::uint32_t> lengths_;
  std::span<const Domain> local_domains_;
  std::vector<ComponentSearch> searches_;
  std::vector<std::uint32_t> fixed_;  ///< parameters with one value left: the same bits in every code
};

/// Joins neighbours while the product stays small: fewer steps for every lookup.
void merge_small(std::vector<Block>& blocks, const Model& model, const std::vector<Domain>& domains) {
  std::vector<Block> merged;
  std::size_t first = 0;  // first parameter of merged.back()
  std::size_t next = 0;   // one past its last parameter
  for (Block& block : blocks) {
    const std::size_t last = next + block.parameters();
    if (!merged.empty() && merged.back().size() * block.size() <= merge_limit &&
        merged.back().code_bits() + block.code_bits() <= 64) {
      std::vector<std::uint32_t> lengths;
      for (std::size_t p = first; p < last; ++p) {
        lengths.push_back(static_cast<std::uint32_t>(model.parameters[p].values.size()));
      }
      merged.back() = merge(merged.back(), block, lengths, std::span(domains).subspan(first, last - first));
    } else {
      first = next;
      merged.push_back(std::move(block));
    }
    next = last;
  }
  blocks = std::move(merged);
}

}  // namespace

Enumeration enumerate(const Model& model, const Narrowed& narrowed, const std::vector<Component>& components,
                      std::uint64_t limit) {
  Enumeration result;
  if (narrowed.empty) {
    result.found = Found::nothing;
    return result;
  }
  for (const Interval& interval : intervals(components, narrowed.domains)) {
    IntervalSearch search(model, narrowed, interval, limit);
    std::optional<Block> block;
    const Found found = search.run(block);
    if (found == Found::nothing) {
      result.found = found;
      return result;
    }
    if (found == Found::too_many) result.found = found;
    if (block) result.blocks.push_back(std::move(*block));
  }
  if (result.found == Found::all) merge_small(result.blocks, model, narrowed.domains);
  return result;
}

bool any_valid(const Model& model, std::size_t constraint_count) {
  const Narrowed narrowed = narrow(model, constraint_count);
  if (narrowed.empty) return false;
  for (const Component& component : connect(model, narrowed)) {
    ComponentSearch search(model, narrowed.domains, component);
    search.ignore_faults();
    std::vector<std::vector<std::uint64_t>> weights;
    for (const std::uint32_t p : search.order()) weights.emplace_back(narrowed.domains[p].size(), 0);
    ExistenceSink sink;
    search.run(weights, sink);
    if (!sink.found) return false;
  }
  return true;
}

}  // namespace wattune::space

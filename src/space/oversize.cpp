#include "space/oversize.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "space/component_search.hpp"
#include "space/enumerate.hpp"
#include "space/sinks.hpp"
#include "wattune/error.hpp"
#include "wattune/random.hpp"

namespace wattune::space {
namespace {

constexpr std::uint64_t prefix_limit = std::uint64_t{1} << 18U;
/// Random completions tried for one draw before the reservoir takes over.
constexpr std::size_t attempts_per_draw = 200'000;

/// Algorithm R (Vitter 1985) over the combinations of a search.
struct ReservoirSink {
  std::vector<Wide> kept;
  std::size_t capacity;
  Random& random;
  std::uint64_t seen = 0;

  bool row(Wide sum, const std::uint64_t* mask, std::size_t words, const Wide* weights) {
    return for_each_bit(mask, words, [&](std::size_t entry) {
      const Wide code = sum + weights[entry];
      ++seen;
      if (kept.size() < capacity) {
        kept.push_back(code);
      } else if (const std::uint64_t slot = random.below(seen); slot < capacity) {
        kept[static_cast<std::size_t>(slot)] = code;
      }
      return true;
    });
  }
};

/// Uniform draws of one component's part of a code.
class ComponentDraws {
 public:
  ComponentDraws(const Model& model, const std::vector<Domain>& domains, const Component& component,
                 const Layout& layout, std::uint64_t limit, std::size_t count, Random& random)
      : domains_(domains),
        search_(model, domains, component),
        weights_(packed_weights<Wide>(search_.order(), domains, layout, 0)),
        layout_(layout),
        count_(count),
        random_(random) {
    ListSink<Wide> all{{}, limit};
    if (search_.run(weights_, all)) {
      listed_ = std::move(all.keys);
      return;
    }
    for (std::size_t depth = 1; depth < search_.depth(); ++depth) {
      ListSink<Wide> sink{{}, prefix_limit};
      if (!search_.run_to(weights_, sink, depth)) break;
      prefixes_ = std::move(sink.keys);
      prefix_depth_ = depth;
    }
    if (prefix_depth_ == 0) prefixes_ = {Wide{0}};
  }

  Wide next() {
    if (listed_.empty()) {
      Wide code{0};
      if (completed(code)) return code;
      ReservoirSink sink{{}, count_, random_};
      search_.run(weights_, sink);
      listed_ = std::move(sink.kept);
    }
    return listed_[static_cast<std::size_t>(random_.below(listed_.size()))];
  }

 private:
  /// A random prefix, completed at random: every valid combination is as likely as any other.
  bool completed(Wide& code) {
    std::vector<std::uint32_t> chosen(search_.depth());
    for (std::size_t attempt = 0; attempt < attempts_per_draw; ++attempt) {
      code = prefixes_[static_cast<std::size_t>(random_.below(prefixes_.size()))];
      for (std::size_t d = 0; d < chosen.size(); ++d) {
        const std::uint32_t p = search_.order()[d];
        const std::vector<std::uint32_t>& positions = domains_[p].positions;
        if (d < prefix_depth_) {
          const std::uint32_t position = unpack(code, layout_.fields()[p]);
          chosen[d] = static_cast<std::uint32_t>(std::lower_bound(positions.begin(), positions.end(), position) -
                                                 positions.begin());
        } else {
          chosen[d] = static_cast<std::uint32_t>(random_.below(positions.size()));
          code += weights_[d][chosen[d]];
        }
      }
      if (search_.satisfies(chosen)) return true;
    }
    return false;
  }

  const std::vector<Domain>& domains_;
  ComponentSearch search_;
  std::vector<std::vector<Wide>> weights_;
  const Layout& layout_;
  std::size_t count_;
  Random& random_;
  std::vector<Wide> listed_;  ///< all combinations, or a reservoir of them
  std::vector<Wide> prefixes_;
  std::size_t prefix_depth_ = 0;
};

}  // namespace

Block sample_oversize(const Model& model, const Narrowed& narrowed, const std::vector<Component>& components,
                      std::uint64_t limit, std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> lengths;
  for (const Parameter& parameter : model.parameters) {
    lengths.push_back(static_cast<std::uint32_t>(parameter.values.size()));
  }
  const Layout layout(lengths);
  if (layout.bits() > widest_code_bits) {
    throw Error(ExitCode::bad_input, "the space is too large: a configuration takes more than 128 bits", "",
                "tune fewer parameters at a time");
  }
  Random random(seed);
  std::vector<std::unique_ptr<ComponentDraws>> draws;
  for (const Component& component : components) {
    draws.push_back(std::make_unique<ComponentDraws>(model, narrowed.domains, component, layout, limit, count, random));
  }
  std::set<Wide> drawn;
  // A space of few configurations in an oversize description may not have `count` different ones.
  for (std::size_t attempt = 0; drawn.size() < count && attempt < 20 * count + 1000; ++attempt) {
    Wide code{0};
    for (const auto& component : draws) code += component->next();
    drawn.insert(code);
  }
  const std::vector<Wide> codes(drawn.begin(), drawn.end());
  return {lengths, narrowed.domains, codes};
}

}  // namespace wattune::space

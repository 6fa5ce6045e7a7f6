// The port of a search strategy: it proposes configurations by id and learns their scores.
// Room `search`. Knows no store, device or expression; budget, caching, retries and parallelism live outside.
// Contract (held by the conformance suite for every strategy): only ids of the space are proposed, none twice; the seed
// decides everything; ask(n) gives at most n and at least one until done(); a failing configuration is told with no
// scores; the given start configurations are proposed first (brute_force refuses a start).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/space.hpp"
#include "wattune/value.hpp"

namespace wattune {

/// One option of a strategy, as users see it. Range is inclusive; choices apply to text options.
struct StrategyOption {
  std::string name;
  Value default_value;
  std::optional<double> low;
  std::optional<double> high;
  std::vector<std::string> choices;
  std::string help;
  std::string source;  ///< where the default comes from: paper, tool, or "study" (docs/strategies.md)
};

namespace search {
class Memory;
}

/// What a strategy may know about its task.
struct StrategyTask {
  const Space* space = nullptr;  ///< outlives the strategy
  std::uint64_t seed = 0;
  std::size_t objectives = 1;              ///< number of scores told for each success
  std::optional<std::uint64_t> budget;     ///< evaluations that will be spent, if known
  std::vector<ConfigurationId> start;      ///< proposed first, in this order
  std::shared_ptr<search::Memory> memory;  ///< knowledge shared by the arms of one portfolio; leave empty otherwise
};

/// The result of one proposal. `scores` (all to be minimised, signs already applied) is empty for a failure.
struct Scored {
  ConfigurationId id = 0;
  bool valid = false;
  std::span<const double> scores;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Appends up to `count` ids to `out`; nothing only when done().
  virtual void ask(std::size_t count, std::vector<ConfigurationId>& out) = 0;
  /// Tells results, in the order asked. Every asked id is told exactly once before the next ask.
  virtual void tell(std::span<const Scored> results) = 0;
  /// True when every configuration of the space has been proposed.
  [[nodiscard]] virtual bool done() const = 0;
  /// One sentence on how it ended or what it chose ("auto: chose genetic_algorithm because …"); may be empty.
  [[nodiscard]] virtual std::string note() const { return {}; }
};

using StrategyOptions = std::map<std::string, Value>;

/// One row of the table of strategies.
struct StrategyInfo {
  std::string name;
  std::string summary;           ///< one line
  std::string source;            ///< paper or book
  bool multi_objective = false;  ///< uses more than the first score
  bool accepts_start = true;
  std::vector<StrategyOption> options;
  std::function<std::unique_ptr<Strategy>(const StrategyTask&, const StrategyOptions&)>
      make;  ///< options complete and valid
};

/// All built-in strategies, `auto` first.
const std::vector<StrategyInfo>& strategies();

/// Makes a strategy by name. Missing options take their defaults. Throws Error(bad_input): unknown strategy or option
/// (with the nearest known), value outside its range, start given to one that refuses it.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const StrategyTask& task,
                                        const StrategyOptions& options = {});

/// The complete, checked option set for `name` (defaults filled in); throws as make_strategy.
StrategyOptions resolve_options(const StrategyInfo& info, const StrategyOptions& given);

}  // namespace wattune

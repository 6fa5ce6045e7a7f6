// Trade-offs between two or more quantities: the configurations that none beats in all of them, exactly or kept up to
// date during a search; the knee; and choice by intent. Room `analysis`. Values are to be minimised; negate what is to
// be maximised. Refuses nothing: a set without values has an empty front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wattune {

/// Positions of the rows that no row dominates (better or equal in all, better in one), ascending by the first value,
/// then the next; rows that are equal are all kept. `values` row-major, `metrics` a row. Two metrics: O(n log n);
/// three: O(n log n) for the usual fronts; more: O(n x front). A row with a value that is not finite is on no front.
std::vector<std::size_t> pareto_front(std::span<const double> values, std::size_t metrics);

/// The same, one row at a time, as results come.
class ParetoFront {
 public:
  explicit ParetoFront(std::size_t metrics) : metrics_(metrics) {}
  /// True when the row is on the front now; rows that it dominates leave. O(front).
  bool insert(std::size_t id, std::span<const double> values);
  /// True when some member dominates the row.
  [[nodiscard]] bool dominated(std::span<const double> values) const;
  /// Ids of the members, ascending by values.
  [[nodiscard]] std::vector<std::size_t> ids() const;
  [[nodiscard]] std::size_t size() const { return members_.size(); }

 private:
  struct Member {
    std::size_t id = 0;
    std::vector<double> values;
  };
  std::size_t metrics_;
  std::vector<Member> members_;
};

/// The row of a front where giving up a little of one metric stops gaining much of another: farthest from the plane
/// through the ends when every metric is stretched to 0..1 (Das 1999, Structural Optimization 18). Nothing when no row
/// lies below that plane (a straight or bulging front) or there are fewer than three.
std::optional<std::size_t> knee_point(std::span<const double> front, std::size_t metrics);

/// What a user wants of a set of configurations with time (s) and energy (J).
struct Intent {
  enum class Kind : std::uint8_t {
    time,              ///< fastest
    energy,            ///< least energy
    edp,               ///< least energy x time
    ed2p,              ///< least energy x time^2
    energy_within,     ///< least energy among those at most `percent` slower than the fastest: "energy-within:5%"
    time_under,        ///< fastest among those that draw at most `watts`: "time-under:200W"
    energy_saving,     ///< fastest among those with at least `percent` of the possible saving: "ES_50"
    performance_loss,  ///< least energy among those that keep 100 - `percent` % of the best performance: "PL_10"
  };
  Kind kind = Kind::energy;
  double percent = 0.0;
  double watts = 0.0;
};

/// Reads the forms above (case, spaces and the unit do not matter). Throws Error(bad_input) that lists them.
Intent intent_from(std::string_view text);
std::string to_string(const Intent& intent);

struct TimeAndEnergy {
  double time = 0.0;    ///< s
  double energy = 0.0;  ///< J
};

/// Position of the choice (ties: the faster, then the earlier); nothing when no candidate meets the condition.
std::optional<std::size_t> choose(std::span<const TimeAndEnergy> candidates, const Intent& intent);

}  // namespace wattune

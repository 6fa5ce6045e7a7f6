// A replay request resolved against its recording: the space, which recorded entry answers a configuration, what its
// numbers are judged by. Refuses, with everything that is wrong at once, what the recording cannot answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tune/environment.hpp"
#include "wattune/objective.hpp"
#include "wattune/replay.hpp"
#include "wattune/space.hpp"

namespace wattune::tune {

class ReplayTask {
 public:
  /// `request` and its recording outlive the task. Throws Error.
  explicit ReplayTask(const ReplayRequest& request);

  [[nodiscard]] const Space& space() const { return *space_; }
  /// The space alone; the task is of no further use.
  [[nodiscard]] Space release_space() && { return std::move(*space_); }
  [[nodiscard]] const ObjectiveSet& objectives() const { return objectives_; }
  [[nodiscard]] const MetricSet& metrics() const { return metrics_; }
  /// Ids of ReplayRequest::start. Throws Error(bad_input) naming what is not in the space.
  [[nodiscard]] std::vector<ConfigurationId> start() const;

  /// The recorded entry of a configuration. Throws Error(bad_input) naming the configuration when there is none.
  [[nodiscard]] std::size_t entry(ConfigurationId id) const;
  /// The same; nothing when there is none.
  [[nodiscard]] std::optional<std::size_t> find_entry(ConfigurationId id) const;

  /// Computes the metrics of a correct outcome and judges it: one that breaks a condition on its numbers or lacks an
  /// objective becomes a failure that says so.
  void judge(Outcome& outcome) const;

 private:
  static constexpr std::uint32_t absent = 0xffffffffU;

  void match_parameters();
  void sort_constraints();
  void build_space();
  [[nodiscard]] std::vector<Parameter> parameters() const;
  [[nodiscard]] bool allowed(std::size_t entry, std::span<const Expression> rules,
                             std::vector<Value>& configuration) const;
  void check_names() const;
  [[nodiscard]] std::vector<std::string> known_quantities() const;
  /// A condition's expression as a metric, so that it is evaluated like one.
  [[nodiscard]] MetricSet condition_set() const;

  const ReplayRequest& request_;
  const RecordedSpace& recording_;
  RecordedIndex index_;
  Environment environment_;
  std::vector<std::size_t> recorded_parameter_;             ///< per parameter of the spec: which of the recording's
  std::vector<std::vector<std::uint32_t>> recorded_digit_;  ///< per parameter and value of the spec; or absent
  std::vector<LocatedText> rules_;                          ///< constraints on parameters
  std::vector<LocatedText> conditions_;                     ///< constraints on recorded numbers
  std::optional<Space> space_;
  MetricSet metrics_;
  MetricSet condition_values_;
  ObjectiveSet objectives_;
};

}  // namespace wattune::tune

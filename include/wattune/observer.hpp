// Hooks of users around a benchmark: what they observe enters the outcome under its own names, and metrics and
// objectives may read it. Written in C++ (derive from BenchmarkObserver) or as an external command that prints
// name=value lines. Room `measure`.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wattune/outcome.hpp"
#include "wattune/spec.hpp"
#include "wattune/value.hpp"

namespace wattune {

/// The benchmark that is observed. Valid during the call only.
struct Benchmark {
  const std::string& kernel;
  std::span<const std::string> names;  ///< of the parameters
  std::span<const Value> configuration;
};

/// Called in the tuning thread, for every configuration that compiles and verifies. Takes no part in timing: before()
/// and after() lie outside the timed launches, during() between two batches of them.
class BenchmarkObserver {
 public:
  virtual ~BenchmarkObserver() = default;
  virtual void before(const Benchmark& /*benchmark*/) {}
  virtual void during(const Benchmark& /*benchmark*/) {}
  /// Quantities to add to the outcome, in SI units or with the unit in the name. `outcome` has its time (and energy,
  /// where it is measured). A throw of Error ends the run; an empty map observes nothing.
  virtual std::map<std::string, double> after(const Benchmark& benchmark, const Outcome& outcome) = 0;
};

/// An observer that runs `spec.command` with `sh -c`: before, during (started before, SIGTERM after) or after the
/// benchmark. Lines "name=value" on its stdout are taken, several of a name averaged; others are ignored. It finds the
/// kernel in WATTUNE_KERNEL and parameters in WATTUNE_PARAMETER_<name>. What fails is told in complaint() and observes
/// nothing.
class CommandObserver final : public BenchmarkObserver {
 public:
  explicit CommandObserver(ObserverSpec spec);
  ~CommandObserver() override;
  void before(const Benchmark& benchmark) override;
  std::map<std::string, double> after(const Benchmark& benchmark, const Outcome& outcome) override;
  /// The first failure in a sentence; empty while there was none.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  class Running;
  void run(const Benchmark& benchmark);

  ObserverSpec spec_;
  std::unique_ptr<Running> running_;
  std::map<std::string, double> values_;
  std::string complaint_;
};

/// "name=value" lines as numbers, the mean of each name's values. Spaces around name and value are dropped.
std::map<std::string, double> parse_observations(std::string_view text);

}  // namespace wattune

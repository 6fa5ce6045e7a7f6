// Answers "what does this configuration do?" by compiling, verifying and timing it on a device.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tune/arguments.hpp"
#include "tune/energy_evaluation.hpp"
#include "tune/task.hpp"
#include "wattune/clock.hpp"
#include "wattune/engine.hpp"
#include "wattune/measure.hpp"
#include "wattune/observer.hpp"
#include "wattune/outcome.hpp"

namespace wattune::tune {

/// One device, one task. Expected failures become the outcome's status; a lost context is recovered and the next
/// configuration goes on. Throws Error when the reference cannot be computed or the device is unusable.
class MeasuredEvaluator {
 public:
  /// `energy` (may be null) measures energy of what was timed; it must outlive this.
  MeasuredEvaluator(Engine& engine, const Task& task, Clock& clock, EnergyEvaluation* energy = nullptr);
  ~MeasuredEvaluator();

  /// Starts compiling these configurations on other threads, where the engine allows it; evaluate() picks them up.
  void prefetch(std::span<const std::vector<Value>> configurations);

  /// Compile, verify, time. `hopeless`: see TimeOptions.
  Outcome evaluate(const std::vector<Value>& configuration, std::optional<Seconds> hopeless);

  /// Brings the device to the settings of configurations[i] before its turn; false when it does not get there.
  using Before = std::function<bool(std::size_t)>;

  /// Re-measures configurations in turn. Row i belongs to configurations[i]; empty where one failed.
  std::vector<std::vector<Seconds>> interleave(std::span<const std::vector<Value>> configurations, std::uint32_t rounds,
                                               Seconds time_limit, const Before& before = {});

  /// Measures the energy of configurations in turn, a window each a round. Row i belongs to configurations[i]; empty
  /// where one failed. `times`: a launch of each takes about so long.
  std::vector<std::vector<Joules>> interleave_energy(std::span<const std::vector<Value>> configurations,
                                                     std::span<const Seconds> times, std::uint32_t rounds,
                                                     const Before& before = {});

  /// Observers of every benchmark; they must outlive this.
  void observe(std::vector<BenchmarkObserver*> observers) { observers_ = std::move(observers); }

  /// How outputs are checked: none, consistent (default configuration) or verified.
  [[nodiscard]] Verification verification() const { return verification_; }

 private:
  struct Compiled {
    CompileResult result;
    Seconds seconds;
  };
  Compiled compile(const std::vector<Value>& configuration);
  Compiled take(const std::vector<Value>& configuration);
  /// Kernels of an interleaved comparison with the arguments that each launches with.
  struct Field {
    std::vector<std::unique_ptr<CompiledKernel>> kernels;
    std::vector<std::unique_ptr<DeviceArguments>> arguments;
    std::vector<Contestant> contestants;
    std::vector<std::size_t> position;  ///< of each contestant in what was asked for
  };
  Field make_field(std::span<const std::vector<Value>> configurations);
  void drop_prefetched();
  void upload();
  void compute_reference();
  void reference_from_run(const CompileRequest& request, const Launch& launch, const std::string& what);
  void reference_from_files();
  /// Resets outputs, launches once, compares; "" when right.
  std::string check(RunResult& run, CompiledKernel& kernel, const Geometry& geometry);
  void mend();

  Engine& engine_;
  const Task& task_;
  Clock& clock_;
  EnergyEvaluation* energy_;
  std::vector<BenchmarkObserver*> observers_;
  TimeOptions options_;
  bool computes_;  ///< false for a virtual device: no arguments, nothing to verify, outcomes are simulated
  Arguments arguments_;
  std::unique_ptr<DeviceArguments> device_;
  Verification verification_ = Verification::none;
  std::vector<std::vector<std::byte>> reference_;  ///< per output, in the order of arguments_.outputs()
  bool lost_ = false;                              ///< the engine's context; see mend()
  std::vector<std::byte> read_back_;               ///< an output while it is compared; kept for its pages
  std::map<std::string, std::future<Compiled>> prefetched_;
};

}  // namespace wattune::tune

// Tuning end to end: a spec, a device and a store in; the best configuration, with how sure it is, out.
// Room `tune`. Every outcome is stored before the search learns it; a stopped or killed run goes on where it was.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"
#include "wattune/engine.hpp"
#include "wattune/observer.hpp"
#include "wattune/run.hpp"
#include "wattune/space.hpp"
#include "wattune/spec.hpp"
#include "wattune/store.hpp"

namespace wattune {

/// How far a search is.
struct Progress {
  std::uint64_t evaluations = 0;       ///< answered so far, reused ones included
  std::uint64_t reused = 0;            ///< of these, taken from the store
  std::optional<std::uint64_t> limit;  ///< evaluations that will be made at most
  double fraction = 0.0;               ///< of the budget, 0..1
  Seconds elapsed;
  std::optional<Seconds> remaining;
  const Outcome* best = nullptr;  ///< best so far by the first objective
  std::uint64_t failed = 0;
};

/// Follows a run. All calls come from the tuning thread; default: nothing.
class TuneObserver {
 public:
  virtual ~TuneObserver() = default;
  virtual void started(const RunRecord&, const Space&, bool /*resumed*/) {}
  virtual void evaluated(const Outcome&, const Progress&) {}
  virtual void finalists(std::size_t /*count*/) {}
  /// Something the user should know ("the default configuration fails: …").
  virtual void notice(const std::string&) {}
};

struct TuneRequest {
  Spec spec;                            ///< as read; sections for the device's kind are chosen inside
  std::string spec_text;                ///< kept in the run
  std::optional<std::string> strategy;  ///< overrides of the spec
  std::optional<BudgetSpec> budget;     ///< limits given here replace the spec's of the same kind
  std::optional<std::uint64_t> seed;
  bool fresh = false;        ///< do not resume an unfinished run
  bool reuse = false;        ///< also take outcomes of finished runs with the same key
  Device* device = nullptr;  ///< sensors and controls; null: those that open_device() finds for the engine's device
  std::vector<BenchmarkObserver*> observers;  ///< in C++, beside the spec's commands; they outlive the call
  std::size_t jobs = 0;  ///< compilations at a time where the engine allows it; 0: as many as cores, at most 8
  const std::atomic<bool>* stop = nullptr;  ///< set to finish the current evaluation and end cleanly
};

/// Tunes and stores. Returns the finished (or stopped) run as stored. Throws Error: bad_input for the spec,
/// nothing_valid when no configuration succeeded (what was measured stays in the store; the first error is in the
/// message), device.
Run tune_kernel(const TuneRequest& request, Engine& engine, Store& store, TuneObserver& observer,
                Clock& clock = real_clock());

/// The spec with [problem.KIND] and [budget.KIND] applied ("cpu" or "gpu"; a virtual GPU counts as "gpu").
Spec for_device_kind(const Spec& spec, const std::string& device_kind);

/// The space of a spec; with a device, its limits on block size and local memory are constraints too.
Space build_space(const Spec& spec, const DeviceDescription* device = nullptr, const SpaceOptions& options = {});

/// Resolves a spec (chosen for a kind of device) as far as possible without a device: strategy and its options, budget,
/// space, launch geometry and argument sizes of the default configuration, source files, metrics. Throws Error with
/// every problem found.
void check_resolved(const Spec& spec);

/// Program version, e.g. "0.1.0".
std::string version();

}  // namespace wattune

// The core clock as the device itself counts it: cycles against its nanosecond timer, in one thread of a tiny kernel.
// Sees the clock of the launches right before it, since a clock change takes longer than the probe runs.
#pragma once

#include <memory>
#include <optional>

#include "wattune/engine.hpp"

namespace wattune::engine::cuda {

/// Belongs to the engine that it was made for and must not outlive its context.
class ClockProbe {
 public:
  explicit ClockProbe(Engine& engine);
  /// Nothing when the probe did not compile or run.
  [[nodiscard]] std::optional<Hertz> read(Engine& engine);

 private:
  std::unique_ptr<CompiledKernel> kernel_;
  std::unique_ptr<DeviceArguments> result_;
};

}  // namespace wattune::engine::cuda

// The engine for CUDA devices: driver API and NVRTC, times from an event pair around each launch.
// After an error that spoils the context (an illegal address) a run is `fatal`, and recover() builds the context anew.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "engine/cuda/clock_probe.hpp"
#include "engine/cuda/compiler.hpp"
#include "engine/cuda/context.hpp"
#include "engine/cuda/discovery.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::cuda {

class Kernel;

class CudaEngine final : public Engine {
 public:
  /// Throws Error(device) when the device refuses a context.
  CudaEngine(const DriverApi& api, FoundDevice device, Compiler compiler, Clock& clock);
  ~CudaEngine() override;

  [[nodiscard]] const DeviceDescription& describe() const override { return device_.description; }
  [[nodiscard]] bool accepts(Language language) const override;
  CompileResult compile(const CompileRequest& request) override;
  /// NVRTC keeps no state between programs, and the context is made current in the calling thread.
  [[nodiscard]] bool compiles_concurrently() const override { return true; }
  std::unique_ptr<DeviceArguments> upload(std::span<const ArgumentData> arguments) override;
  RunResult run(CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                const RunOptions& options) override;
  void recover() override;
  bool partition(std::uint32_t compute_units) override;
  std::optional<Hertz> probe_core_clock() override;

 private:
  struct Launch;

  [[nodiscard]] std::string refusal(const Kernel& kernel, const Geometry& geometry, std::uint64_t shared_bytes) const;
  Result allow_shared(const Kernel& kernel, std::uint64_t shared_bytes) const;
  void launch_all(const Launch& launch, const RunOptions& options, RunResult& result);
  void launch_untimed(const Launch& launch, const RunOptions& options, std::size_t depth, RunResult& result);
  Result enqueue(const Launch& launch);
  Result enqueue(const Launch& launch, const Context::EventPair& events, bool cold);
  bool collect(const Context::EventPair& events, RunResult& result) const;
  void fail(RunResult& result, const std::string& what, Result code) const;
  Result flush_cache();
  void drop_scratch();

  const DriverApi& api_;
  FoundDevice device_;
  Compiler compiler_;
  Clock& clock_;
  SharedContext context_;
  std::uint32_t compute_units_ = 0;  ///< of the partition; 0: all
  std::array<std::uint64_t, 3> max_grid_{};
  Address scratch_ = 0;
  std::size_t scratch_words_ = 0;
  unsigned scratch_value_ = 0;
  std::optional<ClockProbe> probe_;  ///< made on first use; belongs to the context
};

}  // namespace wattune::engine::cuda

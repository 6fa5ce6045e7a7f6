// The engine of GPUs that are not there: runs the profile of a kernel instead of its code, on simulated time. Nothing
// is computed: buffers have no contents, and outputs cannot be checked.
#pragma once

#include <memory>
#include <string>

#include "sim/virtual_gpu.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::simulated {

class VirtualEngine final : public Engine {
 public:
  explicit VirtualEngine(std::shared_ptr<sim::VirtualGpu> gpu);

  [[nodiscard]] const DeviceDescription& describe() const override { return description_; }
  [[nodiscard]] bool accepts(Language) const override { return true; }
  /// Throws Error(bad_input) for a request without a profile.
  CompileResult compile(const CompileRequest& request) override;
  std::unique_ptr<DeviceArguments> upload(std::span<const ArgumentData> arguments) override;
  RunResult run(CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                const RunOptions& options) override;
  void recover() override;
  bool partition(std::uint32_t compute_units) override;
  std::optional<Hertz> probe_core_clock() override;

 private:
  std::shared_ptr<sim::VirtualGpu> gpu_;
  DeviceDescription description_;
};

/// What an engine says of a virtual GPU with this id. Throws Error as open() does.
DeviceDescription describe(const std::string& id);

/// Opens "virtual:a100?noise=0" on this clock. Throws Error: no_device for an unknown name, usage for faulty options.
std::unique_ptr<Engine> open(const std::string& id, Clock& clock);

}  // namespace wattune::engine::simulated

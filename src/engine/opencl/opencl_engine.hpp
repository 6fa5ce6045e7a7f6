// The engine for OpenCL devices: times come from profiling events of an in-order queue.
// Dynamic shared memory of a geometry has no meaning here (OpenCL has local arguments instead) and is ignored. It
// cannot confine a kernel to compute units.
#pragma once

#include <memory>

#include "engine/opencl/discovery.hpp"
#include "engine/opencl/session.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::opencl {

class Kernel;
class Arguments;

class OpenClEngine final : public Engine {
 public:
  /// Throws Error(device) when the device refuses a context.
  OpenClEngine(const Api& api, const FoundDevice& device, Clock& clock);
  ~OpenClEngine() override;

  [[nodiscard]] const DeviceDescription& describe() const override { return description_; }
  [[nodiscard]] bool accepts(Language language) const override;
  CompileResult compile(const CompileRequest& request) override;
  /// Programs are independent objects; on a CPU device the compiler would only steal cores from the kernel being timed.
  [[nodiscard]] bool compiles_concurrently() const override { return description_.kind == "gpu"; }
  std::unique_ptr<DeviceArguments> upload(std::span<const ArgumentData> arguments) override;
  RunResult run(CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                const RunOptions& options) override;
  void recover() override;

 private:
  [[nodiscard]] std::string refusal(const Kernel& kernel, const Arguments& arguments, const Geometry& geometry) const;
  cl_int flush_cache();
  void launch_all(cl_kernel kernel, const Geometry& geometry, const RunOptions& options, RunResult& result);
  void drop_scratch();

  const Api& api_;
  cl_device_id device_;
  DeviceDescription description_;
  Clock& clock_;
  SharedSession session_;
  cl_mem scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
  cl_uint scratch_pattern_ = 0;
};

}  // namespace wattune::engine::opencl

#include "engine/virtual/virtual_engine.hpp"

#include <cstring>

#include "sim/instances.hpp"
#include "wattune/error.hpp"

namespace wattune::engine::simulated {
namespace {

constexpr Seconds compile_time{0.1};  // as a run-time compiler takes for a small kernel

class VirtualKernel final : public CompiledKernel {
 public:
  explicit VirtualKernel(const KernelProfile& profile, double max_block_threads)
      : profile_(profile), max_block_threads_(max_block_threads) {}
  [[nodiscard]] std::uint32_t registers() const override { return static_cast<std::uint32_t>(profile_.registers); }
  [[nodiscard]] std::uint64_t local_bytes() const override { return static_cast<std::uint64_t>(profile_.local_bytes); }
  [[nodiscard]] std::uint32_t max_block_threads() const override {
    return static_cast<std::uint32_t>(max_block_threads_);
  }
  [[nodiscard]] const KernelProfile& profile() const { return profile_; }

 private:
  KernelProfile profile_;
  double max_block_threads_;
};

/// Sizes without contents.
class VirtualArguments final : public DeviceArguments {
 public:
  explicit VirtualArguments(std::size_t count) : count_(count) {}
  [[nodiscard]] std::size_t count() const override { return count_; }
  void write(std::size_t, std::span<const std::byte>) override {}
  void read(std::size_t, std::span<std::byte> bytes) override { std::memset(bytes.data(), 0, bytes.size()); }
  void set_local_bytes(std::size_t, std::size_t) override {}

 private:
  std::size_t count_;
};

/// Shape from the launch, where the profile leaves it open.
KernelProfile shaped(KernelProfile profile, const Geometry& geometry) {
  const auto product = [](const auto& sizes) {
    return static_cast<double>(sizes[0]) * static_cast<double>(sizes[1]) * static_cast<double>(sizes[2]);
  };
  if (profile.blocks <= 0.0) profile.blocks = product(geometry.grid);
  if (profile.threads <= 0.0) profile.threads = product(geometry.block);
  if (profile.local_bytes <= 0.0) profile.local_bytes = static_cast<double>(geometry.shared_bytes);
  return profile;
}

}  // namespace

DeviceDescription describe(const std::string& id) {
  const VirtualGpuPreset& preset = *sim::parse_id(id).preset;
  DeviceDescription d;
  d.id = id;
  d.kind = "virtual";
  d.interface_name = "virtual";
  d.name = preset.name + " (simulated)";
  d.vendor = preset.vendor;
  d.uuid = id;
  d.driver = "simulated";
  d.architecture = preset.architecture;
  d.compute_units = preset.compute_units;
  d.max_block_threads = static_cast<std::uint32_t>(preset.unit.max_block_threads);
  d.max_block = {d.max_block_threads, d.max_block_threads, d.max_block_threads};
  d.local_memory_bytes = d.local_memory_optin_bytes = static_cast<std::uint64_t>(preset.unit.max_local_bytes);
  d.last_level_cache_bytes = static_cast<std::uint64_t>(preset.memory.l2_capacity);
  d.global_memory_bytes = preset.memory.bytes;
  d.max_core_clock = preset.core_clock.supported.back();
  d.max_memory_clock = preset.memory_clock.supported.back();
  return d;
}

VirtualEngine::VirtualEngine(std::shared_ptr<sim::VirtualGpu> gpu)
    : gpu_(std::move(gpu)), description_(simulated::describe(gpu_->id())) {}

CompileResult VirtualEngine::compile(const CompileRequest& request) {
  if (!request.profile) {
    throw Error(ExitCode::bad_input, "'" + request.kernel + "' has no profile", request.source_name,
                "a virtual GPU runs no code: [profile] tells it what the kernel does (docs/virtual-gpu.md)");
  }
  gpu_->clock().sleep(compile_time);
  CompileResult result;
  KernelProfile profile = *request.profile;
  if (profile.blocks <= 0.0) profile.blocks = 1.0;  // known at the launch
  if (profile.threads <= 0.0) profile.threads = 1.0;
  const LaunchLimit limit = occupancy(gpu_->preset(), profile).limit;
  if (limit != LaunchLimit::none) {
    result.status = Status::runtime;
    result.message = wattune::describe(limit, gpu_->preset(), profile);
    return result;
  }
  result.kernel = std::make_unique<VirtualKernel>(*request.profile, gpu_->preset().unit.max_block_threads);
  return result;
}

std::unique_ptr<DeviceArguments> VirtualEngine::upload(std::span<const ArgumentData> arguments) {
  return std::make_unique<VirtualArguments>(arguments.size());
}

RunResult VirtualEngine::run(CompiledKernel& kernel, DeviceArguments&, const Geometry& geometry,
                             const RunOptions& options) {
  const KernelProfile profile = shaped(dynamic_cast<VirtualKernel&>(kernel).profile(), geometry);
  Clock& clock = gpu_->clock();
  RunResult result;
  result.window_begin = clock.monotonic();
  result.system_begin = clock.system();
  sim::Launches launches = gpu_->launch(profile, options.repeats, options.timed);
  result.window_end = clock.monotonic();
  result.system_end = clock.system();
  switch (launches.fault) {
    case sim::Launches::Fault::none:
      result.times = std::move(launches.times);
      return result;
    case sim::Launches::Fault::limit:
      result.message = wattune::describe(launches.limit, gpu_->preset(), profile);
      break;
    case sim::Launches::Fault::driver_reset:
      result.message = "the driver reset the device (simulated)";
      result.fatal = true;
      break;
    case sim::Launches::Fault::unplugged:
      result.message = "the device does not answer any more (simulated)";
      result.fatal = true;
      break;
  }
  result.status = Status::runtime;
  return result;
}

void VirtualEngine::recover() {
  if (gpu_->recover()) return;
  throw Error(ExitCode::device, "the device is gone (simulated)", description_.id);
}

bool VirtualEngine::partition(std::uint32_t compute_units) {
  return gpu_->set_compute_units(compute_units);
}

std::optional<Hertz> VirtualEngine::probe_core_clock() {
  return gpu_->launch_clock();
}

std::unique_ptr<Engine> open(const std::string& id, Clock& clock) {
  return std::make_unique<VirtualEngine>(sim::make_instance(id, clock));
}

}  // namespace wattune::engine::simulated

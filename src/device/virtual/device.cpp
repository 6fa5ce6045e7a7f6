#include "device/virtual/device.hpp"

#include <utility>

#include "device/virtual/controls.hpp"
#include "device/virtual/sensors.hpp"
#include "sim/instances.hpp"

namespace wattune::device::simulated {
namespace {

class VirtualDevice final : public Device {
 public:
  explicit VirtualDevice(std::shared_ptr<sim::VirtualGpu> gpu)
      : gpu_(std::move(gpu)), sensors_(make_sensors(gpu_)), controls_(make_controls(gpu_)) {
    info_.id = info_.uuid = gpu_->id();
    info_.kind = "virtual";
    info_.name = gpu_->preset().name + " (simulated)";
    info_.driver = "simulated";
    for (const auto& sensor : sensors_) info_.sensors.push_back(sensor->info());
    for (const auto& control : controls_) info_.controls.push_back(control->info());
    info_.core_clock = gpu_->core_clock();
    info_.memory_clock = gpu_->memory_clock();
  }
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::span<const std::unique_ptr<Sensor>> sensors() const override { return sensors_; }
  [[nodiscard]] std::span<const std::unique_ptr<Control>> controls() const override { return controls_; }

 private:
  std::shared_ptr<sim::VirtualGpu> gpu_;
  std::vector<std::unique_ptr<Sensor>> sensors_;
  std::vector<std::unique_ptr<Control>> controls_;
  DeviceInfo info_;
};

}  // namespace

std::vector<DeviceInfo> survey() {
  std::vector<DeviceInfo> found;
  for (const VirtualGpuPreset& preset : virtual_gpu_presets()) {
    const std::string id = std::string(sim::id_prefix) + preset.id;
    const auto gpu = std::make_shared<sim::VirtualGpu>(id, sim::parse_id(id), real_clock());
    found.push_back(VirtualDevice(gpu).info());
  }
  return found;
}

std::unique_ptr<Device> open(const std::string& id) {
  if (!id.starts_with(sim::id_prefix)) return nullptr;
  std::shared_ptr<sim::VirtualGpu> gpu = sim::find_instance(id);
  if (!gpu) gpu = sim::make_instance(id, real_clock());
  return std::make_unique<VirtualDevice>(std::move(gpu));
}

}  // namespace wattune::device::simulated

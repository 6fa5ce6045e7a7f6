// An NVIDIA GPU opened through NVML. Found by UUID or PCI bus, never by index: indices of NVML and CUDA differ.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/control_lock.hpp"
#include "device/nvml/gpu.hpp"
#include "device/nvml/voltage.hpp"
#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::device::nvml {

/// What a device is opened with; tests put fakes here.
struct Library {
  const Api* api = nullptr;
  const Setters* setters = nullptr;
  QuerySmi query_smi;
  Clock* clock = &real_clock();
};

/// The loaded library, or null members where there is none.
Library loaded_library();

class NvmlDevice final : public Device {
 public:
  NvmlDevice(const Library& library, Handle handle, const Permission& permission);

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::span<const std::unique_ptr<Sensor>> sensors() const override { return sensors_; }
  [[nodiscard]] std::span<const std::unique_ptr<Control>> controls() const override { return controls_; }

 private:
  std::unique_ptr<Gpu> gpu_;  ///< stays where it is: sensors and controls point to it
  DeviceInfo info_;
  std::vector<std::unique_ptr<Sensor>> sensors_;
  std::vector<std::unique_ptr<Control>> controls_;
};

/// Handles of all GPUs that answer.
std::vector<Handle> handles(const Api& api);

/// The GPU with this UUID, PCI bus id ("0000:3b:00.0") or id ("nvml:GPU-…"); null when there is none.
std::unique_ptr<Device> open(const Library& library, const std::string& name, const Permission& permission);

}  // namespace wattune::device::nvml

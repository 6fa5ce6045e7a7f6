// What can be read from and set on the machine's devices, as the user sees it.
// Room `device`. Vendor libraries are loaded at run time; what is absent says why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wattune/error.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// One readable quantity of a device.
struct SensorInfo {
  std::string name;       ///< "power_instant", "energy_counter", …
  std::string unit;       ///< SI: "W", "J", "Hz", "°C"
  Seconds update_period;  ///< 0 when not known
  bool available = false;
  std::string why;  ///< when not available
};

/// One setting of a device.
struct ControlInfo {
  std::string name;  ///< "core_clock_mhz", "memory_clock_mhz", "power_limit_w"
  bool supported = false;
  bool permitted = false;
  std::string why;  ///< when not permitted or supported: exactly why and how to allow it
};

/// A device with its sensors and controls.
struct DeviceInfo {
  std::string id;    ///< "nvml:GPU-…"
  std::string kind;  ///< "gpu", "cpu"
  std::string name;
  std::string uuid;
  std::string pci_bus;
  std::string driver;
  std::vector<SensorInfo> sensors;
  std::vector<ControlInfo> controls;
  Hertz core_clock, memory_clock;  ///< current; 0 = not known
};

/// All devices that a vendor library reports; never throws for an absent library.
std::vector<DeviceInfo> list_devices();

/// The same, and for each source of devices that is absent why.
struct DeviceSurvey {
  std::vector<DeviceInfo> devices;
  std::vector<Problem> absent;  ///< e.g. {"nvml", "libnvidia-ml.so.1 not found", "install …"}
};
DeviceSurvey survey_devices();

}  // namespace wattune

#include "device/nvml/api.hpp"

#include <array>

#include "base/library.hpp"

namespace wattune::device::nvml {
namespace {

std::string fill(Api& api, const base::Library& library) {
  std::string missing;
  const auto need = [&](auto& function, const char* name) {
    if (!library.load(function, name) && missing.empty()) missing = name;
  };
  need(api.init, "nvmlInit_v2");
  need(api.shutdown, "nvmlShutdown");
  need(api.error_string, "nvmlErrorString");
  need(api.system_get_driver_version, "nvmlSystemGetDriverVersion");
  need(api.device_get_count, "nvmlDeviceGetCount_v2");
  need(api.device_get_handle_by_index, "nvmlDeviceGetHandleByIndex_v2");
  need(api.device_get_name, "nvmlDeviceGetName");
  need(api.device_get_uuid, "nvmlDeviceGetUUID");
  library.load(api.device_get_pci_info, "nvmlDeviceGetPciInfo_v3");
  library.load(api.device_get_clock_info, "nvmlDeviceGetClockInfo");
  library.load(api.device_get_power_usage, "nvmlDeviceGetPowerUsage");
  library.load(api.device_get_total_energy, "nvmlDeviceGetTotalEnergyConsumption");
  library.load(api.device_get_field_values, "nvmlDeviceGetFieldValues");
  library.load(api.device_get_samples, "nvmlDeviceGetSamples");
  library.load(api.device_get_temperature, "nvmlDeviceGetTemperature");
  library.load(api.device_get_supported_memory_clocks, "nvmlDeviceGetSupportedMemoryClocks");
  library.load(api.device_get_supported_graphics_clocks, "nvmlDeviceGetSupportedGraphicsClocks");
  library.load(api.device_get_power_limit_constraints, "nvmlDeviceGetPowerManagementLimitConstraints");
  library.load(api.device_get_power_limit, "nvmlDeviceGetPowerManagementLimit");
  library.load(api.device_get_enforced_power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  library.load(api.device_get_applications_clock, "nvmlDeviceGetApplicationsClock");
  if (!library.load(api.device_get_event_reasons, "nvmlDeviceGetCurrentClocksEventReasons"))
    library.load(api.device_get_event_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");  // the name before 535
  library.load(api.device_get_temperature_v, "nvmlDeviceGetTemperatureV");
  library.load(api.device_get_architecture, "nvmlDeviceGetArchitecture");
  return missing;
}

LoadedApi load() {
  LoadedApi loaded;
  const base::Library library = open_library();
  if (!library.loaded()) {
    loaded.problem = {"nvml", "no NVIDIA management library (" + library.error() + ")",
                      "it comes with the NVIDIA driver; nothing to do where there is no such GPU"};
    return loaded;
  }
  Api api;
  if (const std::string missing = fill(api, library); !missing.empty()) {
    loaded.problem = {"nvml", library.name() + " has no " + missing, "install a newer NVIDIA driver"};
    return loaded;
  }
  if (const std::optional<Problem> problem = initialise(api)) {
    loaded.problem = *problem;
    return loaded;
  }
  loaded.api = api;
  return loaded;
}

}  // namespace

base::Library open_library() {
  constexpr std::array names = {"libnvidia-ml.so.1", "libnvidia-ml.so"};
  return base::Library::open(names);
}

const LoadedApi& load_api() {
  static const LoadedApi loaded = load();
  return loaded;
}

std::optional<Problem> initialise(const Api& api) {
  const Result code = api.init();
  if (code == success) return std::nullopt;
  const bool no_driver = code == error_driver_not_loaded;
  return Problem{"nvml", "NVML does not start: " + error_text(api, code),
                 no_driver ? "load the nvidia kernel module; nothing to do where there is no such GPU" : ""};
}

std::string error_text(const Api& api, Result code) {
  const char* text = api.error_string(code);
  return std::string(text != nullptr ? text : "unknown error") + " (NVML error " + std::to_string(code) + ")";
}

}  // namespace wattune::device::nvml

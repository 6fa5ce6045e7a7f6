#include "device/amdsmi/api.hpp"

namespace wattune::device::amdsmi {
namespace {

std::string fill(Api& api, const base::Library& library) {
  std::string missing;
  const auto need = [&](auto& function, const char* name) {
    if (!library.load(function, name) && missing.empty()) missing = name;
  };
  need(api.init, "amdsmi_init");
  need(api.get_sockets, "amdsmi_get_socket_handles");
  need(api.get_processors, "amdsmi_get_processor_handles");
  library.load(api.status_text, "amdsmi_status_code_to_string");
  library.load(api.get_uuid, "amdsmi_get_gpu_device_uuid");
  library.load(api.get_bus, "amdsmi_get_gpu_device_bdf");
  library.load(api.get_asic_info, "amdsmi_get_gpu_asic_info");
  library.load(api.get_driver_info, "amdsmi_get_gpu_driver_info");
  library.load(api.get_energy, "amdsmi_get_energy_count");
  library.load(api.get_metrics, "amdsmi_get_gpu_metrics_info");
  library.load(api.get_clock, "amdsmi_get_clock_info");
  library.load(api.get_power_cap, "amdsmi_get_power_cap_info");
  return missing;
}

LoadedApi load() {
  LoadedApi loaded;
  const base::Library library = open_library();
  if (!library.loaded()) {
    loaded.problem = {"amdsmi", "no AMD management library (" + library.error() + ")",
                      "it comes with ROCm (package amd-smi-lib); nothing to do where there is no such GPU"};
    return loaded;
  }
  Api api;
  if (const std::string missing = fill(api, library); !missing.empty()) {
    loaded.problem = {"amdsmi", library.name() + " has no " + missing, "install a newer ROCm"};
    return loaded;
  }
  if (const Result code = api.init(init_gpus); code != success) {
    loaded.problem = {"amdsmi", "amdsmi does not start: " + error_text(api, code),
                      "load the amdgpu kernel module; nothing to do where there is no such GPU"};
    return loaded;
  }
  loaded.api = api;
  return loaded;
}

}  // namespace

base::Library open_library() {
  constexpr std::array names = {"libamd_smi.so", "libamd_smi.so.26", "libamd_smi.so.25", "libamd_smi.so.24",
                                "/opt/rocm/lib/libamd_smi.so"};
  return base::Library::open(names);
}

const LoadedApi& load_api() {
  static const LoadedApi loaded = load();
  return loaded;
}

std::string error_text(const Api& api, Result code) {
  if (code == error_function_not_found) return "this release of amdsmi does not have the function";
  const char* text = nullptr;
  if (api.status_text == nullptr || api.status_text(code, &text) != success || text == nullptr) text = "failed";
  return std::string(text) + " (amdsmi status " + std::to_string(code) + ")";
}

}  // namespace wattune::device::amdsmi

#include "engine/cuda/driver_api.hpp"

#include <algorithm>
#include <array>

#include "base/library.hpp"

namespace wattune::engine::cuda {
namespace {

/// Fills the table; the name of the first missing function that is needed, or "".
std::string fill(DriverApi& api, const base::Library& library) {
  std::string missing;
  const auto need = [&](auto& function, const char* name, const char* older = nullptr) {
    if (library.load(function, name) || (older != nullptr && library.load(function, older))) return;
    if (missing.empty()) missing = name;
  };
  need(api.init, "cuInit");
  need(api.driver_get_version, "cuDriverGetVersion");
  need(api.get_error_name, "cuGetErrorName");
  need(api.get_error_string, "cuGetErrorString");
  need(api.device_get_count, "cuDeviceGetCount");
  need(api.device_get, "cuDeviceGet");
  need(api.device_get_name, "cuDeviceGetName");
  need(api.device_get_uuid, "cuDeviceGetUuid_v2", "cuDeviceGetUuid");
  need(api.device_get_pci_bus_id, "cuDeviceGetPCIBusId");
  need(api.device_get_attribute, "cuDeviceGetAttribute");
  need(api.device_total_memory, "cuDeviceTotalMem_v2");
  need(api.primary_context_retain, "cuDevicePrimaryCtxRetain");
  need(api.primary_context_release, "cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease");
  need(api.primary_context_reset, "cuDevicePrimaryCtxReset_v2", "cuDevicePrimaryCtxReset");
  need(api.context_set_current, "cuCtxSetCurrent");
  need(api.module_load_data, "cuModuleLoadDataEx");
  need(api.module_unload, "cuModuleUnload");
  need(api.module_get_function, "cuModuleGetFunction");
  need(api.module_get_global, "cuModuleGetGlobal_v2");
  need(api.function_get_attribute, "cuFuncGetAttribute");
  need(api.function_set_attribute, "cuFuncSetAttribute");
  need(api.memory_allocate, "cuMemAlloc_v2");
  need(api.memory_free, "cuMemFree_v2");
  need(api.copy_to_device, "cuMemcpyHtoDAsync_v2");
  need(api.copy_to_host, "cuMemcpyDtoHAsync_v2");
  need(api.copy_on_device, "cuMemcpyDtoDAsync_v2");
  need(api.memory_set_words, "cuMemsetD32Async");
  need(api.launch_kernel, "cuLaunchKernel");
  need(api.stream_create, "cuStreamCreate");
  need(api.stream_destroy, "cuStreamDestroy_v2");
  need(api.stream_synchronize, "cuStreamSynchronize");
  need(api.event_create, "cuEventCreate");
  need(api.event_destroy, "cuEventDestroy_v2");
  need(api.event_record, "cuEventRecord");
  need(api.event_synchronize, "cuEventSynchronize");
  need(api.event_elapsed_ms, "cuEventElapsedTime_v2", "cuEventElapsedTime");
  // From CUDA 12.4 on; without them parameters are not checked and a device cannot be partitioned.
  library.load(api.function_get_parameter, "cuFuncGetParamInfo");
  library.load(api.device_get_resource, "cuDeviceGetDevResource");
  library.load(api.split_by_count, "cuDevSmResourceSplitByCount");
  library.load(api.generate_descriptor, "cuDevResourceGenerateDesc");
  library.load(api.green_create, "cuGreenCtxCreate");
  library.load(api.green_destroy, "cuGreenCtxDestroy");
  library.load(api.context_from_green, "cuCtxFromGreenCtx");
  return missing;
}

LoadedDriver load() {
  LoadedDriver loaded;
  constexpr std::array names = {"libcuda.so.1", "libcuda.so"};
  const base::Library library = base::Library::open(names);
  if (!library.loaded()) {
    loaded.problem = {"cuda", "no CUDA driver (" + library.error() + ")",
                      "install the NVIDIA driver where there is such a GPU"};
    return loaded;
  }
  DriverApi api;
  if (const std::string missing = fill(api, library); !missing.empty()) {
    loaded.problem = {"cuda", "the CUDA driver is too old: it has no " + missing,
                      "install a driver for CUDA 11 or newer"};
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

const LoadedDriver& load_driver() {
  static const LoadedDriver loaded = load();
  return loaded;
}

std::optional<Problem> initialise(const DriverApi& api) {
  const Result code = api.init(0);
  if (code == success) return std::nullopt;
  std::string hint;
  switch (code) {
    case 34:
      hint = "the library is the toolkit's stub; install the NVIDIA driver";
      break;
    case 100:
      hint = "no NVIDIA GPU is visible; check CUDA_VISIBLE_DEVICES and, in a container, that it was given the GPU";
      break;
    case 803:
      hint = "driver library and kernel module have different versions; restart the machine or reload the module";
      break;
    case 999:
      hint = "the kernel module does not answer; check nvidia-smi";
      break;
    default:
      break;
  }
  return Problem{"cuda", "the CUDA driver does not start: " + error_text(api, code), hint};
}

std::string error_text(const DriverApi& api, Result code) {
  const char* name = nullptr;
  const char* meaning = nullptr;
  if (api.get_error_name(code, &name) != success || name == nullptr) name = "an unknown CUDA error";
  if (api.get_error_string(code, &meaning) != success) meaning = nullptr;
  std::string text = std::string(name) + " (" + std::to_string(code) + ")";
  if (meaning != nullptr) text += std::string(": ") + meaning;
  return text;
}

bool is_sticky(Result code) {
  // The codes whose text in cuda.h says that the process is left in an inconsistent state, or that the device is ill.
  constexpr std::array sticky = {4, 201, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999};
  return std::find(sticky.begin(), sticky.end(), code) != sticky.end();
}

}  // namespace wattune::engine::cuda

// libnvidia-ml.so.1 over simulated GPUs: the real entry points, called by the real loader. Unlike a driver it needs no
// root, so that what controls do can be shown without a device; `deny` in a GPU's state brings the demand back.
// NOLINTBEGIN(readability-identifier-naming): NVML's names
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "device/nvml/api.hpp"
#include "fake_gpu.hpp"

namespace {

using wattune::fake::Gpu;
using namespace wattune::device::nvml;  // NOLINT(google-build-using-namespace): this file stands in for that library

constexpr Result invalid_argument = 2;
constexpr Result insufficient_size = 7;
constexpr Result unknown_error = 999;
constexpr unsigned most_gpus = 16;
constexpr unsigned power_low_mw = 200000;
constexpr unsigned power_high_mw = 700000;
constexpr unsigned core_low_mhz = 345;
constexpr unsigned core_high_mhz = 1980;
constexpr unsigned core_step_mhz = 15;
constexpr unsigned sample_count = 120;
constexpr long long sample_step_us = 20000;

std::array<char, most_gpus> places{};  // a handle is the address of its GPU's place

Handle handle_of(unsigned index) {
  return reinterpret_cast<Handle>(&places.at(index));  // NOLINT: an opaque handle
}
std::string path_of(Handle handle) {
  const char* place = reinterpret_cast<const char*>(handle);  // NOLINT: an opaque handle
  if (place < places.data() || place >= places.data() + places.size()) return {};
  return wattune::fake::gpu_path(static_cast<unsigned>(place - places.data()));
}

Result copy_text(const std::string& text, char* to, unsigned length) {
  if (text.size() >= length) return insufficient_size;
  std::snprintf(to, length, "%s", text.c_str());
  return success;
}

/// What every read asks first; `feature` may be switched off.
template <class Body>
Result read(Handle handle, const char* feature, const Body& body) {
  Gpu gpu(path_of(handle));
  if (!gpu.ok()) return invalid_argument;
  if (gpu.lost_on_read()) return error_gpu_is_lost;
  if (gpu.listed("unsupported", feature)) return error_not_supported;
  return body(gpu);
}

/// What every setter asks first; `setter` may be told to fail.
template <class Body>
Result change(Handle handle, const char* setter, const Body& body) {
  long long delay = 0;
  Result result = success;
  {
    Gpu gpu(path_of(handle));
    if (!gpu.ok()) return invalid_argument;
    if (gpu.number("lost") != 0) return error_gpu_is_lost;
    if (gpu.number("deny") != 0) return error_no_permission;
    if (gpu.listed("fail", setter)) return unknown_error;
    result = gpu.listed("ignore", setter) ? success : body(gpu);
    if (result == success) gpu.set("sets", gpu.number("sets") + 1);
    delay = gpu.number("set_delay_us");
  }
  if (delay > 0) usleep(static_cast<useconds_t>(delay));
  return result;
}

bool supported_core(unsigned mhz) {
  return mhz >= core_low_mhz && mhz <= core_high_mhz && (mhz - core_low_mhz) % core_step_mhz == 0;
}
bool supported_memory(unsigned mhz) {
  return mhz == 3201 || mhz == 2201;
}

Result field(Gpu& gpu, FieldValue& value) {
  const auto give = [&](const char* feature, long long number) {
    if (gpu.listed("unsupported", feature)) return error_not_supported;
    value.value.wide = 0xdeadbeef00000000ULL;  // drivers leave garbage in the upper half
    value.value.word = static_cast<unsigned>(number);
    value.timestamp_us = gpu.now_us();
    value.type = 1;
    return success;
  };
  if (value.scope != scope_gpu && !(value.scope == scope_module && gpu.text("module_power") == "1"))
    return error_not_supported;
  if (value.field == field_power_instant) return give("power_instant", gpu.power_mw(gpu.now_us() / 100000 * 100000));
  if (value.field == field_power_average) return give("power_average", gpu.power_mw(gpu.now_us()));
  if (value.field == field_memory_temperature) return give("memory_temperature", 41);
  return error_not_supported;
}

}  // namespace

extern "C" {

Result nvmlInit_v2() {
  return wattune::fake::gpu_count() > 0 ? success : error_driver_not_loaded;
}
Result nvmlShutdown() {
  return success;
}
const char* nvmlErrorString(Result code) {
  switch (code) {
    case success:
      return "Success";
    case error_not_supported:
      return "Not Supported";
    case error_no_permission:
      return "Insufficient Permissions";
    case error_driver_not_loaded:
      return "Driver Not Loaded";
    case error_gpu_is_lost:
      return "GPU is lost";
    case invalid_argument:
      return "Invalid Argument";
    default:
      return "Unknown Error";
  }
}
Result nvmlSystemGetDriverVersion(char* text, unsigned length) {
  const Gpu gpu(wattune::fake::gpu_path(0));
  return copy_text(gpu.text("driver"), text, length);
}
Result nvmlDeviceGetCount_v2(unsigned* count) {
  *count = wattune::fake::gpu_count();
  return success;
}
Result nvmlDeviceGetHandleByIndex_v2(unsigned index, Handle* handle) {
  if (index >= wattune::fake::gpu_count() || index >= most_gpus) return invalid_argument;
  const Gpu gpu(wattune::fake::gpu_path(index));
  if (!gpu.ok() || gpu.number("lost") != 0) return error_gpu_is_lost;
  *handle = handle_of(index);
  return success;
}
Result nvmlDeviceGetName(Handle handle, char* text, unsigned length) {
  return copy_text(Gpu(path_of(handle)).text("name"), text, length);
}
Result nvmlDeviceGetUUID(Handle handle, char* text, unsigned length) {
  return copy_text(Gpu(path_of(handle)).text("uuid"), text, length);
}
Result nvmlDeviceGetPciInfo_v3(Handle handle, PciInfo* pci) {
  return copy_text(Gpu(path_of(handle)).text("bus"), pci->id, sizeof(pci->id));
}
Result nvmlDeviceGetArchitecture(Handle handle, unsigned* architecture) {
  *architecture = static_cast<unsigned>(Gpu(path_of(handle)).number("architecture"));
  return success;
}
Result nvmlDeviceGetClockInfo(Handle handle, int type, unsigned* mhz) {
  return read(handle, type == clock_memory ? "memory_clock" : "core_clock", [&](Gpu& gpu) {
    *mhz = type == clock_memory ? gpu.memory_mhz() : gpu.core_mhz();
    return success;
  });
}
Result nvmlDeviceGetPowerUsage(Handle handle, unsigned* milliwatts) {
  return read(handle, "power_usage", [&](Gpu& gpu) {
    *milliwatts = static_cast<unsigned>(gpu.power_mw(gpu.now_us()));
    return success;
  });
}
Result nvmlDeviceGetTotalEnergyConsumption(Handle handle, unsigned long long* millijoules) {
  return read(handle, "energy_counter", [&](Gpu& gpu) {
    *millijoules = static_cast<unsigned long long>(gpu.energy_mj());
    return success;
  });
}
Result nvmlDeviceGetFieldValues(Handle handle, int count, FieldValue* values) {
  return read(handle, "fields", [&](Gpu& gpu) {
    for (int i = 0; i < count; ++i) values[i].result = field(gpu, values[i]);
    return success;
  });
}
Result nvmlDeviceGetSamples(Handle handle, int type, unsigned long long last_seen_us, int* value_type, unsigned* count,
                            Sample* samples) {
  return read(handle, "power_samples", [&](Gpu& gpu) {
    if (type != total_power_samples) return error_not_found;
    *value_type = 1;
    const long long newest = gpu.now_us() / sample_step_us * sample_step_us;
    if (samples == nullptr) {
      *count = sample_count;
      return success;
    }
    unsigned written = 0;
    for (long long at = newest - (sample_count - 1) * sample_step_us; at <= newest && written < *count;
         at += sample_step_us) {
      if (at <= static_cast<long long>(last_seen_us)) continue;
      Sample& sample = samples[written++];
      sample.timestamp_us = static_cast<unsigned long long>(at);
      sample.value.wide = 0xdeadbeef00000000ULL;
      sample.value.word = static_cast<unsigned>(gpu.power_mw(at));
    }
    *count = written;
    return written > 0 ? success : error_not_found;
  });
}
Result nvmlDeviceGetTemperature(Handle handle, int, unsigned* celsius) {
  return read(handle, "temperature", [&](Gpu& gpu) {
    *celsius = gpu.number("busy") != 0 ? 62 : 35;
    return success;
  });
}
Result nvmlDeviceGetCurrentClocksEventReasons(Handle handle, unsigned long long* bits) {
  return read(handle, "clock_event_reasons", [&](Gpu& gpu) {
    *bits = gpu.reasons();
    return success;
  });
}
Result nvmlDeviceGetSupportedMemoryClocks(Handle handle, unsigned* count, unsigned* mhz) {
  return read(handle, "memory_clocks", [&](Gpu&) {
    if (*count < 2) return insufficient_size;
    *count = 2;
    mhz[0] = 3201;
    mhz[1] = 2201;
    return success;
  });
}
Result nvmlDeviceGetSupportedGraphicsClocks(Handle handle, unsigned memory_mhz, unsigned* count, unsigned* mhz) {
  return read(handle, "graphics_clocks", [&](Gpu&) {
    if (!supported_memory(memory_mhz)) return error_not_found;
    const unsigned all = (core_high_mhz - core_low_mhz) / core_step_mhz + 1;
    if (*count < all) return insufficient_size;
    *count = all;
    for (unsigned i = 0; i < all; ++i) mhz[i] = core_high_mhz - i * core_step_mhz;
    return success;
  });
}
Result nvmlDeviceGetPowerManagementLimitConstraints(Handle handle, unsigned* low, unsigned* high) {
  return read(handle, "power_limit", [&](Gpu&) {
    *low = power_low_mw;
    *high = power_high_mw;
    return success;
  });
}
Result nvmlDeviceGetPowerManagementLimit(Handle handle, unsigned* milliwatts) {
  return read(handle, "power_limit", [&](Gpu& gpu) {
    *milliwatts = static_cast<unsigned>(gpu.number("power_limit_mw"));
    return success;
  });
}
Result nvmlDeviceGetEnforcedPowerLimit(Handle handle, unsigned* milliwatts) {
  return nvmlDeviceGetPowerManagementLimit(handle, milliwatts);
}
Result nvmlDeviceGetApplicationsClock(Handle handle, int type, unsigned* mhz) {
  return read(handle, "application_clocks", [&](Gpu& gpu) {
    *mhz = static_cast<unsigned>(gpu.number(type == clock_memory ? "app_memory" : "app_core"));
    return success;
  });
}

Result nvmlDeviceSetGpuLockedClocks(Handle handle, unsigned low_mhz, unsigned high_mhz) {
  return change(handle, "core", [&](Gpu& gpu) {
    if (low_mhz != high_mhz || !supported_core(low_mhz)) return invalid_argument;
    gpu.set("core_lock", low_mhz);
    return success;
  });
}
Result nvmlDeviceResetGpuLockedClocks(Handle handle) {
  return change(handle, "core", [&](Gpu& gpu) {
    gpu.set("core_lock", 0);
    return success;
  });
}
Result nvmlDeviceSetMemoryLockedClocks(Handle handle, unsigned low_mhz, unsigned high_mhz) {
  return change(handle, "memory", [&](Gpu& gpu) {
    if (low_mhz != high_mhz || !supported_memory(low_mhz)) return invalid_argument;
    gpu.set("memory_lock", low_mhz);
    return success;
  });
}
Result nvmlDeviceResetMemoryLockedClocks(Handle handle) {
  return change(handle, "memory", [&](Gpu& gpu) {
    gpu.set("memory_lock", 0);
    return success;
  });
}
Result nvmlDeviceSetApplicationsClocks(Handle handle, unsigned memory_mhz, unsigned core_mhz) {
  return change(handle, "core", [&](Gpu& gpu) {
    if (!supported_memory(memory_mhz) || !supported_core(core_mhz)) return invalid_argument;
    gpu.set("app_memory", memory_mhz);
    gpu.set("app_core", core_mhz);
    return success;
  });
}
Result nvmlDeviceSetPowerManagementLimit(Handle handle, unsigned milliwatts) {
  return change(handle, "power", [&](Gpu& gpu) {
    if (milliwatts < power_low_mw || milliwatts > power_high_mw) return invalid_argument;
    gpu.set("power_limit_mw", milliwatts);
    return success;
  });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

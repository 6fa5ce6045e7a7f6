// libamd_smi.so over simulated GPUs of vendor "amd": the real entry points, called by the real loader. Unlike a driver
// it needs no root; `deny` in a GPU's state brings the demand back. An MI300 by its ranges; `older` makes it an MI200,
// which tells average power instead of current.
// NOLINTBEGIN(readability-identifier-naming): amdsmi's names
#include <array>
#include <cstdio>
#include <cstring>

#include "device/amdsmi/api.hpp"
#include "fake_gpu.hpp"

namespace {

using wattune::fake::Gpu;
using namespace wattune::device::amdsmi;  // NOLINT(google-build-using-namespace): this file stands in for that library

constexpr Result invalid = 1;
constexpr Result out_of_bounds = 17;
constexpr Result unknown_error = 0xffffffffU;
constexpr const char* vendor = "amd";
constexpr float microjoules_per_count = 15.3F;
constexpr std::uint64_t cap_low_uw = 100000000;
constexpr std::uint64_t cap_high_uw = 750000000;

struct Bounds {
  unsigned low, high;
};
constexpr Bounds core_bounds{500, 2100};
constexpr Bounds memory_bounds{900, 1300};

std::array<char, 16> places{};  // a handle is the address of its GPU's place

Handle handle_of(unsigned index) {
  return &places.at(index);
}
std::string path_of(Handle handle) {
  const char* place = static_cast<const char*>(handle);
  if (place < places.data() || place >= places.data() + places.size()) return {};
  return wattune::fake::gpu_path(static_cast<unsigned>(place - places.data()), vendor);
}

template <class Body>
Result read(Handle handle, const char* feature, const Body& body) {
  Gpu gpu(path_of(handle));
  if (!gpu.ok()) return invalid;
  if (gpu.lost_on_read()) return error_not_found;
  if (gpu.listed("unsupported", feature)) return error_not_supported;
  return body(gpu);
}
template <class Body>
Result change(Handle handle, const char* setter, const Body& body) {
  Gpu gpu(path_of(handle));
  if (!gpu.ok()) return invalid;
  if (gpu.number("lost") != 0) return error_not_found;
  if (gpu.number("deny") != 0) return error_no_permission;
  if (gpu.listed("fail", setter)) return unknown_error;
  const Result result = gpu.listed("ignore", setter) ? success : body(gpu);
  if (result == success) gpu.set("sets", gpu.number("sets") + 1);
  return result;
}

const char* domain_of(int type) {
  return type == clock_memory ? "memory" : "core";
}
Bounds bounds_of(int type) {
  return type == clock_memory ? memory_bounds : core_bounds;
}
/// The limits in force; a fresh GPU has none of its own.
Bounds limits_of(const Gpu& gpu, int type) {
  const std::string domain = domain_of(type);
  const Bounds all = bounds_of(type);
  const long long low = gpu.number(domain + "_low");
  const long long high = gpu.number(domain + "_high");
  return {low > 0 ? static_cast<unsigned>(low) : all.low, high > 0 ? static_cast<unsigned>(high) : all.high};
}
/// The throttle bits that mean the same on every chip, for NVML's that tests set.
std::uint64_t throttle_bits(long long reasons) {
  return ((reasons & 0x4) != 0 ? 1ULL : 0ULL) | ((reasons & 0x20) != 0 ? 1ULL << 36U : 0ULL);
}

}  // namespace

extern "C" {

Result amdsmi_init(std::uint64_t) {
  return wattune::fake::gpu_count(vendor) > 0 ? success : error_driver_not_loaded;
}
Result amdsmi_status_code_to_string(Result status, const char** text) {
  *text = status == error_not_supported       ? "AMDSMI_STATUS_NOT_SUPPORTED"
          : status == error_no_permission     ? "AMDSMI_STATUS_NO_PERM"
          : status == error_not_found         ? "AMDSMI_STATUS_NOT_FOUND"
          : status == error_driver_not_loaded ? "AMDSMI_STATUS_DRIVER_NOT_LOADED"
                                              : "AMDSMI_STATUS_UNKNOWN_ERROR";
  return success;
}
/// A socket for each GPU; the two have the same handle here.
Result amdsmi_get_socket_handles(std::uint32_t* count, Handle* sockets) {
  const unsigned all = wattune::fake::gpu_count(vendor);
  for (unsigned i = 0; sockets != nullptr && i < all && i < *count; ++i) sockets[i] = handle_of(i);
  *count = all;
  return success;
}
Result amdsmi_get_processor_handles(Handle socket, std::uint32_t* count, Handle* processors) {
  if (Gpu(path_of(socket)).number("lost") != 0) return error_not_found;
  if (processors != nullptr && *count > 0) processors[0] = socket;
  *count = 1;
  return success;
}
Result amdsmi_get_gpu_device_uuid(Handle handle, unsigned* length, char* text) {
  std::snprintf(text, *length, "%s", Gpu(path_of(handle)).text("uuid").c_str());
  return success;
}
/// "00000000:3B:00.0" as bits.
Result amdsmi_get_gpu_device_bdf(Handle handle, std::uint64_t* bits) {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned device = 0;
  unsigned function = 0;
  if (std::sscanf(Gpu(path_of(handle)).text("bus").c_str(), "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4)
    return unknown_error;
  *bits = (static_cast<std::uint64_t>(domain) << 16U) | (bus << 8U) | (device << 3U) | function;
  return success;
}
Result amdsmi_get_gpu_asic_info(Handle handle, void* info) {
  std::snprintf(static_cast<char*>(info), 256, "%s", Gpu(path_of(handle)).text("name").c_str());
  return success;
}
Result amdsmi_get_gpu_driver_info(Handle handle, void* info) {
  std::snprintf(static_cast<char*>(info), 256, "%s", Gpu(path_of(handle)).text("driver").c_str());
  return success;
}
Result amdsmi_get_energy_count(Handle handle, std::uint64_t* count, float* microjoules, std::uint64_t* nanoseconds) {
  return read(handle, "energy_counter", [&](Gpu& gpu) {
    *microjoules = microjoules_per_count;
    *count = static_cast<std::uint64_t>(static_cast<double>(gpu.energy_mj()) * 1e3 / microjoules_per_count);
    *nanoseconds = 1;
    return success;
  });
}
Result amdsmi_get_gpu_metrics_info(Handle handle, void* metrics) {
  return read(handle, "metrics", [&](Gpu& gpu) {
    Metrics all;
    std::memset(static_cast<void*>(&all), 0xff, sizeof all);  // what a GPU does not tell
    const auto watts = static_cast<std::uint16_t>(gpu.power_mw(gpu.now_us()) / 1000);
    const bool older = gpu.number("older") != 0;
    (older ? all.average_power : all.current_power) = watts;
    all.temperature_hotspot = gpu.number("busy") != 0 ? 62 : 35;
    if (older) {
      all.voltage_core = 806;
      all.throttle = throttle_bits(gpu.number("throttle"));
    }
    std::memcpy(metrics, &all, sizeof all);
    return success;
  });
}
Result amdsmi_get_clock_info(Handle handle, int type, ClockInfo* clock) {
  return read(handle, domain_of(type), [&](Gpu& gpu) {
    const Bounds limits = limits_of(gpu, type);
    *clock = {};
    clock->low = limits.low;
    clock->high = limits.high;
    const bool stuck = gpu.number("refuse_clock") != 0;
    clock->now = stuck ? bounds_of(type).low : gpu.number("busy") != 0 ? limits.high : limits.low;
    return success;
  });
}
Result amdsmi_get_power_cap_info(Handle handle, std::uint32_t, PowerCap* cap) {
  return read(handle, "power_limit", [&](Gpu& gpu) {
    *cap = {};
    cap->now = static_cast<std::uint64_t>(gpu.number("power_limit_mw")) * 1000;
    cap->by_default = cap_high_uw;
    cap->low = cap_low_uw;
    cap->high = cap_high_uw;
    return success;
  });
}

Result amdsmi_set_gpu_clk_limit(Handle handle, int type, int limit, std::uint64_t mhz) {
  return change(handle, domain_of(type), [&](Gpu& gpu) {
    const Bounds all = bounds_of(type);
    const Bounds now = limits_of(gpu, type);
    const bool inside = mhz >= all.low && mhz <= all.high;
    if (!inside || (limit == limit_low ? mhz > now.high : mhz < now.low)) return out_of_bounds;
    gpu.set(std::string(domain_of(type)) + (limit == limit_low ? "_low" : "_high"), static_cast<long long>(mhz));
    return success;
  });
}
Result amdsmi_set_power_cap(Handle handle, std::uint32_t, std::uint64_t microwatts) {
  return change(handle, "power", [&](Gpu& gpu) {
    if (microwatts < cap_low_uw || microwatts > cap_high_uw) return out_of_bounds;
    gpu.set("power_limit_mw", static_cast<long long>(microwatts / 1000));
    return success;
  });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

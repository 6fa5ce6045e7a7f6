#include "engine/opencl/discovery.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "base/text.hpp"
#include "engine/messages.hpp"

namespace wattune::engine::opencl {
namespace {

// cl_nv_device_attribute_query and cl_khr_device_uuid, from the Khronos registry.
constexpr cl_device_info compute_capability_major_nv = 0x4000;
constexpr cl_device_info compute_capability_minor_nv = 0x4001;
constexpr cl_device_info pci_bus_id_nv = 0x4008;
constexpr cl_device_info pci_slot_id_nv = 0x4009;
constexpr cl_device_info pci_domain_id_nv = 0x400A;
constexpr cl_device_info device_uuid_khr = 0x106A;
constexpr std::size_t uuid_bytes = 16;

std::string platform_text(const Api& api, cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  if (api.get_platform_info(platform, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (api.get_platform_info(platform, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  return std::string(base::trim(text.c_str()));
}

std::string device_text(const Api& api, cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (api.get_device_info(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (api.get_device_info(device, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  return std::string(base::trim(text.c_str()));
}

/// A number or structure; `T{}` when the device does not answer.
template <class T>
T device_value(const Api& api, cl_device_id device, cl_device_info what) {
  T value{};
  if (api.get_device_info(device, what, sizeof(T), &value, nullptr) != CL_SUCCESS) return T{};
  return value;
}

std::string kind_of(cl_device_type type) {
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return "gpu";
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return "cpu";
  return "accelerator";
}

void describe_nvidia(const Api& api, cl_device_id device, DeviceDescription& description) {
  const auto major = device_value<cl_uint>(api, device, compute_capability_major_nv);
  if (major == 0) return;
  const auto minor = device_value<cl_uint>(api, device, compute_capability_minor_nv);
  description.architecture = "sm_" + std::to_string(major) + std::to_string(minor);
  std::array<char, 24> bus{};
  const auto slot = device_value<cl_uint>(api, device, pci_slot_id_nv);  // device in the upper bits, function in three
  std::snprintf(bus.data(), bus.size(), "%04x:%02x:%02x.%x",
                device_value<cl_uint>(api, device, pci_domain_id_nv) & 0xFFFFU,
                device_value<cl_uint>(api, device, pci_bus_id_nv) & 0xFFU, (slot >> 3U) & 0x1FU, slot & 7U);
  description.pci_bus = bus.data();
}

std::string uuid_of(const Api& api, cl_device_id device, const DeviceDescription& description,
                    const std::string& platform) {
  const auto bytes = device_value<std::array<unsigned char, uuid_bytes>>(api, device, device_uuid_khr);
  if (std::all_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte == 0; })) {
    return platform + '/' + description.name;
  }
  std::string uuid = description.architecture.empty() ? "" : "GPU-";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", bytes[i]);
    uuid += hex.data();
  }
  return uuid;
}

DeviceDescription describe(const Api& api, cl_device_id device, const std::string& platform) {
  DeviceDescription d;
  d.interface_name = "opencl";
  d.kind = kind_of(device_value<cl_device_type>(api, device, CL_DEVICE_TYPE));
  d.name = device_text(api, device, CL_DEVICE_NAME);
  d.vendor = device_text(api, device, CL_DEVICE_VENDOR);
  d.driver = device_text(api, device, CL_DRIVER_VERSION);
  d.compute_units = device_value<cl_uint>(api, device, CL_DEVICE_MAX_COMPUTE_UNITS);
  d.max_block_threads =
      static_cast<std::uint32_t>(device_value<std::size_t>(api, device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  const auto sizes = device_value<std::array<std::size_t, 3>>(api, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  for (std::size_t i = 0; i < 3; ++i) d.max_block[i] = static_cast<std::uint32_t>(sizes[i]);
  d.local_memory_bytes = device_value<cl_ulong>(api, device, CL_DEVICE_LOCAL_MEM_SIZE);
  d.local_memory_optin_bytes = d.local_memory_bytes;
  d.global_memory_bytes = device_value<cl_ulong>(api, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  d.last_level_cache_bytes = device_value<cl_ulong>(api, device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  // A CPU driver may report the second level; Linux knows the third.
  if (d.kind == "cpu")
    d.last_level_cache_bytes = std::max<std::uint64_t>(d.last_level_cache_bytes, last_level_cpu_cache());
  d.max_core_clock = megahertz(device_value<cl_uint>(api, device, CL_DEVICE_MAX_CLOCK_FREQUENCY));
  describe_nvidia(api, device, d);
  d.uuid = uuid_of(api, device, d, platform);
  return d;
}

bool usable(const Api& api, cl_device_id device) {
  return device_value<cl_bool>(api, device, CL_DEVICE_AVAILABLE) == CL_TRUE &&
         device_value<cl_bool>(api, device, CL_DEVICE_COMPILER_AVAILABLE) == CL_TRUE;
}

int rank(const std::string& kind) {
  return kind == "gpu" ? 0 : kind == "accelerator" ? 1 : 2;
}

}  // namespace

std::vector<FoundDevice> discover(const Api& api) {
  std::vector<FoundDevice> found;
  cl_uint platform_count = 0;
  if (api.get_platform_ids(0, nullptr, &platform_count) != CL_SUCCESS || platform_count == 0) return found;
  std::vector<cl_platform_id> platforms(platform_count);
  if (api.get_platform_ids(platform_count, platforms.data(), nullptr) != CL_SUCCESS) return found;
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    cl_uint device_count = 0;
    if (api.get_device_ids(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr, &device_count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> devices(device_count);
    if (device_count == 0) continue;
    if (api.get_device_ids(platforms[p], CL_DEVICE_TYPE_ALL, device_count, devices.data(), nullptr) != CL_SUCCESS)
      continue;
    const std::string platform = platform_text(api, platforms[p], CL_PLATFORM_NAME);
    for (std::size_t d = 0; d < devices.size(); ++d) {
      if (!usable(api, devices[d])) continue;
      FoundDevice& entry = found.emplace_back(FoundDevice{describe(api, devices[d], platform), devices[d]});
      entry.description.id = "opencl:" + std::to_string(p) + ':' + std::to_string(d);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const FoundDevice& a, const FoundDevice& b) {
    return rank(a.description.kind) < rank(b.description.kind);
  });
  return found;
}

}  // namespace wattune::engine::opencl

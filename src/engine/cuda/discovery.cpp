#include "engine/cuda/discovery.hpp"

#include <array>
#include <cstdio>

#include "base/text.hpp"
#include "engine/cuda/driver_string.hpp"

namespace wattune::engine::cuda {
namespace {

/// The attribute, 0 when the driver does not answer.
std::uint64_t attribute(const DriverApi& api, Ordinal device, int which) {
  int value = 0;
  if (api.device_get_attribute(&value, which, device) != success || value < 0) return 0;
  return static_cast<std::uint64_t>(value);
}

std::string uuid_text(const Uuid& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", uuid.bytes[i]);
    text += hex.data();
  }
  return text;
}

FoundDevice describe(const DriverApi& api, Ordinal device) {
  FoundDevice found;
  found.device = device;
  DeviceDescription& d = found.description;
  d.kind = "gpu";
  d.interface_name = "cuda";
  d.vendor = "NVIDIA";
  std::array<char, 256> text{};
  if (api.device_get_name(text.data(), static_cast<int>(text.size()), device) == success) d.name = text.data();
  Uuid uuid{};
  if (api.device_get_uuid(&uuid, device) == success) d.uuid = uuid_text(uuid);
  if (api.device_get_pci_bus_id(text.data(), static_cast<int>(text.size()), device) == success)
    d.pci_bus = base::lower(text.data());
  const auto major = attribute(api, device, attribute_capability_major);
  const auto minor = attribute(api, device, attribute_capability_minor);
  found.capability = static_cast<int>(10 * major + minor);
  d.architecture = "sm_" + std::to_string(found.capability);
  d.compute_units = static_cast<std::uint32_t>(attribute(api, device, attribute_multiprocessors));
  d.max_block_threads = static_cast<std::uint32_t>(attribute(api, device, attribute_max_threads_per_block));
  for (int i = 0; i < 3; ++i) {
    d.max_block[static_cast<std::size_t>(i)] =
        static_cast<std::uint32_t>(attribute(api, device, attribute_max_block_x + i));
  }
  d.local_memory_bytes = attribute(api, device, attribute_shared_per_block);
  d.local_memory_optin_bytes = std::max(d.local_memory_bytes, attribute(api, device, attribute_shared_per_block_optin));
  d.last_level_cache_bytes = attribute(api, device, attribute_l2_bytes);
  std::size_t bytes = 0;
  if (api.device_total_memory(&bytes, device) == success) d.global_memory_bytes = bytes;
  d.max_core_clock = Hertz(1e3 * static_cast<double>(attribute(api, device, attribute_clock_khz)));
  d.max_memory_clock = Hertz(1e3 * static_cast<double>(attribute(api, device, attribute_memory_clock_khz)));
  return found;
}

}  // namespace

Version driver_version(const DriverApi& api) {
  int code = 0;
  if (api.driver_get_version(&code) != success) return {};
  return {code / 1000, code % 1000 / 10};
}

std::vector<FoundDevice> discover(const DriverApi& api, const std::string& compiler) {
  std::vector<FoundDevice> found;
  int count = 0;
  if (api.device_get_count(&count) != success) return found;
  const Version version = driver_version(api);
  const std::string release = kernel_driver_release();
  const std::string driver = (release.empty() ? "" : release + ", ") + "CUDA " + std::to_string(version.major) + '.' +
                             std::to_string(version.minor) + (compiler.empty() ? "" : ", NVRTC " + compiler);
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    Ordinal device = 0;
    if (api.device_get(&device, ordinal) != success) continue;
    FoundDevice& entry = found.emplace_back(describe(api, device));
    entry.description.id = "cuda:" + std::to_string(ordinal);
    entry.description.driver = driver;
  }
  return found;
}

}  // namespace wattune::engine::cuda

#include "device/nvml/clock_lists.hpp"

#include <algorithm>
#include <array>

namespace wattune::device::nvml {
namespace {

Result finish(Result code, const unsigned* raw, unsigned count, std::vector<double>& mhz) {
  mhz.clear();
  if (code != success) return code;
  mhz.assign(raw, raw + count);
  std::sort(mhz.begin(), mhz.end());
  mhz.erase(std::unique(mhz.begin(), mhz.end()), mhz.end());
  return mhz.empty() ? error_not_supported : success;
}

}  // namespace

Result memory_clocks(const Gpu& gpu, std::vector<double>& mhz) {
  if (gpu.api->device_get_supported_memory_clocks == nullptr) return error_function_not_found;
  std::array<unsigned, 256> raw{};
  unsigned count = raw.size();
  const Result code = gpu.api->device_get_supported_memory_clocks(gpu.handle, &count, raw.data());
  return finish(code, raw.data(), std::min<unsigned>(count, raw.size()), mhz);
}

Result graphics_clocks(const Gpu& gpu, double memory_mhz, std::vector<double>& mhz) {
  if (gpu.api->device_get_supported_graphics_clocks == nullptr) return error_function_not_found;
  std::array<unsigned, 1024> raw{};
  unsigned count = raw.size();
  const Result code =
      gpu.api->device_get_supported_graphics_clocks(gpu.handle, static_cast<unsigned>(memory_mhz), &count, raw.data());
  return finish(code, raw.data(), std::min<unsigned>(count, raw.size()), mhz);
}

}  // namespace wattune::device::nvml

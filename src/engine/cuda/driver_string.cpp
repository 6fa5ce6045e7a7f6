#include "engine/cuda/driver_string.hpp"

#include <array>
#include <fstream>

#include "base/library.hpp"

namespace wattune::engine::cuda {
namespace {

std::string from_nvml() {
  constexpr std::array names = {"libnvidia-ml.so.1"};
  const base::Library library = base::Library::open(names);
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver_version)(char* text, unsigned length) = nullptr;
  if (!library.load(init, "nvmlInit_v2") || !library.load(shutdown, "nvmlShutdown") ||
      !library.load(driver_version, "nvmlSystemGetDriverVersion") || init() != 0) {
    return {};
  }
  std::array<char, 96> text{};
  const int code = driver_version(text.data(), static_cast<unsigned>(text.size()));
  shutdown();
  return code == 0 ? text.data() : "";
}

}  // namespace

std::string kernel_driver_release() {
  std::string release;
  std::ifstream file("/sys/module/nvidia/version");
  if (file >> release && !release.empty()) return release;
  return from_nvml();
}

}  // namespace wattune::engine::cuda

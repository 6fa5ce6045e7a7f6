#include "device/nvml/gpu.hpp"

#include <algorithm>
#include <array>

namespace wattune::device::nvml {
namespace {

bool contains_any(const std::string& name, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

}  // namespace

bool Gpu::is_ga100() const {
  return architecture == architecture_ampere && contains_any(name, {"A100", "A800", "A30"}) &&
         !contains_any(name, {"A3000"});
}

bool Gpu::is_superchip() const {
  return contains_any(name, {"GH200", "GB200", "GB300"});
}

}  // namespace wattune::device::nvml

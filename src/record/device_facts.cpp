#include "wattune/device_facts.hpp"

#include <array>
#include <cctype>
#include <string>

namespace wattune {
namespace {

DeviceFacts listed(std::string_view name, double watts, double base, double low, double high, double step,
                   std::string_view source) {
  const auto clock = [](double mhz) { return mhz > 0.0 ? std::optional(megahertz(mhz)) : std::nullopt; };
  return {name, Watts(watts), clock(base), clock(low), clock(high), clock(step), source};
}

// A zero is a figure that the source does not give. Clock lists: what drivers report for these devices.
const std::array table = {
    listed("NVIDIA A100-PCIE-40GB", 250, 765, 210, 1410, 15, "A100 PCIe product brief PB-10137-001"),
    listed("NVIDIA A100-SXM4-40GB", 400, 1095, 210, 1410, 15, "A100 data sheet 2020"),
    listed("NVIDIA A100 80GB PCIe", 300, 1065, 210, 1410, 15, "A100 80GB PCIe product brief PB-10577-001"),
    listed("NVIDIA A100-SXM4-80GB", 400, 1275, 210, 1410, 15, "A100 data sheet 2021"),
    listed("NVIDIA RTX A4000", 140, 735, 210, 2100, 15, "RTX A4000 data sheet 2021"),
    listed("NVIDIA RTX A6000", 300, 1410, 210, 2100, 15, "RTX A6000 data sheet 2020"),
    listed("NVIDIA TITAN RTX", 280, 1350, 300, 2100, 15, "TITAN RTX user guide 2018"),
    listed("Tesla V100-PCIE-16GB", 250, 1245, 0, 1380, 0, "V100 data sheet 2018"),
    listed("Tesla V100-SXM2-16GB", 300, 1290, 0, 1530, 0, "V100 data sheet 2018"),
    listed("NVIDIA H100 PCIe", 350, 1125, 210, 1755, 15, "H100 PCIe product brief PB-11133-001"),
    listed("NVIDIA H100 80GB HBM3", 700, 0, 345, 1980, 15, "H100 data sheet 2023"),
    listed("NVIDIA H200", 700, 0, 345, 1980, 15, "H200 data sheet 2024"),
};

/// Lower-case letters and digits alone, without the maker.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const std::string_view maker : {"nvidia", "tesla"}) {
    if (text.starts_with(maker)) text.erase(0, maker.size());
  }
  return text;
}

}  // namespace

std::vector<Hertz> DeviceFacts::supported_clocks() const {
  std::vector<Hertz> clocks;
  if (!lowest_clock || !highest_clock || !clock_step) return clocks;
  for (int i = 0; *lowest_clock + *clock_step * i <= *highest_clock; ++i)
    clocks.push_back(*lowest_clock + *clock_step * i);
  return clocks;
}

const DeviceFacts* device_facts(std::string_view device_name) {
  const std::string wanted = plain(device_name);
  for (const DeviceFacts& facts : table) {
    if (plain(facts.name) == wanted) return &facts;
  }
  return nullptr;
}

}  // namespace wattune

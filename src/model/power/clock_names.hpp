// Names under which public recordings keep device settings, in MHz and W; the first that is found counts.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "wattune/recorded_space.hpp"

namespace wattune::model {

inline constexpr std::array<std::string_view, 7> requested_clock_names = {
    "core_clock_mhz", "nvml_gr_clock", "sm_app_clock", "core_frequency", "clock_target_mhz", "coreF", "clock_mhz"};
inline constexpr std::array<std::string_view, 6> measured_clock_names = {
    "core_clock_mhz", "core_freq", "sm_clock", "avg_clock_mhz", "pwr_core_freq", "measured_clock_mhz"};
inline constexpr std::array<std::string_view, 4> memory_clock_names = {"memory_clock_mhz", "nvml_mem_clock", "mem_freq",
                                                                       "memF"};
inline constexpr std::array<std::string_view, 4> power_limit_names = {"power_limit_w", "nvml_pwr_limit", "power_limit",
                                                                      "power_cap_w"};

/// The parameter with one of these names.
inline std::optional<std::size_t> parameter_named(const RecordedSpace& recording,
                                                  std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto index = recording.parameter_index(name)) return index;
  }
  return std::nullopt;
}

/// The recorded quantity with one of these names; null when there is none.
inline const RecordedNumbers* numbers_named(const RecordedSpace& recording, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const RecordedNumbers* found = recording.find_numbers(name)) return found;
  }
  return nullptr;
}

}  // namespace wattune::model

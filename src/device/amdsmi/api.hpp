// The amdsmi functions this program calls, found in libamd_smi.so at run time; tests put a library of their own there.
// Own declarations. Layouts differ between ROCm releases, so only what has stayed in place is read: whole structures go
// into buffers larger than any of them. Readers only: setters have their own table, setters.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/library.hpp"
#include "wattune/error.hpp"

namespace wattune::device::amdsmi {

using Result = std::uint32_t;  ///< amdsmi_status_t
using Handle = void*;          ///< amdsmi_socket_handle, amdsmi_processor_handle

constexpr Result success = 0;
constexpr Result error_not_supported = 2;
constexpr Result error_no_permission = 10;
constexpr Result error_not_found = 31;
constexpr Result error_driver_not_loaded = 34;
constexpr Result error_function_not_found = 0xfffffff0U;  ///< own: the library lacks it

constexpr std::uint64_t init_gpus = 2;
constexpr int clock_core = 0;    ///< AMDSMI_CLK_TYPE_GFX
constexpr int clock_memory = 4;  ///< AMDSMI_CLK_TYPE_MEM
constexpr int limit_low = 0;     ///< AMDSMI_CLK_LIMIT_MIN
constexpr int limit_high = 1;    ///< AMDSMI_CLK_LIMIT_MAX

/// amdsmi_clk_info_t, MHz
struct ClockInfo {
  std::uint32_t now = 0;
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint8_t locked = 0;
  std::uint8_t deep_sleep = 0;
  std::array<std::uint32_t, 4> reserved{};
};
static_assert(sizeof(ClockInfo) == 32);

/// amdsmi_power_cap_info_t, microwatts
struct PowerCap {
  std::uint64_t now = 0;
  std::uint64_t by_default = 0;
  std::uint64_t level = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::array<std::uint64_t, 3> reserved{};
};
static_assert(sizeof(PowerCap) == 64);

/// The beginning of amdsmi_gpu_metrics_t, which grew at its end only. All bits set: this GPU does not tell.
struct Metrics {
  std::array<std::uint16_t, 2> header{};
  std::uint16_t temperature_edge = 0;  ///< °C
  std::uint16_t temperature_hotspot = 0;
  std::uint16_t temperature_memory = 0;
  std::array<std::uint16_t, 3> temperature_regulators{};
  std::array<std::uint16_t, 3> activity{};
  std::uint16_t average_power = 0;  ///< W; MI200 and older
  std::uint64_t energy = 0;
  std::uint64_t time = 0;
  std::array<std::uint16_t, 14> clocks{};
  std::uint32_t throttle_of_chip = 0;  ///< bits that differ from chip to chip
  std::array<std::uint16_t, 4> fan_and_link{};
  std::array<std::uint32_t, 2> activity_sums{};
  std::array<std::uint16_t, 4> temperature_stacks{};
  std::uint64_t firmware_time = 0;
  std::uint16_t voltage_soc = 0;  ///< mV
  std::uint16_t voltage_core = 0;
  std::uint16_t voltage_memory = 0;
  std::uint16_t padding = 0;
  std::uint64_t throttle = 0;       ///< bits that mean the same on every chip
  std::uint16_t current_power = 0;  ///< W; MI300 and newer
};
static_assert(offsetof(Metrics, energy) == 24 && offsetof(Metrics, throttle_of_chip) == 68);
static_assert(offsetof(Metrics, throttle) == 112 && offsetof(Metrics, current_power) == 120);

/// Room for any structure of any release; its beginning is read.
struct Room {
  alignas(std::uint64_t) std::array<char, 32768> bytes{};
};

/// One pointer a function. Those after `get_processors` may be null: an older library lacks them.
struct Api {
  Result (*init)(std::uint64_t flags) = nullptr;
  Result (*get_sockets)(std::uint32_t* count, Handle* sockets) = nullptr;
  Result (*get_processors)(Handle socket, std::uint32_t* count, Handle* processors) = nullptr;

  Result (*status_text)(Result status, const char** text) = nullptr;
  Result (*get_uuid)(Handle gpu, unsigned* length, char* text) = nullptr;
  Result (*get_bus)(Handle gpu, std::uint64_t* bus) = nullptr;
  Result (*get_asic_info)(Handle gpu, void* info) = nullptr;    ///< begins with the market name
  Result (*get_driver_info)(Handle gpu, void* info) = nullptr;  ///< begins with the version
  Result (*get_energy)(Handle gpu, std::uint64_t* count, float* microjoules, std::uint64_t* nanoseconds) = nullptr;
  Result (*get_metrics)(Handle gpu, void* metrics) = nullptr;
  Result (*get_clock)(Handle gpu, int type, ClockInfo* clock) = nullptr;
  Result (*get_power_cap)(Handle gpu, std::uint32_t sensor, PowerCap* cap) = nullptr;
};

/// The table, or why there is none.
struct LoadedApi {
  std::optional<Api> api;
  Problem problem;
};

/// AMD's library, whether it is there or not.
base::Library open_library();
/// Loads the library and initialises it, once; it stays initialised.
const LoadedApi& load_api();
/// "AMDSMI_STATUS_NOT_SUPPORTED … (amdsmi status 2)".
std::string error_text(const Api& api, Result code);

/// The device answered before and will not again.
constexpr bool is_lost(Result code) {
  return code == error_not_found;
}

}  // namespace wattune::device::amdsmi

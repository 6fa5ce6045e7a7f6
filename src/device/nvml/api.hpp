// The NVML functions this program calls, found in libnvidia-ml.so.1 at run time; tests fill the table with fakes.
// Own declarations (layouts checked against NVML 13's header). Readers only: setters have their own table, setters.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/library.hpp"
#include "wattune/error.hpp"

namespace wattune::device::nvml {

using Result = int;  ///< nvmlReturn_t
struct DeviceObject;
using Handle = DeviceObject*;

constexpr Result success = 0;
constexpr Result error_not_supported = 3;
constexpr Result error_no_permission = 4;
constexpr Result error_not_found = 6;
constexpr Result error_driver_not_loaded = 9;
constexpr Result error_function_not_found = 13;
constexpr Result error_gpu_is_lost = 15;
constexpr Result error_reset_required = 16;

constexpr int clock_graphics = 0;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int temperature_gpu = 0;
constexpr int total_power_samples = 0;
constexpr unsigned field_memory_temperature = 82;  ///< °C
constexpr unsigned field_power_average = 185;      ///< mW, mean over 1 s
constexpr unsigned field_power_instant = 186;      ///< mW
constexpr unsigned scope_gpu = 0;
constexpr unsigned scope_module = 1;  ///< GPU, CPU and memory of a superchip

/// nvmlDeviceArchitecture_t, as far as it decides something here.
constexpr unsigned architecture_volta = 5;
constexpr unsigned architecture_turing = 6;
constexpr unsigned architecture_ampere = 7;
constexpr unsigned architecture_hopper = 9;

/// nvmlValue_t. Drivers fill only the member that the type names: read 32-bit values as 32 bits.
union Value {
  double real;
  unsigned int word;
  unsigned long long wide;
};

/// nvmlFieldValue_t
struct FieldValue {
  unsigned int field = 0;
  unsigned int scope = 0;
  long long timestamp_us = 0;
  long long latency_us = 0;
  int type = 0;
  Result result = 0;
  Value value{};
};
static_assert(sizeof(FieldValue) == 40);

/// nvmlSample_t; the time is the system clock in microseconds.
struct Sample {
  unsigned long long timestamp_us = 0;
  Value value{};
};
static_assert(sizeof(Sample) == 16);

/// nvmlTemperature_v1_t
struct Temperature {
  unsigned int version = 0x100000cU;  ///< size 12, version 1
  int sensor = temperature_gpu;
  int celsius = 0;
};
static_assert(sizeof(Temperature) == 12);

/// nvmlPciInfo_t, version 3
struct PciInfo {
  char legacy_id[16] = {};
  unsigned int domain = 0;
  unsigned int bus = 0;
  unsigned int device = 0;
  unsigned int device_id = 0;
  unsigned int subsystem_id = 0;
  char id[32] = {};
};
static_assert(sizeof(PciInfo) == 68);

/// One pointer a function. Those after `device_get_uuid` may be null: an older library lacks them.
struct Api {
  Result (*init)() = nullptr;
  Result (*shutdown)() = nullptr;
  const char* (*error_string)(Result code) = nullptr;
  Result (*system_get_driver_version)(char* text, unsigned length) = nullptr;
  Result (*device_get_count)(unsigned* count) = nullptr;
  Result (*device_get_handle_by_index)(unsigned index, Handle* device) = nullptr;
  Result (*device_get_name)(Handle device, char* text, unsigned length) = nullptr;
  Result (*device_get_uuid)(Handle device, char* text, unsigned length) = nullptr;

  Result (*device_get_pci_info)(Handle device, PciInfo* pci) = nullptr;
  Result (*device_get_clock_info)(Handle device, int type, unsigned* mhz) = nullptr;
  Result (*device_get_power_usage)(Handle device, unsigned* milliwatts) = nullptr;
  Result (*device_get_total_energy)(Handle device, unsigned long long* millijoules) = nullptr;
  Result (*device_get_field_values)(Handle device, int count, FieldValue* values) = nullptr;
  Result (*device_get_samples)(Handle device, int type, unsigned long long last_seen_us, int* value_type,
                               unsigned* count, Sample* samples) = nullptr;
  Result (*device_get_temperature)(Handle device, int sensor, unsigned* celsius) = nullptr;
  Result (*device_get_supported_memory_clocks)(Handle device, unsigned* count, unsigned* mhz) = nullptr;
  Result (*device_get_supported_graphics_clocks)(Handle device, unsigned memory_mhz, unsigned* count,
                                                 unsigned* mhz) = nullptr;
  Result (*device_get_power_limit_constraints)(Handle device, unsigned* low_mw, unsigned* high_mw) = nullptr;
  Result (*device_get_power_limit)(Handle device, unsigned* milliwatts) = nullptr;
  Result (*device_get_enforced_power_limit)(Handle device, unsigned* milliwatts) = nullptr;
  Result (*device_get_applications_clock)(Handle device, int type, unsigned* mhz) = nullptr;
  Result (*device_get_event_reasons)(Handle device, unsigned long long* bits) = nullptr;
  Result (*device_get_temperature_v)(Handle device, Temperature* temperature) = nullptr;
  Result (*device_get_architecture)(Handle device, unsigned* architecture) = nullptr;
};

/// The table, or why there is none.
struct LoadedApi {
  std::optional<Api> api;
  Problem problem;
};

/// The driver's library, whether it is there or not.
base::Library open_library();

/// Loads the library and initialises it, once; it stays initialised.
const LoadedApi& load_api();

/// Calls nvmlInit on a filled table; a Problem when it fails.
std::optional<Problem> initialise(const Api& api);

/// "Not Supported (NVML error 3)".
std::string error_text(const Api& api, Result code);

/// The device answered before and will not again: unplugged, fallen off the bus, or in need of a reset.
constexpr bool is_lost(Result code) {
  return code == error_gpu_is_lost || code == error_reset_required;
}

}  // namespace wattune::device::nvml

// Core voltage: NVML has no call for it, but `nvidia-smi -q -d VOLTAGE` shows it on some GPUs (not on an H200). A
// reading starts that program, so it takes tens of milliseconds: for looking, not for sampling.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "device/nvml/gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::nvml {

/// Output of `nvidia-smi -q -d VOLTAGE -i UUID`, or nothing when it cannot be run.
using QuerySmi = std::function<std::optional<std::string>(const std::string& uuid)>;

/// Starts the driver's program, found through PATH; waits 5 s at most.
std::optional<std::string> query_smi(const std::string& uuid);

/// Volts of the graphics core in that output; nothing where it says N/A or nothing.
std::optional<double> voltage_in(const std::string& output);

/// The sensor "voltage". `query` empty: not available.
std::unique_ptr<Sensor> make_voltage_sensor(const Gpu& gpu, QuerySmi query);

}  // namespace wattune::device::nvml

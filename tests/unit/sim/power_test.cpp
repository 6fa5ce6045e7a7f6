// Power on the virtual GPU: closed forms, limits, and measured curves of real devices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels.hpp"
#include "sim/power.hpp"

namespace wattune {
namespace {

using testing::arithmetic_kernel;
using testing::at_core;

/// A Kernel Tuner cache as a run leaves it: its last brackets may be missing.
nlohmann::json unclosed_json(const std::string& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (!parsed.is_discarded()) return parsed;
  return nlohmann::json::parse(text.substr(0, text.find_last_of('}') + 1) + "}}");
}

/// The issue asks for 3 %.
void reproduces(const char* id, const std::string& file) {
  const std::string path = WATTUNE_SOURCE_DIR "/../shared/data/power_frequency/" + file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no data";
  const VirtualGpuPreset& gpu = *find_virtual_gpu(id);
  const nlohmann::json cache = unclosed_json(path);
  ASSERT_EQ(cache["cache"].size(), 10U);
  for (const auto& [key, point] : cache["cache"].items()) {
    const double asked = point["nvml_gr_clock"], watts = point["nvml_power"], clock = point["core_freq"];
    const ExactResult exact = evaluate_exact(gpu, testing::synthetic_fp32(gpu), at_core(megahertz(asked)));
    EXPECT_NEAR(exact.power.value() / watts, 1.0, 0.03) << asked;
    EXPECT_NEAR(in_megahertz(exact.core_clock) / clock, 1.0, 0.03) << asked;
    // Nobody fitted time: it follows from the kernel's source and the rate. 8 %: its loop is known only roughly.
    EXPECT_NEAR(exact.time.value() * 1e3 / point["time"].get<double>(), 1.0, 0.08) << asked;
  }
}

TEST(VirtualGpuPower, ReproducesTheMeasuredCurveOfAnA100) {
  reproduces("a100", "synthetic_fp32_NVIDIA_A100-PCIE-40GB.json");
}
TEST(VirtualGpuPower, ReproducesTheMeasuredCurveOfAnRtxA4000) {
  reproduces("rtx_a4000", "synthetic_fp32_NVIDIA_RTX_A4000.json");
}

/// Time of vectorAdd on a V100 over that at its highest clock (NV-DVFS-Benchmark): memory-bound, yet slower below
/// 930 MHz. 10 %: one constant stands for a way with states of its own; below 700 MHz the card halves another clock.
TEST(VirtualGpuPower, AStreamSlowsDownWithTheWayToMemory) {
  const std::string path = WATTUNE_SOURCE_DIR "/../shared/data/v100_core/v100-dvfs-real.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no data";
  const VirtualGpuPreset& gpu = *find_virtual_gpu("v100");
  std::ifstream file(path);
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == ',') {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    return cells;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line);
  const auto column = [&](const char* name) { return std::ranges::find(names, name) - names.begin(); };
  std::map<double, double> times;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    if (cells[column("benchmark")] == "vectorAdd")
      times[std::stod(cells[column("core_frequency")])] = std::stod(cells[column("time")]);
  }
  ASSERT_EQ(times.size(), 10U);
  KernelProfile copy = testing::copy_kernel(gpu);
  copy.l1_read_bytes = copy.l2_read_bytes = copy.dram_read_bytes = 2e9;
  const Seconds fastest = evaluate_exact(gpu, copy).time;
  for (const auto& [clock, time] : times) {
    if (clock < 700.0) continue;
    EXPECT_NEAR(evaluate_exact(gpu, copy, at_core(megahertz(clock))).time / fastest / (time / times.rbegin()->second),
                1.0, 0.1)
        << clock;
  }
}

/// Energy-optimal clocks of a compute-bound kernel: Schoonhoven et al., PMBS 2022, within 4 %.
TEST(VirtualGpuPower, ALeastEnergyClockIsWhereItWasFound) {
  const auto optimum = [](const char* id) {
    const VirtualGpuPreset& gpu = *find_virtual_gpu(id);
    double best = 0.0, least = 1e300;
    for (const Hertz clock : gpu.core_clock.supported) {
      const double joules = evaluate_exact(gpu, testing::synthetic_fp32(gpu), at_core(clock)).energy.value();
      if (joules < least) least = joules, best = in_megahertz(clock);
    }
    return best;
  };
  EXPECT_NEAR(optimum("a100"), 1005, 0.04 * 1005);
  EXPECT_NEAR(optimum("rtx_a4000"), 1335, 0.04 * 1335);
}

TEST(VirtualGpuPower, StaysAtTheLimit) {
  for (const VirtualGpuPreset& gpu : virtual_gpu_presets()) {
    KernelProfile kernel = arithmetic_kernel(gpu);
    kernel.data_activity = 2.0;  // hotter than any real kernel
    for (const Watts limit : {gpu.power_limit.low, gpu.power_limit.high}) {
      HardwareConfiguration hardware;
      hardware.power_limit = limit;
      const ExactResult exact = evaluate_exact(gpu, kernel, hardware);
      EXPECT_TRUE(exact.throttled) << gpu.id;
      EXPECT_LE(exact.power.value(), limit.value() * 1.0002) << gpu.id;
      EXPECT_GT(exact.power.value(), limit.value() * 0.999) << gpu.id;
      EXPECT_LT(exact.core_clock, gpu.core_clock.supported.back()) << gpu.id;
      // At that clock without a limit in the way, it is the same point.
      hardware.core_clock = exact.core_clock;
      const ExactResult again = evaluate_exact(gpu, kernel, hardware);
      EXPECT_NEAR(again.time / exact.time, 1.0, 1e-4);
    }
  }
}

TEST(VirtualGpuPower, GrowsWithTheClockAndTheSquareOfTheVoltage) {
  for (const VirtualGpuPreset& gpu : virtual_gpu_presets()) {
    // Idle has no traffic whose cost follows time, so that the core's share is board + leakage v² + k f v².
    const auto core = [&](double hertz) {
      const double v = gpu.voltage.relative(hertz);
      const sim::PowerParts parts = sim::idle_power(gpu, {hertz, gpu.memory_clock.supported.back().value()});
      return std::pair((parts.fixed - gpu.energy.board.value()) / (hertz * v * v), parts.leakage / (v * v));
    };
    const double low = gpu.core_clock.supported.front().value(), high = gpu.core_clock.supported.back().value();
    EXPECT_GT(gpu.voltage.relative(high), 1.1);
    EXPECT_NEAR(core(high).first / core(low).first, 1.0, 1e-12) << gpu.id;
    EXPECT_NEAR(core(high).second / core(low).second, 1.0, 1e-12) << gpu.id;
    EXPECT_EQ(gpu.voltage.relative(gpu.voltage.ridge.value() - 1e6), 1.0);
  }
}

/// Power, the temperature that it causes, and the leakage that this causes agree in equilibrium.
TEST(VirtualGpuPower, SettlesWhereHeatAndLeakageAgree) {
  for (const VirtualGpuPreset& gpu : virtual_gpu_presets()) {
    const sim::PowerParts parts{100.0, 20.0, 20.0 * gpu.energy.leakage_per_kelvin};
    const double watts = sim::steady_power(gpu, parts);
    EXPECT_NEAR(parts.at(sim::steady_celsius(gpu.thermal, watts), gpu.energy), watts, 1e-9) << gpu.id;
    const ExactResult exact = evaluate_exact(gpu, arithmetic_kernel(gpu));
    EXPECT_LE(exact.celsius, gpu.thermal.slowdown_celsius + 0.1);
    EXPECT_NEAR(exact.celsius, gpu.thermal.ambient_celsius + gpu.thermal.kelvin_per_watt * exact.power.value(), 1e-9);
    EXPECT_NEAR(exact.energy.value(), exact.power.value() * exact.time.value(), 1e-12);
  }
}

TEST(VirtualGpuPower, UnitsOutsideAPartitionDrawLess) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  const KernelProfile kernel = arithmetic_kernel(gpu);
  HardwareConfiguration hardware = at_core(megahertz(1005));
  const ExactResult all = evaluate_exact(gpu, kernel, hardware);
  hardware.compute_units = gpu.compute_units / 2;
  const ExactResult half = evaluate_exact(gpu, kernel, hardware);
  EXPECT_LT(half.power, all.power);
  EXPECT_GT(half.power.value(), all.power.value() / 2);  // board, leakage and caches stay
}

}  // namespace
}  // namespace wattune

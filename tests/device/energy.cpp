// Energy on a real GPU: three methods against each other, repeats, a kernel of some microseconds. Reads sensors only;
// no setting is touched. Prints one JSON line a measurement, which docs/results keeps.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "measure/settling.hpp"
#include "wattune/energy.hpp"
#include "wattune/error.hpp"
#include "wattune/measure.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

constexpr const char* source = R"(
extern "C" __global__ void fma_chain(float* out, int rounds) {
  float a = threadIdx.x * 0.001f, b = 1.0f, c = 2.0f, d = 3.0f;
  for (int i = 0; i < rounds; ++i) {
    a = a * 0.999f + 0.5f; b = b * 0.998f + 0.4f; c = c * 0.997f + 0.3f; d = d * 0.996f + 0.2f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
)";

class DeviceEnergy : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      engine_ = open_engine("cuda");
    } catch (const Error& error) {
      GTEST_SKIP() << "skipped: " << error.what();
    }
    device_ = open_device(engine_->describe().uuid);
    if (!device_) GTEST_SKIP() << "skipped: NVML does not know the device";
    CompileRequest request;
    request.kernel = "fma_chain";
    request.source = source;
    request.source_name = "fma_chain";
    request.language = Language::cuda;
    CompileResult compiled = engine_->compile(request);
    ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
    kernel_ = std::move(compiled.kernel);
    geometry_.grid = {8ULL * engine_->describe().compute_units, 1, 1};
    geometry_.block = {256, 1, 1};
  }

  /// Arguments for a kernel of so many rounds, and how long a launch takes.
  void prepare(std::int32_t rounds) {
    ArgumentData out;
    out.name = "out";
    out.bytes.resize(geometry_.grid[0] * geometry_.block[0] * sizeof(float));
    ArgumentData count;
    count.name = "rounds";
    count.kind = ArgumentKind::scalar;
    count.type = ElementType::i32;
    count.bytes.resize(sizeof rounds);
    std::memcpy(count.bytes.data(), &rounds, sizeof rounds);
    arguments_ = engine_->upload(std::array{out, count});
    const TimedKernel timed = measure_time(*engine_, *kernel_, *arguments_, geometry_, {});
    ASSERT_TRUE(timed.time) << timed.message;
    time_ = Seconds(timed.time->time.value);
  }

  EnergyMeasurement measure(const char* name, const EnergyOptions& options) {
    EnergyMeter meter(*device_, real_clock(), options, 1);
    const Seconds begin = real_clock().monotonic();
    const MeteredKernel result = meter.measure(*engine_, *kernel_, *arguments_, geometry_, time_);
    const double wall = (real_clock().monotonic() - begin).value();
    EXPECT_EQ(result.status, Status::correct) << result.message;
    if (!result.energy) return {};
    const EnergyMeasurement& e = *result.energy;
    std::printf(
        "{\"what\": \"%s\", \"method\": \"%s\", \"sensor\": \"%s\", \"energy_j\": %.9g, \"interval_percent\": %.3f, "
        "\"power_w\": %.3f, \"launch_time_s\": %.9g, \"event_time_s\": %.9g, \"launches\": %llu, \"readings\": %zu, "
        "\"window_s\": %.4f, \"wall_s\": %.4f, \"difference_percent\": %.3f, \"core_clock_mhz\": %.1f, "
        "\"temperature_c\": [%.0f, %.0f], \"power_capped\": %s, \"warning\": \"%s\"}\n",
        name, std::string(to_string(e.method)).c_str(), e.sensor.c_str(), e.energy.value, e.energy.percent(),
        e.power.value, e.launch_time.value(), time_.value(), static_cast<unsigned long long>(e.launches), e.readings,
        e.window.value(), wall, e.cross_difference_percent, e.core_clock ? in_megahertz(*e.core_clock) : 0.0,
        e.temperature_before.value_or(0.0), e.temperature_after.value_or(0.0), e.power_capped ? "true" : "false",
        e.warning.c_str());
    return e;
  }

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<CompiledKernel> kernel_;
  std::unique_ptr<DeviceArguments> arguments_;
  Geometry geometry_;
  Seconds time_;
};

TEST_F(DeviceEnergy, SensorsSettleUnderALoad) {
  for (const char* name : {"power_average", "power_instant"}) {
    Sensor* sensor = device_->sensor(name);
    if (sensor == nullptr) continue;
    const measure::Settling settling = measure::measure_settling(*engine_, *sensor, real_clock());
    ASSERT_TRUE(settling.time) << name << ": " << settling.why;
    std::printf(
        "{\"what\": \"settling\", \"sensor\": \"%s\", \"settling_s\": %.3f, \"idle_w\": %.1f, \"load_w\": %.1f}\n",
        name, settling.time->value(), settling.idle.value(), settling.load.value());
    EXPECT_LT(settling.time->value(), 2.0) << name;
  }
}

TEST_F(DeviceEnergy, ThreeMethodsAgreeAtTwoSeconds) {
  prepare(20000);
  EnergyOptions options;
  options.min_window = Seconds(2.0);
  measure("warm-up", options);
  std::vector<double> energies;
  for (const EnergyMethod method : {EnergyMethod::median_power, EnergyMethod::trapezoid, EnergyMethod::counter}) {
    options.method = method;
    energies.push_back(measure("three methods", options).energy.value);
  }
  for (const double energy : energies) EXPECT_NEAR(energy / energies.front(), 1.0, 0.03);
}

TEST_F(DeviceEnergy, TenRepeatsScatterLittle) {
  prepare(20000);
  std::vector<double> energies;
  for (int i = 0; i < 11; ++i) {
    const double energy = measure(i == 0 ? "warm-up" : "ten repeats", {}).energy.value;
    if (i > 0) energies.push_back(energy);
  }
  EXPECT_LT(standard_deviation(energies) / mean(energies), 0.015);
}

TEST_F(DeviceEnergy, AKernelOfTwentyMicroseconds) {
  prepare(20000);
  const double rounds = 20000.0 * 20e-6 / time_.value();
  prepare(static_cast<std::int32_t>(rounds));
  const EnergyMeasurement energy = measure("20 microseconds", {});
  EXPECT_NEAR(time_.value(), 20e-6, 6e-6);
  EXPECT_LT(energy.energy.percent(), 2.0);
  EXPECT_GT(energy.launches, 5000U);
}

}  // namespace
}  // namespace wattune

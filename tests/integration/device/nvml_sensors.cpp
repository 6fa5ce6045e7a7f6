// Sensors and controls through the real loader, against a library with NVML's entry points over a simulated GPU.
#include <gtest/gtest.h>

#include "device/sampler.hpp"
#include "fake_library.hpp"
#include "wattune/device.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

class NvmlGpu : public fake::GpuTest {
 protected:
  std::unique_ptr<Device> opened() {
    std::unique_ptr<Device> device = open_device(id);
    EXPECT_NE(device, nullptr);
    return device;
  }
};

std::string why(const Device& device, const std::string& name) {
  for (const SensorInfo& info : device.info().sensors) {
    if (info.name == name) return info.available ? "available" : info.why;
  }
  return "not listed";
}

double read_value(const Device& device, const char* name) {
  Sensor* sensor = device.sensor(name);
  if (sensor == nullptr) return -1.0;
  const ReadResult result = sensor->read();
  EXPECT_TRUE(result.reading.has_value()) << name << ": " << result.why;
  return result.reading ? result.reading->value : -1.0;
}

TEST_F(NvmlGpu, IsOpenedByUuidAndByBusNeverByIndex) {
  EXPECT_NE(open_device("GPU-00000000-fake-0000-0000-000000000001"), nullptr);
  EXPECT_NE(open_device("0000:3b:00.0"), nullptr);
  EXPECT_EQ(open_device("0"), nullptr);
  EXPECT_EQ(open_device("GPU-another"), nullptr);
  const std::string second = gpu_file_ + "2";
  fake::Gpu::create(second);
  fake::Gpu(second).set("uuid", "GPU-second");
  setenv("WATTUNE_FAKE_GPUS", (second + ":" + gpu_file_).c_str(), 1);  // the order of a machine may change
  EXPECT_EQ(opened()->info().id, id);
  EXPECT_EQ(open_device("GPU-second")->info().id, "nvml:GPU-second");
}

TEST_F(NvmlGpu, ReadsEverySensorInSi) {
  put("now_us", 1700000000000000);
  put("busy", 1);
  put("now_us", 1700000005000000);
  const auto device = opened();
  EXPECT_DOUBLE_EQ(read_value(*device, "power_instant"), 500.0);
  EXPECT_DOUBLE_EQ(read_value(*device, "power_average"), 500.0);
  EXPECT_DOUBLE_EQ(read_value(*device, "core_clock"), 1980e6);
  EXPECT_DOUBLE_EQ(read_value(*device, "memory_clock"), 3201e6);
  EXPECT_DOUBLE_EQ(read_value(*device, "temperature"), 62.0);
  EXPECT_DOUBLE_EQ(read_value(*device, "memory_temperature"), 41.0);
  EXPECT_DOUBLE_EQ(read_value(*device, "clock_event_reasons"), 0.0);
  EXPECT_EQ(device->sensor("voltage"), nullptr);
  EXPECT_EQ(device->sensor("power_average")->traits().averaging_window.value(), 1.0);
  EXPECT_EQ(device->sensor("power_instant")->traits().duty, 0.25);  // Hopper looks a quarter of the time
  EXPECT_EQ(device->info().core_clock, megahertz(1980));
}

TEST_F(NvmlGpu, BuffersPowerWithTheDriversTimeStamps) {
  const long long begin = 1700000000000000;
  put("now_us", begin);
  put("busy", 1);
  put("now_us", begin + 1000000);
  const auto device = opened();
  Sensor* samples = device->sensor("power_samples");
  ASSERT_NE(samples, nullptr);
  EXPECT_TRUE(samples->traits().buffered);
  EXPECT_NEAR(samples->info().update_period.value(), 0.02, 1e-6);
  const Seconds end(1700000001.0);
  const std::vector<Reading> second = samples->samples(end - Seconds(1.0), end);
  ASSERT_EQ(second.size(), 51U);
  EXPECT_EQ(second.back().value, 500.0);
  EXPECT_NEAR((second[1].at - second[0].at).value(), 0.02, 1e-6);
  EXPECT_TRUE(samples->samples(end - Seconds(10.0), end).empty());  // the buffer no longer reaches back
}

TEST_F(NvmlGpu, CountsEnergyAsPowerTimesTime) {
  const long long begin = 1700000000000000;
  put("now_us", begin);
  put("busy", 1);
  const auto device = opened();
  Sensor* counter = device->sensor("energy_counter");
  ASSERT_NE(counter, nullptr);
  EXPECT_TRUE(counter->traits().counter);
  const double first = read_value(*device, "energy_counter");
  put("now_us", begin + 2000000);
  EXPECT_NEAR(read_value(*device, "energy_counter") - first, 1000.0, 1e-3);
  put("power_limit_mw", 400000);  // 500 W become 400 W
  put("now_us", begin + 3050000);
  EXPECT_NEAR(read_value(*device, "energy_counter") - first, 1400.0, 1e-3);  // it steps every 100 ms
}

TEST_F(NvmlGpu, SaysWhyASensorIsUnsupported) {
  put("unsupported", "power_samples,power_instant,energy_counter,temperature");
  const auto device = opened();
  EXPECT_EQ(device->sensor("power_samples"), nullptr);
  for (const char* name : {"power_samples", "power_instant", "energy_counter", "temperature"})
    EXPECT_EQ(why(*device, name), "Not Supported (NVML error 3)") << name;
  EXPECT_EQ(why(*device, "power_average"), "available");
  EXPECT_FALSE(why(*device, "voltage").empty());
}

TEST_F(NvmlGpu, LostInMidRunIsToldAsLost) {
  const auto device = opened();
  put("lost_after", 5);
  device::Sampler sampler(*device->sensor("power_instant"), real_clock(), milliseconds(1));
  int looks = 0;
  while (sampler.poll() && looks < 100) ++looks;
  EXPECT_EQ(looks, 5);
  EXPECT_TRUE(sampler.window().lost);
  EXPECT_NE(sampler.window().why.find("GPU is lost"), std::string::npos);
  EXPECT_TRUE(device->sensor("power_samples")->samples(Seconds(0.0), Seconds(1e12)).empty());
  EXPECT_TRUE(device->sensor("energy_counter")->read().lost);
}

TEST_F(NvmlGpu, UnpluggedIsAnErrorWhereSomethingIsToBeSet) {
  const auto device = opened();
  put("lost", 1);
  const ControlResult result = device->control("power_limit_w")->set(300.0);
  EXPECT_EQ(result.code, ControlCode::lost);
  try {
    control_status(result);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::device);
  }
  EXPECT_EQ(open_device(id), nullptr);  // and another run does not find it
}

TEST_F(NvmlGpu, ACounterThatFallsIsNoReading) {
  const auto device = opened();
  Sensor* counter = device->sensor("energy_counter");
  const double before = counter->read().reading->value;
  put("energy_back_mj", 500000);
  const ReadResult fallen = counter->read();
  EXPECT_FALSE(fallen.reading.has_value());
  EXPECT_FALSE(fallen.lost);
  EXPECT_NE(fallen.why.find("went backwards"), std::string::npos) << fallen.why;
  const ReadResult after = counter->read();
  ASSERT_TRUE(after.reading.has_value()) << after.why;
  EXPECT_LT(after.reading->value, before);
}

TEST_F(NvmlGpu, TakesSettingsAndGivesThemBack) {
  const auto device = opened();
  Control* core = device->control("core_clock_mhz");
  ASSERT_NE(core, nullptr);
  EXPECT_EQ(core->range().values.size(), 110U);
  EXPECT_EQ(core->range().high, 1980.0);
  EXPECT_FALSE(core->state().has_value());  // NVML does not tell locks
  EXPECT_EQ(core->released(), "unlocked");
  EXPECT_TRUE(core->set(1410.0).ok());
  EXPECT_EQ(get("core_lock"), "1410");
  EXPECT_EQ(core->state(), "1410");
  EXPECT_EQ(core->measured(), 1410.0);
  EXPECT_TRUE(core->restore("unlocked").ok());
  EXPECT_EQ(get("core_lock"), "0");
  EXPECT_TRUE(core->restore("1200").ok());
  EXPECT_EQ(get("core_lock"), "1200");
  EXPECT_EQ(core->restore("fast").code, ControlCode::refused);

  Control* limit = device->control("power_limit_w");
  EXPECT_EQ(limit->state(), "700.000");
  EXPECT_TRUE(limit->set(350.5).ok());
  EXPECT_EQ(get("power_limit_mw"), "350500");
  EXPECT_TRUE(limit->restore("700.000").ok());
  EXPECT_EQ(limit->measured(), 700.0);

  Control* memory = device->control("memory_clock_mhz");
  EXPECT_EQ(memory->range().values, (std::vector<double>{2201.0, 3201.0}));
  EXPECT_TRUE(memory->set(2201.0).ok());
  EXPECT_EQ(get("memory_lock"), "2201");
}

TEST_F(NvmlGpu, RefusesValuesOutsideTheRange) {
  const auto device = opened();
  const ControlResult clock = device->control("core_clock_mhz")->set(1411.0);
  EXPECT_EQ(clock.code, ControlCode::refused);
  EXPECT_NE(clock.why.find("the nearest is 1410"), std::string::npos) << clock.why;
  EXPECT_EQ(device->control("power_limit_w")->set(900.0).code, ControlCode::refused);
  EXPECT_EQ(control_status(clock), Status::clock_refused);
  EXPECT_EQ(get("sets"), "0");
}

TEST_F(NvmlGpu, PermissionDeniedSaysWhatWouldAllowIt) {
  const auto device = opened();
  put("deny", 1);
  const ControlResult result = device->control("core_clock_mhz")->set(1410.0);
  EXPECT_EQ(result.code, ControlCode::denied);
  EXPECT_NE(result.why.find("CAP_SYS_ADMIN"), std::string::npos) << result.why;
  try {
    control_status(result);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::permission);
  }
}

TEST_F(NvmlGpu, TheLockInTheEnvironmentForbidsEverything) {
  const auto device = opened();
  setenv("WATTUNE_NO_CONTROL", "1", 1);
  for (const auto& control : device->controls()) {
    EXPECT_EQ(control->set(control->range().high).code, ControlCode::forbidden);
    EXPECT_EQ(control->restore("unlocked").code, ControlCode::forbidden);
  }
  EXPECT_EQ(get("sets"), "0");
}

TEST_F(NvmlGpu, AClockThatDoesNotFollowIsRefused) {
  const auto device = opened();
  put("refuse_clock", 1);
  Control* core = device->control("core_clock_mhz");
  EXPECT_TRUE(core->set(1410.0).ok());
  ManualClock clock;
  const ControlResult result = settle(*device, *core, 1410.0, clock);
  EXPECT_EQ(control_status(result), Status::clock_refused);
  EXPECT_NE(result.why.find("345"), std::string::npos) << result.why;
  EXPECT_NEAR(clock.monotonic().value(), 2.0, 0.02);  // waited as long as it was told to
  put("refuse_clock", 0);
  EXPECT_TRUE(settle(*device, *core, 1410.0, clock).ok());
}

TEST_F(NvmlGpu, ThrottlingUnderAPowerCapIsSeenAndNamed) {
  const auto device = opened();
  put("busy", 1);
  put("throttle", 4);
  Control* core = device->control("core_clock_mhz");
  EXPECT_TRUE(core->set(1800.0).ok());
  ManualClock clock;
  const ControlResult result = settle(*device, *core, 1800.0, clock);
  EXPECT_EQ(result.code, ControlCode::refused);
  EXPECT_NE(result.why.find("power cap"), std::string::npos) << result.why;
  const double reasons = read_value(*device, "clock_event_reasons");
  EXPECT_TRUE(is_throttled(reasons));
  EXPECT_EQ(event_reasons_text(reasons), "power cap");
  EXPECT_FALSE(is_throttled(3.0));  // idle, and the setting itself
}

TEST_F(NvmlGpu, OldDevicesTakeApplicationClocksInPairs) {
  put("architecture", 4);
  put("name", "Tesla P100");
  const auto device = opened();
  Control* core = device->control("core_clock_mhz");
  Control* memory = device->control("memory_clock_mhz");
  ASSERT_NE(core, nullptr);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(core->state(), "1980");
  EXPECT_TRUE(core->set(1410.0).ok());
  EXPECT_TRUE(memory->set(2201.0).ok());
  EXPECT_EQ(get("app_core"), "1410");
  EXPECT_EQ(get("app_memory"), "2201");
  EXPECT_TRUE(memory->restore("3201").ok());
  EXPECT_TRUE(core->restore("1980").ok());
  EXPECT_EQ(get("core_lock"), "0");
  EXPECT_EQ(device->sensor("power_average")->traits().averaging_window.value(), 1.0);
}

TEST_F(NvmlGpu, PowerScopeOfASuperchipIsTheModuleWhereBothAgree) {
  put("name", "NVIDIA GH200 480GB");
  put("module_power", "1");
  EXPECT_EQ(opened()->sensor("power_instant")->traits().scope, "module");
  put("module_power", "0");
  EXPECT_EQ(opened()->sensor("power_instant")->traits().scope, "gpu");
  put("name", "NVIDIA H200");
  put("module_power", "1");
  EXPECT_EQ(opened()->sensor("power_instant")->traits().scope, "gpu");
}

}  // namespace
}  // namespace wattune

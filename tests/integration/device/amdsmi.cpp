// AMD GPUs through the real loader, against a library with amdsmi's entry points over a simulated GPU. Nothing here was
// ever tried on hardware: layouts and units are those of the public headers.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_library.hpp"
#include "wattune/device.hpp"
#include "wattune/error.hpp"
#include "wattune/guard.hpp"

namespace wattune {
namespace {

constexpr const char* amd_id = "amdsmi:GPU-00000000-fake-0000-0000-000000000001";
constexpr const char* found = "600 2100 900 1300 450000";

class AmdGpu : public fake::GpuTest {
 protected:
  AmdGpu() {
    setenv("LD_LIBRARY_PATH", WATTUNE_FAKE_VENDOR_DIR, 1);  // of the watchdog
    setenv("WATTUNE_PROGRAM", WATTUNE_WATCHDOG_PROGRAM, 1);
    put("vendor", "amd");
    put("name", "AMD Instinct MI300X");
    put("power_limit_mw", 450000);  // somebody's own limits: neither lowest, highest nor default
    put("core_low", 600);
    put("core_high", 2100);
    put("memory_low", 900);
    put("memory_high", 1300);
    static void* const library = fake::open_fake("libamd_smi.so");
    EXPECT_NE(library, nullptr);
  }
  static std::unique_ptr<Device> opened() {
    std::unique_ptr<Device> device = open_device(amd_id);
    EXPECT_NE(device, nullptr);
    return device;
  }
  [[nodiscard]] std::string settings() const {
    return get("core_low") + " " + get("core_high") + " " + get("memory_low") + " " + get("memory_high") + " " +
           get("power_limit_mw");
  }
  static double value_of(const Device& device, const char* name) {
    Sensor* const sensor = device.sensor(name);
    EXPECT_NE(sensor, nullptr) << name;
    return sensor->read().reading.value().value;
  }
  static std::string why(const Device& device, const std::string& name) {
    for (const SensorInfo& sensor : device.info().sensors) {
      if (sensor.name == name) return sensor.why;
    }
    return "no such sensor";
  }
};

TEST_F(AmdGpu, IsFoundByUuidAndBusWithItsIdentity) {
  const auto device = opened();
  EXPECT_EQ(device->info().name, "AMD Instinct MI300X");
  EXPECT_EQ(device->info().pci_bus, "0000:3b:00.0");
  EXPECT_EQ(device->info().driver, "580.00");
  EXPECT_NE(open_device("0000:3B:00.0"), nullptr);
  EXPECT_EQ(open_device("0000:3c:00.0"), nullptr);
  const DeviceSurvey survey = survey_devices();
  EXPECT_EQ(survey.devices.front().id, amd_id);
}

TEST_F(AmdGpu, ReadsInSiUnits) {
  put("busy", 1);
  const auto device = opened();
  EXPECT_NEAR(value_of(*device, "power_instant"), 450.0, 0.5) << "capped";
  EXPECT_EQ(value_of(*device, "core_clock"), 2100e6);
  EXPECT_EQ(value_of(*device, "memory_clock"), 1300e6);
  EXPECT_EQ(value_of(*device, "temperature"), 62.0);
  EXPECT_TRUE(device->sensor("energy_counter")->traits().counter);
  EXPECT_EQ(device->sensor("power_average"), nullptr);
  EXPECT_NE(why(*device, "power_average").find("NOT_SUPPORTED"), std::string::npos) << why(*device, "power_average");
}

TEST_F(AmdGpu, CountsEnergyInJoules) {
  put("now_us", 1000000000000);
  put("busy", 1);
  const auto device = opened();
  const double before = value_of(*device, "energy_counter");
  put("now_us", 1000002000000);
  // 2 s at 450 W; the resolution is 15.3 uJ, a count is that of a 32-bit float.
  EXPECT_NEAR(value_of(*device, "energy_counter") - before, 900.0, 0.01);
  put("energy_back_mj", 100000);
  const ReadResult fallen = device->sensor("energy_counter")->read();
  EXPECT_FALSE(fallen.reading);
  EXPECT_NE(fallen.why.find("went backwards"), std::string::npos) << fallen.why;
}

TEST_F(AmdGpu, AnOlderOneTellsAveragePowerVoltageAndWhyItIsSlow) {
  put("older", 1);
  put("busy", 1);
  const auto device = opened();
  EXPECT_EQ(device->sensor("power_instant"), nullptr);
  EXPECT_NEAR(value_of(*device, "power_average"), 450.0, 0.5);
  EXPECT_NEAR(value_of(*device, "voltage"), 0.806, 1e-9);
  EXPECT_EQ(event_reasons_text(value_of(*device, "clock_event_reasons")), "");
  put("throttle", 0x4);
  EXPECT_EQ(event_reasons_text(value_of(*device, "clock_event_reasons")), "power cap");
  put("throttle", 0x20);
  EXPECT_EQ(event_reasons_text(value_of(*device, "clock_event_reasons")), "thermal slowdown");
}

TEST_F(AmdGpu, ALostDeviceIsToldAndNotFoundAgain) {
  const auto device = opened();
  put("lost", 1);
  const ReadResult read = device->sensor("power_instant")->read();
  EXPECT_FALSE(read.reading);
  EXPECT_TRUE(read.lost);
  EXPECT_EQ(device->control("power_limit_w")->set(300.0).code, ControlCode::lost);
  EXPECT_EQ(open_device(amd_id), nullptr);
}

TEST_F(AmdGpu, HoldsAClockByBothLimitsAndGivesTheRangeBack) {
  const auto device = opened();
  Control* const core = device->control("core_clock_mhz");
  ASSERT_NE(core, nullptr);
  EXPECT_EQ(core->state(), "600-2100");
  for (const double clock : {1500.0, 1700.0, 700.0}) {  // up and down: the lower limit never passes the upper one
    EXPECT_TRUE(core->set(clock).ok()) << clock;
    EXPECT_EQ(core->measured(), clock);
  }
  EXPECT_TRUE(core->restore("600-2100").ok());
  EXPECT_EQ(settings(), found);
  EXPECT_EQ(core->set(2200.0).code, ControlCode::refused);
  for (const char* wrong : {"", "fast", "600", "600-", "2100-600", "600-2100x"})
    EXPECT_EQ(core->restore(wrong).code, ControlCode::refused) << wrong;
  EXPECT_EQ(settings(), found);
}

TEST_F(AmdGpu, ASettingThatIsNotInForceAfterARestoreIsFoundOut) {
  const auto device = opened();
  Control* const limit = device->control("power_limit_w");
  EXPECT_TRUE(limit->set(300.0).ok());
  put("ignore", "power");
  EXPECT_EQ(limit->restore("450.000").code, ControlCode::refused);
}

TEST_F(AmdGpu, PermissionDeniedAndTheLockOfTheEnvironment) {
  const auto device = opened();
  put("deny", 1);
  EXPECT_EQ(device->control("core_clock_mhz")->set(1500.0).code, ControlCode::denied);
  put("deny", 0);
  setenv("WATTUNE_NO_CONTROL", "1", 1);
  for (const auto& control : device->controls()) {
    EXPECT_EQ(control->set(control->range().high).code, ControlCode::forbidden);
    EXPECT_EQ(control->restore("600-2100").code, ControlCode::forbidden);
  }
  EXPECT_EQ(get("sets"), "0");
}

TEST_F(AmdGpu, AClockThatDoesNotFollowIsRefused) {
  const auto device = opened();
  put("refuse_clock", 1);
  Control* const core = device->control("core_clock_mhz");
  EXPECT_TRUE(core->set(1500.0).ok());
  ManualClock clock;
  EXPECT_EQ(control_status(settle(*device, *core, 1500.0, clock)), Status::clock_refused);
}

TEST_F(AmdGpu, AGuardRestoresWhatItFound) {
  const auto device = opened();
  {
    Guard guard(*device);
    ASSERT_TRUE(guard.set("core_clock_mhz", 1500.0).ok());
    ASSERT_TRUE(guard.set("memory_clock_mhz", 1000.0).ok());
    ASSERT_TRUE(guard.set("power_limit_w", 300.0).ok());
    EXPECT_EQ(settings(), "1500 1500 1000 1000 300000");
  }
  EXPECT_EQ(settings(), found);
  EXPECT_TRUE(settings_left_behind().empty());
}

TEST_F(AmdGpu, TheWatchdogRestoresAfterSigkill) {
  const pid_t child = fork();
  if (child == 0) {
    const auto device = opened();
    Guard guard(*device);
    if (guard.set("core_clock_mhz", 1500.0).ok() && guard.set("power_limit_w", 300.0).ok()) kill(getpid(), SIGKILL);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto device = opened();
  { const Guard next(*device); }  // waits for the watchdog, which holds the device until it is done
  EXPECT_EQ(settings(), found);
  EXPECT_TRUE(settings_left_behind().empty());
}

}  // namespace
}  // namespace wattune

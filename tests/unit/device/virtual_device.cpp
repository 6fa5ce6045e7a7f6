// Sensors and controls of a virtual GPU through the device port.
#include "device/virtual/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/instances.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

/// A device on simulated time, as it is beside an engine.
struct Opened {
  explicit Opened(const std::string& id) : gpu(sim::make_instance(id, clock)), device(open_device(id)) {}
  ManualClock clock;
  std::shared_ptr<sim::VirtualGpu> gpu;
  std::unique_ptr<Device> device;
};

TEST(VirtualDevice, SharesTheObjectOfItsEngine) {
  Opened opened("virtual:a100?seed=41");
  opened.clock.advance(Seconds(1.0));
  ASSERT_EQ(opened.device->control("core_clock_mhz")->set(1005).code, ControlCode::done);
  EXPECT_EQ(opened.gpu->locked_core_clock(), megahertz(1005));
  const ReadResult read = opened.device->sensor("power_samples")->read();
  ASSERT_TRUE(read.reading);
  EXPECT_EQ(read.reading->value, opened.gpu->newest(sim::Channel::samples)->value);
}

TEST(VirtualDevice, StandsIdleWithoutAnEngine) {
  const auto device = open_device("virtual:titan_rtx?seed=42");
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->info().kind, "virtual");
  EXPECT_NE(device->info().name.find("(simulated)"), std::string::npos);
  EXPECT_EQ(open_device("titan_rtx"), nullptr) << "only by its whole id";
  EXPECT_THROW(open_device("virtual:h900"), Error);
}

TEST(VirtualDevice, EverySensorSaysHowItSees) {
  Opened opened("virtual:rtx_a4000?noise=0");
  opened.clock.advance(Seconds(2.0));
  const auto traits = [&](const char* name) { return opened.device->sensor(name)->traits(); };
  EXPECT_EQ(traits("power_samples").update_period, milliseconds(20));
  EXPECT_TRUE(traits("power_samples").buffered);
  EXPECT_EQ(traits("power_average").averaging_window, Seconds(1.0));
  EXPECT_TRUE(traits("energy_counter").counter);
  for (const auto& sensor : opened.device->sensors()) {
    EXPECT_TRUE(sensor->info().available) << sensor->info().name;
    EXPECT_TRUE(sensor->read().reading) << sensor->info().name;
  }
  EXPECT_EQ(opened.device->sensor("core_clock")->read().reading->value, 210e6);
  EXPECT_EQ(opened.device->sensor("clock_event_reasons")->read().reading->value, 1.0);
  Opened a100("virtual:a100?noise=0");
  EXPECT_DOUBLE_EQ(a100.device->sensor("power_instant")->traits().duty, 0.25);
  EXPECT_EQ(a100.device->sensor("power_average"), nullptr) << "NVML has none on a GA100";
  EXPECT_EQ(a100.device->sensor("voltage"), nullptr);
  Opened amd("virtual:hd7970?noise=0");
  EXPECT_NEAR(amd.device->sensor("voltage")->read().reading->value, 0.95, 1e-9);
}

TEST(VirtualDevice, ControlsSetSettleAndRestore) {
  Opened opened("virtual:a100?noise=0");
  Control& clock = *opened.device->control("core_clock_mhz");
  EXPECT_EQ(clock.range().values.size(), 81U);
  EXPECT_EQ(clock.state(), "unlocked");
  EXPECT_EQ(clock.released(), "unlocked");
  ASSERT_TRUE(clock.set(1005).ok());
  EXPECT_TRUE(settle(*opened.device, clock, 1005, opened.clock).ok());
  EXPECT_EQ(clock.state(), "1005");
  EXPECT_EQ(clock.measured(), 1005.0);
  EXPECT_EQ(clock.set(1000).code, ControlCode::refused);
  ASSERT_TRUE(clock.restore("unlocked").ok());
  EXPECT_EQ(clock.state(), "unlocked");
  EXPECT_EQ(clock.restore("nonsense").code, ControlCode::refused);

  Control& limit = *opened.device->control("power_limit_w");
  EXPECT_EQ(limit.state(), "250.000");
  ASSERT_TRUE(limit.set(200).ok());
  EXPECT_EQ(limit.measured(), 200.0);
  EXPECT_EQ(limit.set(100).code, ControlCode::refused);
  ASSERT_TRUE(limit.restore("250.000").ok());
  EXPECT_EQ(opened.gpu->power_limit(), Watts(250));
}

TEST(VirtualDevice, AStuckClockIsFoundOut) {
  Opened opened("virtual:a100?refused_clock=1005");
  Control& clock = *opened.device->control("core_clock_mhz");
  ASSERT_TRUE(clock.set(1005).ok());
  const ControlResult settled = settle(*opened.device, clock, 1005, opened.clock);
  EXPECT_EQ(settled.code, ControlCode::refused);
  EXPECT_EQ(control_status(settled), Status::clock_refused);
}

TEST(VirtualDevice, PermissionsAndFaultsAreThoseOfRealOnes) {
  Opened reader("virtual:a100?permission=sensors");
  EXPECT_NE(reader.device->sensor("power_samples"), nullptr);
  const auto controls = reader.device->controls();
  ASSERT_FALSE(controls.empty());
  EXPECT_FALSE(controls[0]->info().permitted);
  EXPECT_EQ(controls[0]->set(1005).code, ControlCode::denied);
  Opened nobody("virtual:a100?permission=none");
  EXPECT_EQ(nobody.device->sensor("power_samples"), nullptr);
  EXPECT_NE(nobody.device->sensor("temperature"), nullptr);

  Opened gone("virtual:a100?unplugged=1&seed=3");
  gone.clock.advance(Seconds(2.0));
  EXPECT_TRUE(gone.device->sensor("temperature")->read().lost);
  EXPECT_TRUE(gone.device->sensor("power_samples")->read().lost);
  EXPECT_EQ(gone.device->control("core_clock_mhz")->set(1005).code, ControlCode::lost);
  EXPECT_THROW(control_status({ControlCode::lost, "gone"}), Error);
}

TEST(VirtualDevice, AllPresetsAreSurveyed) {
  const std::vector<DeviceInfo> found = device::simulated::survey();
  EXPECT_EQ(found.size(), virtual_gpu_presets().size());
  EXPECT_TRUE(std::ranges::all_of(found, [](const DeviceInfo& info) { return info.kind == "virtual"; }));
  EXPECT_TRUE(std::ranges::none_of(list_devices(), [](const DeviceInfo& info) { return info.kind == "virtual"; }))
      << "what looks for devices by itself never comes upon one";
}

}  // namespace
}  // namespace wattune

// NVML on a real GPU: which sensors answer, and that CUDA and NVML mean the same device. Reads only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "wattune/engine.hpp"
#include "wattune/sensor.hpp"

namespace wattune {
namespace {

TEST(NvmlDevice, TellsItsSensorsAndSettings) {
  const DeviceSurvey found = survey_devices();
  const auto gpu =
      std::find_if(found.devices.begin(), found.devices.end(), [](const DeviceInfo& d) { return d.kind == "gpu"; });
  if (gpu == found.devices.end()) GTEST_SKIP() << "skipped: no GPU with NVML";
  EXPECT_TRUE(gpu->uuid.starts_with("GPU-")) << gpu->uuid;
  EXPECT_FALSE(gpu->driver.empty());
  std::printf("%s %s %s driver %s, %.0f MHz, memory %.0f MHz\n", gpu->name.c_str(), gpu->uuid.c_str(),
              gpu->pci_bus.c_str(), gpu->driver.c_str(), gpu->core_clock.value() / 1e6,
              gpu->memory_clock.value() / 1e6);
  for (const SensorInfo& sensor : gpu->sensors) {
    EXPECT_EQ(sensor.available, sensor.why.empty()) << sensor.name;
    std::printf("  %-15s %s %s %.4f s\n", sensor.name.c_str(), sensor.available ? "yes" : "no ", sensor.why.c_str(),
                sensor.update_period.value());
  }
  for (const ControlInfo& control : gpu->controls) {
    EXPECT_EQ(control.supported && control.permitted, control.why.empty()) << control.name;
    std::printf("  %-17s supported %d permitted %d %s\n", control.name.c_str(), control.supported, control.permitted,
                control.why.c_str());
  }
}

TEST(NvmlDevice, IsTheOneThatCudaSees) {
  const EngineListing engines = list_engines();
  const DeviceSurvey found = survey_devices();
  const auto cuda = std::find_if(engines.devices.begin(), engines.devices.end(),
                                 [](const DeviceDescription& d) { return d.interface_name == "cuda"; });
  if (cuda == engines.devices.end()) GTEST_SKIP() << "skipped: no CUDA device";
  const auto same = std::find_if(found.devices.begin(), found.devices.end(),
                                 [&](const DeviceInfo& d) { return d.uuid == cuda->uuid; });
  ASSERT_NE(same, found.devices.end()) << cuda->uuid;
  EXPECT_EQ(same->pci_bus, cuda->pci_bus);
  EXPECT_NE(cuda->driver.find(same->driver), std::string::npos) << cuda->driver;
}

}  // namespace
}  // namespace wattune

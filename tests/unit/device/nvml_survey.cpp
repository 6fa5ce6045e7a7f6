// What the survey makes of NVML's answers, from a table filled with fakes.
#include "device/nvml/survey.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace wattune::device::nvml {
namespace {

Result copy(char* to, unsigned length, const char* text) {
  std::snprintf(to, length, "%s", text);
  return success;
}

/// An H200 as it answered: all sensors but no surprises; the buffer has a reading every 20 ms.
Api healthy() {
  Api api;
  api.init = [] { return success; };
  api.shutdown = [] { return success; };
  api.error_string = [](Result code) { return code == error_not_supported ? "Not Supported" : "Some Error"; };
  api.system_get_driver_version = [](char* text, unsigned length) { return copy(text, length, "580.159.04"); };
  api.device_get_count = [](unsigned* count) {
    *count = 1;
    return success;
  };
  api.device_get_handle_by_index = [](unsigned, Handle*) { return success; };
  api.device_get_name = [](Handle, char* text, unsigned length) { return copy(text, length, "NVIDIA H200"); };
  api.device_get_uuid = [](Handle, char* text, unsigned length) { return copy(text, length, "GPU-0123"); };
  api.device_get_pci_info = [](Handle, PciInfo* pci) { return copy(pci->id, sizeof(pci->id), "00000000:3B:00.0"); };
  api.device_get_clock_info = [](Handle, int type, unsigned* mhz) {
    *mhz = type == clock_sm ? 1980 : 3201;
    return success;
  };
  api.device_get_power_usage = [](Handle, unsigned* milliwatts) {
    *milliwatts = 85000;
    return success;
  };
  api.device_get_total_energy = [](Handle, unsigned long long* millijoules) {
    *millijoules = 123456;
    return success;
  };
  api.device_get_field_values = [](Handle, int count, FieldValue* values) {
    for (int i = 0; i < count; ++i) values[i].result = success;
    return success;
  };
  api.device_get_samples = [](Handle, int, unsigned long long, int* type, unsigned* count, Sample* samples) {
    *type = 1;
    *count = 120;
    for (unsigned i = 0; samples != nullptr && i < *count; ++i) samples[i].timestamp_us = 1000000ULL + 20000ULL * i;
    return success;
  };
  api.device_get_temperature = [](Handle, int, unsigned* celsius) {
    *celsius = 35;
    return success;
  };
  api.device_get_supported_memory_clocks = [](Handle, unsigned* count, unsigned* mhz) {
    *count = 2;
    mhz[0] = 3201;
    mhz[1] = 2201;
    return success;
  };
  api.device_get_supported_graphics_clocks = [](Handle, unsigned memory_mhz, unsigned* count, unsigned* mhz) {
    *count = 110;
    for (unsigned i = 0; i < *count; ++i) mhz[i] = 1980 - 15 * i;
    return memory_mhz == 3201 ? success : error_not_found;
  };
  api.device_get_power_limit_constraints = [](Handle, unsigned* low, unsigned* high) {
    *low = 200000;
    *high = 700000;
    return success;
  };
  return api;
}

/// Never called: a survey sets nothing.
Setters setters() {
  Setters table;
  table.set_gpu_locked_clocks = [](Handle, unsigned, unsigned) { return error_no_permission; };
  table.reset_gpu_locked_clocks = [](Handle) { return error_no_permission; };
  table.set_memory_locked_clocks = table.set_gpu_locked_clocks;
  table.reset_memory_locked_clocks = table.reset_gpu_locked_clocks;
  table.set_power_limit = [](Handle, unsigned) { return error_no_permission; };
  return table;
}

std::vector<DeviceInfo> survey_of(const Api& api, const Permission& permission) {
  const Setters table = setters();
  Library library;
  library.api = &api;
  library.setters = &table;
  return survey(library, permission);
}

const Permission allowed{true, ""};
const Permission refused{false, "not you"};

const SensorInfo& sensor(const DeviceInfo& device, const std::string& name) {
  return *std::find_if(device.sensors.begin(), device.sensors.end(),
                       [&](const SensorInfo& s) { return s.name == name; });
}

TEST(NvmlSurvey, DescribesAGpu) {
  const std::vector<DeviceInfo> devices = survey_of(healthy(), allowed);
  ASSERT_EQ(devices.size(), 1U);
  const DeviceInfo& device = devices[0];
  EXPECT_EQ(device.id, "nvml:GPU-0123");
  EXPECT_EQ(device.name, "NVIDIA H200");
  EXPECT_EQ(device.driver, "580.159.04");
  EXPECT_EQ(device.pci_bus, "0000:3b:00.0");
  EXPECT_EQ(device.core_clock, megahertz(1980));
  EXPECT_EQ(device.memory_clock, megahertz(3201));
  for (const char* name : {"power_average", "power_instant", "power_samples", "energy_counter", "core_clock",
                           "memory_clock", "temperature", "memory_temperature"}) {
    EXPECT_TRUE(sensor(device, name).available) << name << ": " << sensor(device, name).why;
  }
  EXPECT_NEAR(sensor(device, "power_samples").update_period.value(), 0.020, 1e-9);
  ASSERT_EQ(device.controls.size(), 3U);
  for (const ControlInfo& control : device.controls) {
    EXPECT_TRUE(control.supported && control.permitted) << control.name << ": " << control.why;
  }
}

TEST(NvmlSurvey, SaysWhyASensorIsMissing) {
  Api api = healthy();
  api.device_get_field_values = [](Handle, int, FieldValue* values) {
    values[0].result = error_not_supported;  // the call works, the field does not
    return success;
  };
  api.device_get_samples = [](Handle, int, unsigned long long, int*, unsigned* count, Sample*) {
    *count = 0;
    return success;
  };
  api.device_get_total_energy = nullptr;
  const DeviceInfo device = survey_of(api, allowed).at(0);
  EXPECT_FALSE(sensor(device, "power_instant").available);
  EXPECT_NE(sensor(device, "power_instant").why.find("Not Supported (NVML error 3)"), std::string::npos);
  EXPECT_TRUE(sensor(device, "power_average").available);  // the plain reading still answers
  EXPECT_FALSE(sensor(device, "power_samples").available);
  EXPECT_FALSE(sensor(device, "energy_counter").available);
  EXPECT_FALSE(sensor(device, "energy_counter").why.empty());
}

TEST(NvmlSurvey, SaysWhyASettingIsNotTheirs) {
  const DeviceInfo device = survey_of(healthy(), refused).at(0);
  for (const ControlInfo& control : device.controls) {
    EXPECT_TRUE(control.supported);
    EXPECT_FALSE(control.permitted);
    EXPECT_EQ(control.why, "not you");
  }
}

TEST(NvmlSurvey, SeesWhichSettingsTheDeviceLacks) {
  Api api = healthy();
  api.device_get_supported_memory_clocks = [](Handle, unsigned*, unsigned*) { return error_not_supported; };
  const DeviceInfo device = survey_of(api, allowed).at(0);
  for (const ControlInfo& control : device.controls) {
    EXPECT_EQ(control.supported, control.name == "power_limit_w") << control.name;
    EXPECT_EQ(control.permitted, control.supported);
    EXPECT_EQ(control.why.empty(), control.supported);
  }
}

TEST(NvmlSurvey, SkipsAGpuThatIsLost) {
  Api api = healthy();
  api.device_get_count = [](unsigned* count) {
    *count = 2;
    return success;
  };
  api.device_get_handle_by_index = [](unsigned index, Handle*) { return index == 0 ? Result{15} : success; };
  EXPECT_EQ(survey_of(api, allowed).size(), 1U);
}

TEST(NvmlInitialise, ExplainsAMissingDriver) {
  Api api = healthy();
  EXPECT_FALSE(initialise(api).has_value());
  api.init = [] { return error_driver_not_loaded; };
  const std::optional<Problem> problem = initialise(api);
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->message.find("NVML error 9"), std::string::npos);
  EXPECT_NE(problem->hint.find("kernel module"), std::string::npos);
}

TEST(SurveyOfThisMachine, NamesEverySourceThatIsAbsent) {
  const DeviceSurvey found = survey_devices();
  for (const Problem& problem : found.absent) {
    EXPECT_FALSE(problem.where.empty());
    EXPECT_FALSE(problem.message.empty());
  }
  EXPECT_GE(found.devices.size() + found.absent.size(), 2U);  // NVML and RAPL each gave one or the other
  EXPECT_EQ(list_devices().size(), found.devices.size());
}

}  // namespace
}  // namespace wattune::device::nvml

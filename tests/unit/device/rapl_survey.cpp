// CPU energy counters, from a made-up /sys.
#include "device/rapl/survey.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "device/rapl/device.hpp"

namespace wattune::device::rapl {
namespace {

namespace fs = std::filesystem;

class RaplSurvey : public ::testing::Test {
 protected:
  RaplSurvey() : root_(fs::temp_directory_path() / ("wattune-rapl-" + std::to_string(getpid()))) {
    fs::create_directories(root_);
  }
  ~RaplSurvey() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  [[nodiscard]] DeviceSurvey found() const {
    DeviceSurvey survey_result;
    survey(survey_result, root_.string());
    return survey_result;
  }

  fs::path root_;
};

TEST_F(RaplSurvey, FindsPackagesButNotTheirParts) {
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\n");
  write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
  write("sys/class/powercap/intel-rapl:0/energy_uj", "123456789\n");
  write("sys/class/powercap/intel-rapl:0:0/name", "core\n");
  write("sys/class/powercap/intel-rapl:0:0/energy_uj", "1\n");
  write("sys/class/powercap/intel-rapl:1/name", "package-1\n");
  const DeviceSurvey result = found();
  ASSERT_EQ(result.devices.size(), 2U);
  EXPECT_TRUE(result.absent.empty());
  EXPECT_EQ(result.devices[0].id, "rapl:package-0");
  EXPECT_EQ(result.devices[0].name, "Some CPU, package-0");
  EXPECT_EQ(result.devices[0].kind, "cpu");
  EXPECT_TRUE(result.devices[0].sensors.at(0).available);
  EXPECT_FALSE(result.devices[1].sensors.at(0).available);
  EXPECT_NE(result.devices[1].sensors.at(0).why.find("energy_uj"), std::string::npos);
}

TEST_F(RaplSurvey, OpensAPackageByNameOrNumberAndReadsJoules) {
  write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
  write("sys/class/powercap/intel-rapl:0/energy_uj", "250000000\n");
  write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "262143328850\n");
  write("sys/class/powercap/intel-rapl:0:1/name", "dram\n");
  write("sys/class/powercap/intel-rapl:0:1/energy_uj", "7000000\n");
  ManualClock clock(Seconds(1000.0));
  EXPECT_EQ(open("rapl:package-7", root_.string(), clock), nullptr);
  EXPECT_EQ(open("package-0", root_.string(), clock), nullptr);
  EXPECT_NE(open("rapl:0", root_.string(), clock), nullptr);
  const std::unique_ptr<Device> device = open("rapl:package-0", root_.string(), clock);
  ASSERT_NE(device, nullptr);
  Sensor* package = device->sensor("energy_counter");
  Sensor* memory = device->sensor("dram_energy_counter");
  ASSERT_NE(package, nullptr);
  ASSERT_NE(memory, nullptr);
  EXPECT_TRUE(package->traits().counter);
  EXPECT_EQ(memory->traits().scope, "memory");
  EXPECT_DOUBLE_EQ(package->read().reading->value, 250.0);
  EXPECT_DOUBLE_EQ(package->read().reading->at.value(), 1000.0);
  EXPECT_DOUBLE_EQ(memory->read().reading->value, 7.0);
  EXPECT_TRUE(device->controls().empty());
}

TEST_F(RaplSurvey, UnwrapsTheCounterAtItsRange) {
  const std::string zone = "sys/class/powercap/intel-rapl:0/";
  write(zone + "name", "package-0\n");
  write(zone + "energy_uj", "262143000000\n");
  write(zone + "max_energy_range_uj", "262143328850\n");
  const std::unique_ptr<Device> device = open("rapl:0", root_.string());
  Sensor* counter = device->sensor("energy_counter");
  const double before = counter->read().reading->value;
  write(zone + "energy_uj", "1000000\n");
  EXPECT_NEAR(counter->read().reading->value - before, 0.32885 + 1.0, 1e-6);
  write(zone + "energy_uj", "500000\n");  // and once more round
  EXPECT_NEAR(counter->read().reading->value - before, 0.32885 + 262143.32885 + 0.5, 1e-4);
  fs::remove_all(root_ / zone);
  EXPECT_TRUE(counter->read().lost);
}

TEST_F(RaplSurvey, BackwardsWithoutAKnownRangeIsNoReading) {
  const std::string zone = "sys/class/powercap/intel-rapl:0/";
  write(zone + "energy_uj", "5000000\n");
  const std::unique_ptr<Device> device = open("rapl:0", root_.string());
  Sensor* counter = device->sensor("energy_counter");
  ASSERT_TRUE(counter->read().reading.has_value());
  write(zone + "energy_uj", "1000000\n");
  const ReadResult fallen = counter->read();
  EXPECT_FALSE(fallen.reading.has_value());
  EXPECT_NE(fallen.why.find("backwards"), std::string::npos);
}

TEST_F(RaplSurvey, SaysThatThereIsNone) {
  const DeviceSurvey result = found();
  EXPECT_TRUE(result.devices.empty());
  ASSERT_EQ(result.absent.size(), 1U);
  EXPECT_EQ(result.absent[0].where, "rapl");
}

}  // namespace
}  // namespace wattune::device::rapl

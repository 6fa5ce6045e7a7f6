// CPU energy counters, from a made-up /sys.
#include "device/rapl/survey.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

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

TEST_F(RaplSurvey, SaysThatThereIsNone) {
  const DeviceSurvey result = found();
  EXPECT_TRUE(result.devices.empty());
  ASSERT_EQ(result.absent.size(), 1U);
  EXPECT_EQ(result.absent[0].where, "rapl");
}

}  // namespace
}  // namespace wattune::device::rapl

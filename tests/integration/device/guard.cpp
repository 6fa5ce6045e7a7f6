// The guard inside one process, against the real loader and a library with NVML's entry points over a simulated GPU.
// What only another process can show (kills, the watchdog's own death) is in integration/guard_kill.
#include "wattune/guard.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "fake_library.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

namespace fs = std::filesystem;

class GuardedGpu : public fake::GpuTest {
 protected:
  GuardedGpu() {
    setenv("LD_LIBRARY_PATH", WATTUNE_FAKE_VENDOR_DIR, 1);  // of the watchdog
    setenv("WATTUNE_PROGRAM", WATTUNE_WATCHDOG_PROGRAM, 1);
    put("power_limit_mw", 450000);  // somebody's own limit: neither the lowest, the highest nor the default
    device_ = open_device(id);
    EXPECT_NE(device_, nullptr);
  }

  void set_everything(Guard& guard) {
    ASSERT_TRUE(guard.set("core_clock_mhz", 1410.0).ok());
    ASSERT_TRUE(guard.set("memory_clock_mhz", 2201.0).ok());
    ASSERT_TRUE(guard.set("power_limit_w", 300.0).ok());
    EXPECT_EQ(settings(), "1410 2201 300000");
  }
  [[nodiscard]] std::string settings() const {
    return get("core_lock") + " " + get("memory_lock") + " " + get("power_limit_mw");
  }
  [[nodiscard]] fs::path journal() const {
    return state_directory() / "nvml_GPU-00000000-fake-0000-0000-000000000001.journal";
  }
  /// What a run leaves that is killed together with its watchdog.
  void leave_settings_behind() {
    const pid_t child = fork();
    if (child == 0) {
      GuardOptions options;
      options.watchdog = false;
      Guard guard(*device_, options);
      set_everything(guard);
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_TRUE(fs::exists(journal()));
  }
  template <class Body>
  static Error error_of(const Body& body) {
    try {
      body();
    } catch (const Error& error) {
      return error;
    }
    return {ExitCode::ok, "nothing was thrown"};
  }

  static constexpr const char* found = "0 0 450000";
  std::unique_ptr<Device> device_;
};

const RestoredControl& control_of(const RestoreReport& report, const std::string& name) {
  for (const RestoredControl& control : report.controls) {
    if (control.control == name) return control;
  }
  throw std::out_of_range(name);
}

TEST_F(GuardedGpu, RestoresWhatItFoundAtTheEndOfItsScope) {
  {
    Guard guard(*device_);
    EXPECT_EQ(get("sets"), "0");
    EXPECT_FALSE(fs::exists(journal()));
    set_everything(guard);
    EXPECT_TRUE(fs::exists(journal()));
  }
  EXPECT_EQ(settings(), found);
  EXPECT_FALSE(fs::exists(journal()));
}

TEST_F(GuardedGpu, RestoresOnAnException) {
  const auto failing_run = [&] {
    Guard guard(*device_);
    set_everything(guard);
    throw std::runtime_error("on purpose");
  };
  EXPECT_THROW(failing_run(), std::runtime_error);
  EXPECT_EQ(settings(), found);
  EXPECT_FALSE(fs::exists(journal()));
}

TEST_F(GuardedGpu, TouchesOnlyWhatItWasToldToSet) {
  Guard guard(*device_);
  ASSERT_TRUE(guard.set("power_limit_w", 300.0).ok());
  put("core_lock", 1200);  // somebody else's doing meanwhile
  const RestoreReport report = guard.restore();
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.controls.size(), 1U);
  EXPECT_EQ(settings(), "1200 0 450000");
}

TEST_F(GuardedGpu, TheWatchdogStandsByFromTheFirstSetToTheRestore) {
  Guard guard(*device_);
  EXPECT_EQ(guard.watchdog_pid(), 0);
  ASSERT_TRUE(guard.set("power_limit_w", 300.0).ok());
  const int watchdog = guard.watchdog_pid();
  ASSERT_GT(watchdog, 0);
  EXPECT_EQ(kill(watchdog, 0), 0);
  ASSERT_TRUE(guard.set("core_clock_mhz", 1410.0).ok());
  EXPECT_EQ(guard.watchdog_pid(), watchdog);
  EXPECT_TRUE(guard.restore().complete());
  EXPECT_EQ(guard.watchdog_pid(), 0);
  EXPECT_NE(kill(watchdog, 0), 0) << "it has ended and was waited for";
  ASSERT_TRUE(guard.set("power_limit_w", 350.0).ok()) << "and all begins anew";
  EXPECT_GT(guard.watchdog_pid(), 0);
  EXPECT_TRUE(guard.restore().complete());
  EXPECT_EQ(settings(), found);
}

TEST_F(GuardedGpu, SetsNothingWhenTheJournalCannotBeWritten) {
  Guard guard(*device_);
  fs::create_directories(journal().string() + ".new");  // where the journal would be written first
  const Error error = error_of([&] { guard.set("power_limit_w", 300.0); });
  EXPECT_EQ(error.code(), ExitCode::storage);
  EXPECT_EQ(get("sets"), "0");
}

TEST_F(GuardedGpu, SetsNothingWithoutAWatchdog) {
  GuardOptions options;
  options.program = "/bin/false";
  Guard guard(*device_, options);
  EXPECT_EQ(error_of([&] { guard.set("power_limit_w", 300.0); }).code(), ExitCode::device);
  setenv("WATTUNE_PROGRAM", "/nonexistent", 1);
  EXPECT_EQ(get("sets"), "0");
  EXPECT_FALSE(fs::exists(journal()));
}

TEST_F(GuardedGpu, ASetThatTheDriverDeniesLeavesNoTrace) {
  put("deny", 1);
  Guard guard(*device_);
  EXPECT_EQ(guard.set("core_clock_mhz", 1410.0).code, ControlCode::denied);
  EXPECT_EQ(guard.set("power_limit_w", 300.0).code, ControlCode::denied);
  EXPECT_FALSE(fs::exists(journal()));
  EXPECT_TRUE(guard.restore().controls.empty());
}

TEST_F(GuardedGpu, NothingIsJournalledOrStartedUnderTheLockOfTheEnvironment) {
  setenv("WATTUNE_NO_CONTROL", "1", 1);
  Guard guard(*device_);
  for (const auto& control : device_->controls())
    EXPECT_EQ(guard.set(control->info().name, control->range().high).code, ControlCode::forbidden);
  EXPECT_EQ(guard.watchdog_pid(), 0);
  EXPECT_FALSE(fs::exists(journal()));
  EXPECT_EQ(get("sets"), "0");
}

TEST_F(GuardedGpu, TriesEverySettingWhenOneFailsAndKeepsThatInTheJournal) {
  std::string notices;
  {
    GuardOptions options;
    options.notice = [&](const std::string& text) { notices += text + "\n"; };
    options.watchdog = false;  // it would try for seconds what fails on purpose
    Guard guard(*device_, options);
    set_everything(guard);
    put("fail", "core");
    const RestoreReport report = guard.restore();
    EXPECT_FALSE(report.complete());
    EXPECT_EQ(report.controls.size(), 3U);
    EXPECT_FALSE(control_of(report, "core_clock_mhz").result.ok());
    EXPECT_TRUE(control_of(report, "memory_clock_mhz").result.ok());
    EXPECT_TRUE(control_of(report, "power_limit_w").result.ok());
    EXPECT_EQ(settings(), "1410 0 450000");
  }
  EXPECT_NE(notices.find("wattune restore"), std::string::npos) << notices;
  const std::vector<LeftBehind> left = settings_left_behind();
  ASSERT_EQ(left.size(), 1U);
  ASSERT_EQ(left[0].controls.size(), 1U);
  EXPECT_EQ(left[0].controls[0].control, "core_clock_mhz");
  EXPECT_NE(left[0].controls[0].result.why.find("Unknown Error"), std::string::npos) << left[0].controls[0].result.why;
  put("fail", "");
  EXPECT_TRUE(restore_left_behind(id).complete());
  EXPECT_EQ(settings(), found);
  EXPECT_FALSE(fs::exists(journal()));
}

TEST_F(GuardedGpu, ASettingThatDidNotComeBackIsFoundOut) {
  GuardOptions options;
  options.watchdog = false;
  Guard guard(*device_, options);
  ASSERT_TRUE(guard.set("power_limit_w", 300.0).ok());
  put("ignore", "power");  // the driver says yes and does nothing
  const RestoreReport report = guard.restore();
  ASSERT_FALSE(report.complete());
  EXPECT_NE(report.controls[0].result.why.find("300.000 is in force"), std::string::npos)
      << report.controls[0].result.why;
  put("ignore", "");
  EXPECT_TRUE(guard.restore().complete());
  EXPECT_EQ(settings(), found);
}

TEST_F(GuardedGpu, ALockThatTheDriverCannotTellIsGivenBackOrAsTold) {
  put("core_lock", 1200);  // locked by hand before: NVML has no call that tells
  {
    Guard guard(*device_);
    ASSERT_TRUE(guard.set("core_clock_mhz", 1410.0).ok());
    const RestoreReport report = guard.restore();
    EXPECT_TRUE(control_of(report, "core_clock_mhz").assumed);
  }
  EXPECT_EQ(get("core_lock"), "0");
  device_ = open_device(id);
  {
    GuardOptions options;
    options.found["core_clock_mhz"] = "1200";
    Guard guard(*device_, options);
    ASSERT_TRUE(guard.set("core_clock_mhz", 1410.0).ok());
  }
  EXPECT_EQ(get("core_lock"), "1200");
}

TEST_F(GuardedGpu, ApplicationClocksComeBackAsThePairTheyWere) {
  put("architecture", 4);
  put("app_core", 1410);
  put("app_memory", 2201);
  device_ = open_device(id);
  {
    Guard guard(*device_);
    ASSERT_TRUE(guard.set("memory_clock_mhz", 3201.0).ok());
    ASSERT_TRUE(guard.set("core_clock_mhz", 600.0).ok());
  }
  EXPECT_EQ(get("app_core"), "1410");
  EXPECT_EQ(get("app_memory"), "2201");
}

TEST_F(GuardedGpu, TwoRunsOnOneDeviceTheSecondIsRefusedWithTheHoldersProcess) {
  const Guard guard(*device_);
  const auto second = open_device(id);
  const Error error = error_of([&] { const Guard refused(*second); });
  EXPECT_EQ(error.code(), ExitCode::no_device);
  EXPECT_NE(std::string(error.what()).find("process " + std::to_string(getpid())), std::string::npos) << error.what();
}

TEST_F(GuardedGpu, TheNextRunMayTakeTheDevice) {
  { const Guard first(*device_); }
  EXPECT_NO_THROW(const Guard second(*device_));
}

TEST_F(GuardedGpu, AStaleJournalStopsTheNextRunAndOffersToRestore) {
  leave_settings_behind();
  const Error error = error_of([&] { const Guard guard(*device_); });
  EXPECT_EQ(error.code(), ExitCode::device);
  EXPECT_NE(std::string(error.what()).find("wattune restore --device " + std::string(id)), std::string::npos)
      << error.what();
  EXPECT_NE(std::string(error.what()).find("power_limit_w was 450.000"), std::string::npos) << error.what();
  EXPECT_EQ(settings(), "1410 2201 300000") << "looking changes nothing";

  const RestoreReport report = restore_left_behind(id);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.controls.size(), 3U);
  EXPECT_EQ(settings(), found);
  EXPECT_NO_THROW(const Guard guard(*device_));
  EXPECT_EQ(error_of([] { restore_left_behind(id); }).code(), ExitCode::bad_input);
}

TEST_F(GuardedGpu, AStaleJournalIsListedAndMayBeForgotten) {
  EXPECT_TRUE(settings_left_behind().empty());
  leave_settings_behind();
  const std::vector<LeftBehind> left = settings_left_behind();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].device, id);
  EXPECT_EQ(left[0].device_name, "NVIDIA H200");
  EXPECT_FALSE(left[0].in_use);
  EXPECT_EQ(left[0].controls.size(), 3U);
  forget_left_behind(id);
  EXPECT_TRUE(settings_left_behind().empty());
  EXPECT_EQ(settings(), "1410 2201 300000") << "forgetting restores nothing";
}

TEST_F(GuardedGpu, SettingsInUseAreNotRestoredByHand) {
  Guard guard(*device_);
  set_everything(guard);
  EXPECT_TRUE(settings_left_behind().at(0).in_use);
  EXPECT_EQ(error_of([] { restore_left_behind(id); }).code(), ExitCode::no_device);
  EXPECT_EQ(settings(), "1410 2201 300000");
}

TEST_F(GuardedGpu, UnpluggedAndBackItsSettingsAreStillKnown) {
  {
    GuardOptions options;
    options.watchdog = false;
    Guard guard(*device_, options);
    set_everything(guard);
    put("lost", 1);
    const RestoreReport report = guard.restore();
    EXPECT_EQ(control_of(report, "power_limit_w").result.code, ControlCode::lost);
  }
  EXPECT_EQ(error_of([] { restore_left_behind(id); }).code(), ExitCode::no_device);
  put("lost", 0);
  EXPECT_TRUE(restore_left_behind(id).complete());
  EXPECT_EQ(settings(), found);
}

TEST_F(GuardedGpu, ADamagedJournalIsToldNotGuessed) {
  fs::create_directories(state_directory());
  std::ofstream(journal()) << "wattune-journal 1\ndevice nvml:GPU\nfound power_limit_w 450.000\n";
  EXPECT_EQ(error_of([&] { const Guard guard(*device_); }).code(), ExitCode::storage);
  EXPECT_EQ(error_of([] { settings_left_behind(); }).code(), ExitCode::storage);
  EXPECT_TRUE(fs::exists(journal()));
}

TEST_F(GuardedGpu, ACopyOfTheProcessRestoresNothing) {
  Guard guard(*device_);
  set_everything(guard);
  const pid_t child = fork();
  if (child == 0) {
    guard.~Guard();  // as leaving its scope would
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(settings(), "1410 2201 300000");
  EXPECT_EQ(error_of([&] { const Guard second(*device_); }).code(), ExitCode::no_device);
}

}  // namespace
}  // namespace wattune

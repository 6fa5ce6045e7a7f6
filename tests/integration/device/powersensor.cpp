// A PowerSensor3 at the other end of a pseudo-terminal: a thread that answers commands as the firmware does.
#include "device/powersensor/device.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "device/powersensor/protocol.hpp"
#include "wattune/energy.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

using device::powersensor::sensors;

/// One pair in use: 5 A at 12 V, as near as ten bits come. Streams `frames` frames after each start, then rests.
class FakeMeter {
 public:
  explicit FakeMeter(unsigned frames) : frames_(frames), master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(grantpt(master_), 0);
    EXPECT_EQ(unlockpt(master_), 0);
    path_ = ptsname(master_);
    slave_ = open(path_.c_str(), O_RDWR | O_NOCTTY);  // keeps the line alive between two readers
    termios raw{};
    tcgetattr(slave_, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave_, TCSANOW, &raw);
    EXPECT_EQ(pipe(wake_), 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeMeter() {
    unplug();
    close(wake_[0]);
    close(wake_[1]);
  }
  void unplug() {
    if (!thread_.joinable()) return;
    EXPECT_EQ(write(wake_[1], "e", 1), 1);
    thread_.join();
    close(slave_);
    close(master_);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string id() const { return "powersensor:" + path_; }

  /// A configuration is sent as 32-bit floats: 7 digits.
  static constexpr double rounding = 1e-4;
  static constexpr double amperes = (3.3 * 698 / 1023 - 1.65) / 0.12;
  static constexpr double volts = 3.3 * 930 / 1023 / 0.25;
  std::atomic<bool> mute{false};
  std::atomic<bool> drop_bytes{false};
  std::atomic<bool> left_streaming{false};
  std::atomic<unsigned> starts{0}, stops{0};

 private:
  void send(const std::string& bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t wrote = write(master_, bytes.data() + done, bytes.size() - done);
      if (wrote <= 0) return;
      done += static_cast<std::size_t>(wrote);
    }
  }
  /// Waits for a command; false when it is over.
  bool command(char& byte) const {
    pollfd waiting[2] = {{master_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    if (poll(waiting, 2, -1) < 0 || waiting[1].revents != 0) return false;
    return read(master_, &byte, 1) == 1;
  }
  static void add(std::string& bytes, unsigned sensor, unsigned level, bool marked) {
    bytes.push_back(static_cast<char>(0x80U | (sensor << 4U) | (level >> 6U)));
    bytes.push_back(static_cast<char>((marked ? 0x40U : 0U) | (level & 0x3fU)));
  }
  [[nodiscard]] std::string frame(unsigned number) const {
    std::string bytes;
    add(bytes, 7, (50 * number) % 1024, true);
    for (unsigned sensor = 0; sensor < sensors; ++sensor)
      add(bytes, sensor, sensor == 0 ? 698 : sensor == 1 ? 930 : 0, false);
    if (drop_bytes && number % 100 == 50) bytes.erase(7, 1);
    return bytes;
  }
  bool send_configuration() const {
    for (unsigned sensor = 0; sensor < sensors; ++sensor) {
      std::string bytes(41, '\0');
      std::memcpy(&bytes[0], sensor % 2 == 0 ? "current" : "voltage", 7);
      std::memcpy(&bytes[16], "PCIe slot", 9);
      const float numbers[2] = {sensor % 2 == 0 ? 1.65F : 0.0F, sensor % 2 == 0 ? 0.12F : 0.25F};
      std::memcpy(&bytes[32], numbers, sizeof numbers);
      bytes[40] = sensor < 2 ? 1 : 0;
      send(bytes);
      char acknowledged = '\0';
      if (!command(acknowledged)) return false;
    }
    send("D");
    return true;
  }
  void serve() {
    if (left_streaming) send(frame(0));
    char byte = '\0';
    while (command(byte)) {
      if (mute) continue;
      if (byte == 'T') {
        ++stops;
        std::string bytes = left_streaming.exchange(false) ? frame(0) + frame(1) : std::string();
        send(bytes + std::string("\xff\x3f\xff\x3f"));
      }
      if (byte == 'R' && !send_configuration()) return;
      if (byte == 'S') {
        ++starts;
        for (unsigned number = 0; number <= frames_; ++number) send(frame(number));  // the last one ends none
      }
    }
  }

  unsigned frames_;
  int master_, slave_ = -1;
  int wake_[2] = {-1, -1};
  std::string path_;
  std::thread thread_;
};

/// Readings once `count` have come: the line is as fast as the machine.
std::vector<Reading> readings_of(Sensor& sensor, std::size_t count) {
  const Seconds end = real_clock().monotonic() + Seconds(20.0);
  std::vector<Reading> readings;
  while (readings.size() < count && real_clock().monotonic() < end) {
    EXPECT_TRUE(sensor.read().reading);
    readings = sensor.samples(Seconds(0.0), Seconds(1e12));
    std::this_thread::yield();
  }
  return readings;
}

TEST(PowerSensorDevice, IsReadByItsProtocol) {
  FakeMeter meter(2001);
  const auto device = device::powersensor::open(meter.id());
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->info().name, "PowerSensor3: PCIe slot");
  Sensor* const power = device->sensor("power_samples");
  Sensor* const energy = device->sensor("energy_counter");
  const std::vector<Reading> readings = readings_of(*power, 100);
  ASSERT_EQ(readings.size(), 100U) << "2000 frames of 50 us in means of 1 ms";
  for (std::size_t i = 0; i < readings.size(); ++i) {
    EXPECT_NEAR(readings[i].value, FakeMeter::amperes * FakeMeter::volts, FakeMeter::rounding);
    EXPECT_TRUE(i == 0 || readings[i].at > readings[i - 1].at) << i;
  }
  EXPECT_NEAR(energy->read().reading->value, FakeMeter::amperes * FakeMeter::volts * 0.1, FakeMeter::rounding);
  EXPECT_TRUE(energy->traits().counter);
  EXPECT_EQ(meter.starts, 1U);
}

TEST(PowerSensorDevice, ADroppedByteCostsAFrameButNoEnergy) {
  FakeMeter meter(2001);
  meter.drop_bytes = true;
  const auto device = device::powersensor::open(meter.id());
  const std::vector<Reading> readings = readings_of(*device->sensor("power_samples"), 98);
  ASSERT_GE(readings.size(), 98U);
  for (const Reading& reading : readings)
    EXPECT_NEAR(reading.value, FakeMeter::amperes * FakeMeter::volts, FakeMeter::rounding);
  // 20 frames of 2000 are lost; the next one covers their time.
  EXPECT_NEAR(device->sensor("energy_counter")->read().reading->value, FakeMeter::amperes * FakeMeter::volts * 0.1,
              FakeMeter::amperes * FakeMeter::volts * 0.003);
}

TEST(PowerSensorDevice, AStreamThatSomebodyLeftRunningIsStoppedFirst) {
  FakeMeter meter(201);
  meter.left_streaming = true;
  const auto device = device::powersensor::open(meter.id());
  EXPECT_EQ(device->info().name, "PowerSensor3: PCIe slot");
  EXPECT_TRUE(device->sensor("power_samples")->read().reading);
}

TEST(PowerSensorDevice, ItsEnergyMeterTakesItAsItIs) {
  FakeMeter meter(2001);
  const auto device = device::powersensor::open(meter.id());
  readings_of(*device->sensor("power_samples"), 100);
  ManualClock clock;
  const EnergyMeter energy(*device, clock, {}, 1);
  EXPECT_EQ(energy.method(), EnergyMethod::trapezoid);
  EXPECT_NE(energy.describe().find("power_samples (a new value every 1 ms"), std::string::npos) << energy.describe();
}

TEST(PowerSensorDevice, AnUnpluggedMeterIsLost) {
  FakeMeter meter(201);
  const auto device = device::powersensor::open(meter.id());
  Sensor* const power = device->sensor("power_samples");
  EXPECT_TRUE(power->read().reading);
  meter.unplug();
  const Seconds end = real_clock().monotonic() + Seconds(20.0);
  ReadResult result = power->read();
  while (!result.lost && real_clock().monotonic() < end) result = power->read();
  EXPECT_TRUE(result.lost);
  EXPECT_FALSE(result.reading);
  EXPECT_FALSE(result.why.empty());
}

ExitCode code_of_opening(const std::string& id, std::string& text) {
  try {
    device::powersensor::open(id, real_clock(), Seconds(0.02));
  } catch (const Error& error) {
    text = error.what();
    return error.code();
  }
  return ExitCode::ok;
}

TEST(PowerSensorDevice, SaysWhyItCannotBeUsed) {
  std::string text;
  EXPECT_EQ(device::powersensor::open("rapl:0"), nullptr);
  EXPECT_EQ(code_of_opening("powersensor:/nonexistent", text), ExitCode::no_device);
  EXPECT_NE(text.find("WATTUNE_POWERSENSOR"), std::string::npos) << text;
  EXPECT_EQ(code_of_opening("powersensor:/dev/null", text), ExitCode::no_device);
  EXPECT_NE(text.find("no serial line"), std::string::npos) << text;
  FakeMeter silent(0);
  silent.mute = true;
  EXPECT_EQ(code_of_opening(silent.id(), text), ExitCode::no_device);
  EXPECT_NE(text.find("no power meter answers"), std::string::npos) << text;
  FakeMeter used(201);
  const auto first = device::powersensor::open(used.id());
  EXPECT_EQ(code_of_opening(used.id(), text), ExitCode::no_device);
  EXPECT_NE(text.find("another program"), std::string::npos) << text;
}

TEST(PowerSensorDevice, IsListedWhenTheEnvironmentNamesIt) {
  unsetenv("WATTUNE_POWERSENSOR");
  DeviceSurvey none;
  device::powersensor::survey(none);
  EXPECT_TRUE(none.devices.empty() && none.absent.empty());
  FakeMeter meter(201);
  setenv("WATTUNE_POWERSENSOR", meter.path().c_str(), 1);
  DeviceSurvey found;
  device::powersensor::survey(found);
  ASSERT_EQ(found.devices.size(), 1U);
  EXPECT_EQ(found.devices[0].id, meter.id());
  setenv("WATTUNE_POWERSENSOR", "/nonexistent", 1);
  DeviceSurvey absent;
  device::powersensor::survey(absent);
  ASSERT_EQ(absent.absent.size(), 1U);
  EXPECT_EQ(absent.absent[0].where, "powersensor");
  unsetenv("WATTUNE_POWERSENSOR");
}

}  // namespace
}  // namespace wattune

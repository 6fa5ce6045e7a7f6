#include "device/powersensor/device.hpp"

#include <cstdlib>
#include <vector>

#include "device/powersensor/meter.hpp"
#include "wattune/error.hpp"

namespace wattune::device::powersensor {
namespace {

constexpr std::string_view prefix = "powersensor:";

class PowerSamples final : public Sensor {
 public:
  explicit PowerSamples(Meter& meter) : meter_(meter) {
    traits_.buffered = true;
    traits_.update_period = traits_.averaging_window = Meter::period;
    traits_.scope = "wires";
  }
  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override { return meter_.power(); }
  std::vector<Reading> samples(Seconds begin, Seconds end) override { return meter_.samples(begin, end); }

 private:
  Meter& meter_;
  SensorInfo info_{"power_samples", "W", Meter::period, true, {}};
  SensorTraits traits_;
};

class EnergyCounter final : public Sensor {
 public:
  explicit EnergyCounter(Meter& meter) : meter_(meter) {
    traits_.counter = true;
    traits_.update_period = Meter::period;
    traits_.scope = "wires";
  }
  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override { return meter_.energy(); }
  std::vector<Reading> samples(Seconds, Seconds) override { return {}; }

 private:
  Meter& meter_;
  SensorInfo info_{"energy_counter", "J", Meter::period, true, {}};
  SensorTraits traits_;
};

class PowerSensorDevice final : public Device {
 public:
  PowerSensorDevice(const std::string& path, Clock& clock, Seconds limit) : meter_(path, clock, limit) {
    info_.id = std::string(prefix) + path;
    info_.kind = "meter";
    std::string names;
    for (const std::string& pair : meter_.pair_names()) names += (names.empty() ? ": " : ", ") + pair;
    info_.name = "PowerSensor3" + names;
    sensors_.push_back(std::make_unique<PowerSamples>(meter_));
    sensors_.push_back(std::make_unique<EnergyCounter>(meter_));
    for (const auto& sensor : sensors_) info_.sensors.push_back(sensor->info());
  }
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::span<const std::unique_ptr<Sensor>> sensors() const override { return sensors_; }
  [[nodiscard]] std::span<const std::unique_ptr<Control>> controls() const override { return {}; }

 private:
  Meter meter_;
  DeviceInfo info_;
  std::vector<std::unique_ptr<Sensor>> sensors_;
};

}  // namespace

void survey(DeviceSurvey& found) {
  const char* const path = std::getenv("WATTUNE_POWERSENSOR");
  if (path == nullptr || *path == '\0') return;
  try {
    found.devices.push_back(open(std::string(prefix) + path)->info());
  } catch (const Error& error) {
    const Problem& problem = error.problems().front();
    found.absent.push_back({"powersensor", problem.where + ": " + problem.message, problem.hint});
  }
}

std::unique_ptr<Device> open(const std::string& name, Clock& clock, Seconds limit) {
  if (!name.starts_with(prefix)) return nullptr;
  return std::make_unique<PowerSensorDevice>(name.substr(prefix.size()), clock, limit);
}

}  // namespace wattune::device::powersensor

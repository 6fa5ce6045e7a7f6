#include "device/virtual/sensors.hpp"

#include <functional>
#include <utility>

namespace wattune::device::simulated {
namespace {

using Gpu = std::shared_ptr<sim::VirtualGpu>;

constexpr const char* gone = "the device does not answer any more (simulated)";

/// Power and energy: seen through a window, kept with time-stamps.
class PowerSensor final : public Sensor {
 public:
  PowerSensor(Gpu gpu, sim::Channel channel, const char* name, const char* unit)
      : gpu_(std::move(gpu)), channel_(channel) {
    const SensorModel& model = gpu_->model(channel);
    info_ = {name, unit, model.period, model.period.value() > 0.0, {}};
    if (!info_.available) info_.why = "this device has none";
    if (info_.available && gpu_->options().permission == sim::Permission::none) {
      info_.available = false;
      info_.why = "the driver lets only administrators read power (simulated)";
    }
    traits_.counter = channel == sim::Channel::counter;
    traits_.buffered = true;
    traits_.update_period = model.period;
    if (!traits_.counter) traits_.averaging_window = model.window;
    const double window = model.window.value();
    if (window > 0.0 && window < model.period.value()) traits_.duty = window / model.period.value();
  }
  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override {
    if (gpu_->sensors_lost()) return {std::nullopt, true, gpu_->unplugged() ? gone : "the sensor is lost (simulated)"};
    const std::optional<sim::Sample> sample = gpu_->newest(channel_);
    if (!sample) return {std::nullopt, false, "no value yet"};
    return {Reading{sample->at, sample->value}, false, {}};
  }
  std::vector<Reading> samples(Seconds begin, Seconds end) override {
    std::vector<Reading> readings;
    for (const sim::Sample& sample : gpu_->samples(channel_, begin, end)) readings.push_back({sample.at, sample.value});
    return readings;
  }

 private:
  Gpu gpu_;
  sim::Channel channel_;
  SensorInfo info_;
  SensorTraits traits_;
};

/// What the device shows at the moment of reading.
class StateSensor final : public Sensor {
 public:
  StateSensor(Gpu gpu, const char* name, const char* unit, std::function<double(sim::VirtualGpu&)> value)
      : gpu_(std::move(gpu)), value_(std::move(value)) {
    info_.name = name;
    info_.unit = unit;
    info_.available = true;
  }
  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override {
    if (gpu_->unplugged()) return {std::nullopt, true, gone};
    return {Reading{gpu_->clock().system(), value_(*gpu_)}, false, {}};
  }
  std::vector<Reading> samples(Seconds, Seconds) override { return {}; }

 private:
  Gpu gpu_;
  std::function<double(sim::VirtualGpu&)> value_;
  SensorInfo info_;
  SensorTraits traits_;
};

}  // namespace

std::vector<std::unique_ptr<Sensor>> make_sensors(const Gpu& gpu) {
  using sim::Channel;
  using sim::VirtualGpu;
  std::vector<std::unique_ptr<Sensor>> sensors;
  const auto power = [&](Channel channel, const char* name, const char* unit) {
    sensors.push_back(std::make_unique<PowerSensor>(gpu, channel, name, unit));
  };
  const auto state = [&](const char* name, const char* unit, std::function<double(VirtualGpu&)> value) {
    sensors.push_back(std::make_unique<StateSensor>(gpu, name, unit, std::move(value)));
  };
  power(Channel::samples, "power_samples", "W");
  power(Channel::instant, "power_instant", "W");
  power(Channel::average, "power_average", "W");
  power(Channel::counter, "energy_counter", "J");
  state("core_clock", "Hz", [](VirtualGpu& g) { return g.core_clock().value(); });
  state("memory_clock", "Hz", [](VirtualGpu& g) { return g.memory_clock().value(); });
  state("temperature", "°C", [](VirtualGpu& g) { return g.celsius(); });
  state("clock_event_reasons", "bits", [](VirtualGpu& g) { return static_cast<double>(g.event_reasons()); });
  if (gpu->preset().sensors.voltage) state("voltage", "V", [](VirtualGpu& g) { return g.voltage().value(); });
  return sensors;
}

}  // namespace wattune::device::simulated

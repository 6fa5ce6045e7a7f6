// One window of launches and what its readings say. The device is left as it was found: nothing here sets anything.
#include <algorithm>
#include <cmath>
#include <vector>

#include "measure/power_source.hpp"
#include "wattune/energy.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

constexpr Seconds chunk{0.05};  // launches between two looks at the clock; the gap between chunks is some microseconds
constexpr int part_time_stretches = 4;
// Drivers keep few readings (NVML on an H200: 120, 2.4 s): a long stretch is read while it runs.
constexpr Seconds read_interval{0.5};
// A first look at a kernel that may already have lost, in new values of the sensor, and by how much it must have lost.
constexpr std::uint32_t early_updates = 4;
constexpr double clear_loss = 1.05;
// NVML's clock event reasons (nvml.h): what makes a number incomparable, and what a power limit does by design.
constexpr unsigned slowdown_reasons = 0x8U | 0x20U | 0x40U | 0x80U;
constexpr unsigned power_cap_reason = 0x4U;
constexpr Seconds steady_limit{60.0};
constexpr Seconds steady_step{2.0};
constexpr double steady_kelvin = 0.5;

std::optional<double> read_now(Device& device, std::string_view name) {
  Sensor* sensor = device.sensor(name);
  if (sensor == nullptr) return std::nullopt;
  const ReadResult result = sensor->read();
  return result.reading ? std::optional(result.reading->value) : std::nullopt;
}

std::string percent_text(double value) {
  std::string text = std::to_string(std::lround(value * 10.0) / 10.0);
  return text.substr(0, text.find('.') + 2);
}

void add_warning(EnergyMeasurement& energy, const std::string& sentence) {
  energy.warning += (energy.warning.empty() ? "" : "; ") + sentence;
}

}  // namespace

class EnergyMeter::Impl {
 public:
  Impl(Device& device, Clock& clock, const EnergyOptions& options, std::uint64_t seed)
      : device_(device),
        clock_(clock),
        options_(options),
        random_(seed, stream),
        primary_(measure::choose_source(device, options.method, clock)),
        cross_(measure::choose_cross_check(device, primary_.method(), clock)) {}

  MeteredKernel measure(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                        Seconds launch_time, std::optional<Joules> lost_above);
  std::optional<Watts> idle_power(Seconds duration, Seconds settle);
  [[nodiscard]] const measure::PowerSource& primary() const { return primary_; }

 private:
  static constexpr std::uint64_t stream = 0x656e65726779ULL;

  /// What one window of launches was.
  struct Window {
    std::vector<std::pair<Seconds, Seconds>> stretches;  ///< system time, begin and end
    Seconds running;                                     ///< together
    std::uint64_t launches = 0;
    std::vector<Stretch> readings;  ///< of the primary source, counted part
    std::optional<Interval> power;
    std::size_t backwards = 0;
    bool decided = false;  ///< its energy is above what it may be, whatever more readings say
  };
  struct Load {
    Engine& engine;
    CompiledKernel& kernel;
    DeviceArguments& arguments;
    const Geometry& geometry;
    Seconds launch_time;
    std::optional<Joules> lost_above;
  };

  bool run_stretch(const Load& load, Seconds duration, bool fresh, Window& window, MeteredKernel& result);
  void collect(Window& window, Seconds end);
  void judge(const Load& load, Window& window);
  [[nodiscard]] Seconds counted(const Window& window) const;
  bool run_window(const Load& load, Window& window, MeteredKernel& result);
  void warm_until_steady(const Load& load, MeteredKernel& result);
  [[nodiscard]] EnergyMeasurement summarise(Window& window);
  void cross_check(const Window& window, EnergyMeasurement& energy);
  void stop();

  Device& device_;
  Clock& clock_;
  EnergyOptions options_;
  Random random_;
  measure::PowerSource primary_;
  std::optional<measure::PowerSource> cross_;
};

/// Launches for `duration`; `fresh` opens a stretch of its own, else the last one goes on. False when a launch failed.
bool EnergyMeter::Impl::run_stretch(const Load& load, Seconds duration, bool fresh, Window& window,
                                    MeteredKernel& result) {
  RunOptions options;
  options.timed = false;
  const Seconds begin = clock_.monotonic();
  if (fresh) {
    const Seconds now = clock_.system();
    window.stretches.emplace_back(now, now);
    window.readings.emplace_back();
  }
  const Seconds stretch_begin = window.stretches.back().second;
  Seconds spent;
  Seconds read_at;
  do {
    const double launches = std::ceil(std::min(chunk, duration - spent) / load.launch_time);
    options.repeats = static_cast<std::uint32_t>(std::clamp(launches, 1.0, 1e6));
    const RunResult run = load.engine.run(load.kernel, load.arguments, load.geometry, options);
    if (run.status != Status::correct) {
      result.status = run.status;
      result.message = run.message;
      result.fatal = run.fatal;
      return false;
    }
    window.launches += options.repeats;
    spent = clock_.monotonic() - begin;
    if (spent - read_at > read_interval) {
      collect(window, stretch_begin + spent);
      read_at = spent;
    }
  } while (spent < duration);
  window.running += spent;
  window.stretches.back().second = stretch_begin + spent;
  return true;
}

/// Adds what the sensor has seen of the last stretch since it was last asked.
void EnergyMeter::Impl::collect(Window& window, Seconds end) {
  Stretch& known = window.readings.back();
  const Seconds from = window.stretches.back().first + primary_.rise_time();
  for (const Reading& reading : primary_.readings(known.empty() ? from : known.back().at, end)) {
    if (known.empty() || reading.at > known.back().at) known.push_back(reading);
  }
}

/// What the readings so far come to.
void EnergyMeter::Impl::judge(const Load& load, Window& window) {
  collect(window, window.stretches.back().second);
  window.power = primary_.power(window.readings, window.backwards);
  if (!load.lost_above || !window.power) return;
  const Seconds launch_time = window.running / static_cast<double>(window.launches);
  window.decided = (Watts(window.power->low) * launch_time) > *load.lost_above * clear_loss;
}

Seconds EnergyMeter::Impl::counted(const Window& window) const {
  Seconds sum;
  for (const auto& [begin, end] : window.stretches) sum += std::max(Seconds(0.0), end - begin - primary_.rise_time());
  return sum;
}

/// Runs and grows a window until its interval is under the target, the window is as long as it may be, or the kernel
/// has clearly lost.
bool EnergyMeter::Impl::run_window(const Load& load, Window& window, MeteredKernel& result) {
  Seconds target = std::max(options_.min_window, primary_.update_period() * static_cast<double>(options_.min_updates));
  target = std::min(target, std::max(options_.min_window, options_.max_window));
  // A part-time sensor may see the same phase of every launch: stretches that begin at random times shift it.
  const bool shift = primary_.part_time();
  const int pieces = shift ? part_time_stretches : 1;
  Seconds first = target / pieces;
  if (load.lost_above && !shift) first = std::min(first, primary_.update_period() * static_cast<double>(early_updates));
  for (int piece = 0; piece < pieces; ++piece) {
    if (shift) clock_.sleep(primary_.update_period() * random_.uniform());
    if (!run_stretch(load, primary_.rise_time() + first, true, window, result)) return false;
    if (piece + 1 < pieces) collect(window, window.stretches.back().second);
  }
  while (true) {
    judge(load, window);
    const bool enough = counted(window) >= target * 0.999;
    const bool good = enough && window.power && window.power->percent() <= options_.interval_percent;
    const Seconds left = options_.max_window - counted(window);
    if (good || window.decided || left.value() <= 0.0) return true;
    const Seconds more =
        enough ? std::min(left, std::max(target, counted(window)) * 0.5) : std::min(left, target - counted(window));
    if (shift) clock_.sleep(primary_.update_period() * random_.uniform());
    if (!run_stretch(load, more + (shift ? primary_.rise_time() : Seconds(0.0)), shift, window, result)) return false;
  }
}

/// Runs the kernel until two readings of the temperature, some seconds apart, agree.
void EnergyMeter::Impl::warm_until_steady(const Load& load, MeteredKernel& result) {
  std::optional<double> before = read_now(device_, "temperature");
  const Seconds begin = clock_.monotonic();
  Window ignored;
  while (before && clock_.monotonic() - begin < steady_limit) {
    if (!run_stretch(load, steady_step, true, ignored, result)) return;
    const std::optional<double> now = read_now(device_, "temperature");
    if (!now || std::abs(*now - *before) < steady_kelvin) return;
    before = now;
  }
}

void EnergyMeter::Impl::stop() {
  primary_.stop();
  if (cross_) cross_->stop();
}

EnergyMeasurement EnergyMeter::Impl::summarise(Window& window) {
  EnergyMeasurement energy;
  energy.method = primary_.method();
  energy.sensor = primary_.name();
  energy.power = *window.power;
  energy.launches = window.launches;
  energy.launch_time = window.running / static_cast<double>(window.launches);
  const double time = energy.launch_time.value();
  energy.energy = {energy.power.value * time, energy.power.low * time, energy.power.high * time};
  energy.window = counted(window);
  for (const Stretch& stretch : window.readings) energy.readings += stretch.size();
  energy.converged = energy.energy.percent() <= options_.interval_percent;
  energy.decided = window.decided;
  if (!energy.converged && !energy.decided) {
    add_warning(energy,
                "the interval of energy is ±" + percent_text(energy.energy.percent()) + " % after the longest window");
  }
  if (window.backwards > 0) add_warning(energy, "the energy counter ran backwards; those steps are left out");
  cross_check(window, energy);
  return energy;
}

void EnergyMeter::Impl::cross_check(const Window& window, EnergyMeasurement& energy) {
  if (!cross_) return;
  std::vector<Stretch> readings;
  for (const auto& [begin, end] : window.stretches)
    readings.push_back(cross_->readings(begin + cross_->rise_time(), end));
  std::size_t backwards = 0;
  const std::optional<Interval> power = cross_->power(readings, backwards);
  if (!power || energy.power.value <= 0.0) return;
  energy.cross_method = cross_->method();
  energy.cross_difference_percent = 100.0 * (power->value / energy.power.value - 1.0);
  if (std::abs(energy.cross_difference_percent) > options_.cross_check_percent) {
    add_warning(energy, cross_->name() + " differs by " + percent_text(energy.cross_difference_percent) + " %");
  }
}

MeteredKernel EnergyMeter::Impl::measure(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments,
                                         const Geometry& geometry, Seconds launch_time,
                                         std::optional<Joules> lost_above) {
  MeteredKernel result;
  const Load load{engine, kernel, arguments, geometry, std::max(launch_time, Seconds(1e-7)), lost_above};
  if (options_.steady_temperature) warm_until_steady(load, result);
  for (std::uint32_t attempt = 0; result.status == Status::correct; ++attempt) {
    const std::optional<double> before = read_now(device_, "temperature");
    Window window;
    primary_.start();
    if (cross_) cross_->start();
    const bool ran = run_window(load, window, result);
    const auto reasons = static_cast<unsigned>(read_now(device_, "clock_event_reasons").value_or(0.0));
    const std::optional<Hertz> probed = ran ? engine.probe_core_clock() : std::nullopt;
    if (!ran || !window.power) {
      stop();
      if (ran) {
        const ReadResult probe = primary_.probe();
        result.status = Status::sensor_lost;
        result.message =
            primary_.name() + (probe.why.empty() ? " gave no readings during the window" : ": " + probe.why);
      }
      return result;
    }
    EnergyMeasurement energy = summarise(window);
    stop();
    energy.core_clock = probed;
    if (!energy.core_clock) {
      if (const std::optional<double> clock = read_now(device_, "core_clock")) energy.core_clock = Hertz(*clock);
    }
    energy.temperature_before = before;
    energy.temperature_after = read_now(device_, "temperature");
    energy.power_capped = (reasons & power_cap_reason) != 0;
    energy.throttled = (reasons & slowdown_reasons) != 0;
    if (energy.throttled && attempt < options_.retries) continue;
    if (energy.throttled) {
      result.status = Status::throttled;
      result.message = "the device slowed down (clock event reasons " + std::to_string(reasons) + ") in every window";
    }
    result.energy = std::move(energy);
    return result;
  }
  return result;
}

std::optional<Watts> EnergyMeter::Impl::idle_power(Seconds duration, Seconds settle) {
  clock_.sleep(settle);
  primary_.start();
  const Seconds begin = clock_.system();
  // The last reading before the window and one after it: a gauge that seldom changes still gives two.
  clock_.sleep(std::max(duration, primary_.rise_time() + primary_.update_period() * 4.0));
  const Stretch readings = primary_.readings(begin + primary_.rise_time(), clock_.system());
  primary_.stop();
  std::size_t backwards = 0;
  const std::optional<Interval> power = primary_.power(std::span(&readings, 1), backwards);
  if (!power) return std::nullopt;
  return Watts(power->value);
}

EnergyMeter::EnergyMeter(Device& device, Clock& clock, const EnergyOptions& options, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(device, clock, options, seed)) {}
EnergyMeter::~EnergyMeter() = default;

MeteredKernel EnergyMeter::measure(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments,
                                   const Geometry& geometry, Seconds launch_time, std::optional<Joules> lost_above) {
  return impl_->measure(engine, kernel, arguments, geometry, launch_time, lost_above);
}

std::optional<Watts> EnergyMeter::idle_power(Seconds duration, Seconds settle) {
  return impl_->idle_power(duration, settle);
}

EnergyMethod EnergyMeter::method() const {
  return impl_->primary().method();
}

std::string EnergyMeter::describe() const {
  const measure::PowerSource& source = impl_->primary();
  const auto ms = [](Seconds time) { return std::to_string(std::lround(time.value() * 1e3)) + " ms"; };
  return std::string(to_string(source.method())) + " over " + source.name() + " (a new value every " +
         ms(source.update_period()) + ", the first " + ms(source.rise_time()) + " cut)";
}

}  // namespace wattune

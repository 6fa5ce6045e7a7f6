#include "sim/virtual_gpu.hpp"

#include <algorithm>
#include <cmath>

namespace wattune::sim {
namespace {

constexpr double longest_window = 2.0;  // s, of a sensor
constexpr double longest_step = 0.1;    // s between two looks at temperature and throttling under load
constexpr double rounding = 1e-12;      // s; clock and trace add up the same times in different orders
constexpr double shown_reasons = 0.1;   // s that reasons stay after a launch, as drivers refresh them
constexpr unsigned idle_reason = 0x1;
constexpr unsigned power_cap_reason = 0x4;
constexpr unsigned thermal_reason = 0x20;
constexpr std::uint64_t launch_stream = 0x6c61756e6368ULL;

/// A factor around 1; three standard deviations at most, so that no time or power is absurd.
double noisy(Random& random, double deviation) {
  return 1.0 + deviation * std::clamp(random.normal(), -3.0, 3.0);
}

bool is_supported(Hertz clock, const ClockList& list) {
  return std::ranges::any_of(list.supported, [&](Hertz c) { return std::abs(c.value() - clock.value()) < 1.0; });
}

}  // namespace

VirtualGpu::VirtualGpu(std::string id, const NamedVirtualGpu& named, Clock& clock)
    : id_(std::move(id)),
      preset_(*named.preset),
      options_(named.options),
      clock_(clock),
      origin_(clock.system()),
      launch_noise_(options_.seed, launch_stream),
      power_limit_(preset_.power_limit.factory),
      celsius_(0.0),
      counter_model_{preset_.sensors.counter_period, preset_.sensors.instant.window} {
  // It has stood idle for long.
  const PowerParts parts = idle_power(preset_, {core_target(0.0, false), memory_target(false)});
  celsius_ = steady_celsius(preset_.thermal, steady_power(preset_, parts));
}

double VirtualGpu::core_target(double time, bool loaded) const {
  const std::optional<Hertz>& lock = time < settled_at_ ? earlier_lock_ : core_lock_;
  if (lock) return lock->value();
  return loaded ? preset_.core_clock.supported.back().value() : preset_.core_clock.idle.value();
}

double VirtualGpu::memory_target(bool loaded) const {
  if (memory_lock_) return memory_lock_->value();
  return loaded ? preset_.memory_clock.supported.back().value() : preset_.memory_clock.idle.value();
}

/// Too hot: no more power than holds the slowdown temperature.
PowerRule VirtualGpu::rule() const {
  const ThermalModel& thermal = preset_.thermal;
  double limit = power_limit_.value();
  if (celsius_ >= thermal.slowdown_celsius)
    limit = std::min(limit, (thermal.slowdown_celsius - thermal.ambient_celsius) / thermal.kelvin_per_watt);
  return {limit, celsius_};
}

/// Appends to the trace and moves the temperature: dT/dt = (ambient + R P(T) - T) / tau with P a line over T.
void VirtualGpu::run_for(double seconds, const PowerParts& parts) {
  if (!(seconds > 0.0)) return;
  const ThermalModel& thermal = preset_.thermal;
  const double steady = steady_power(preset_, parts);
  const double target = steady_celsius(thermal, steady);
  const double feedback = std::min(0.9, parts.leakage_per_kelvin * thermal.kelvin_per_watt);
  const double rate = (1.0 - feedback) / thermal.time_constant.value();
  trace_.append(seconds, steady + (celsius_ - target) * parts.leakage_per_kelvin, steady, rate);
  celsius_ = target + (celsius_ - target) * std::exp(-rate * seconds);
  append_steps();
  if (trace_.size() > 4096) trace_.forget_before(trace_.end() - kept_seconds - longest_window);
}

/// What happened since the last launch: nothing ran.
void VirtualGpu::catch_up() {
  const double until = now();
  while (until - trace_.end() > rounding) {
    double step = until - trace_.end();
    if (trace_.end() < settled_at_) step = std::min(step, settled_at_ - trace_.end());
    run_for(step, idle_power(preset_, {core_target(trace_.end(), false), memory_target(false)}));
  }
  reset_if_due();
}

void VirtualGpu::reset_if_due() {
  if (reset_done_ || !fault_at(options_.faults.driver_reset)) return;
  reset_done_ = true;
  context_lost_ = true;
  core_lock_.reset();
  earlier_lock_.reset();
  memory_lock_.reset();
  power_limit_ = preset_.power_limit.factory;
  counter_from_ = counter_.size();
}

bool VirtualGpu::reset_hits(double begin, double end) const {
  return options_.faults.driver_reset && begin <= options_.faults.driver_reset->value() &&
         end > options_.faults.driver_reset->value();
}

Launches VirtualGpu::launch(const KernelProfile& profile, std::uint32_t repeats, bool timed) {
  Launches result;
  catch_up();
  if (unplugged()) {
    result.fault = Launches::Fault::unplugged;
    return result;
  }
  if (context_lost_) {
    result.fault = Launches::Fault::driver_reset;
    return result;
  }
  const Work work = plan_work(preset_, profile, compute_units_);
  if (work.limit != LaunchLimit::none) {
    result.fault = Launches::Fault::limit;
    result.limit = work.limit;
    return result;
  }
  if (timed) result.times.reserve(repeats);
  double clock_sum = 0.0, running = 0.0;
  launch_reasons_ = 0;
  for (std::uint32_t left = repeats; left > 0;) {
    const double begin = trace_.end();
    const PowerRule limit = rule();
    const Operation operation = operate(preset_, work, {core_target(begin, true), memory_target(true)}, limit);
    double step = longest_step;
    if (begin < settled_at_) step = std::min(step, settled_at_ - begin);
    const auto count = static_cast<std::uint32_t>(
        std::clamp(std::ceil(step / operation.timing.total), 1.0, static_cast<double>(left)));
    double seconds = 0.0;
    if (timed) {
      for (std::uint32_t i = 0; i < count; ++i) {
        result.times.emplace_back(operation.timing.total * noisy(launch_noise_, options_.time_noise));
        seconds += result.times.back().value();
      }
    } else {
      seconds = count * operation.timing.total * noisy(launch_noise_, options_.time_noise / std::sqrt(count));
    }
    run_for(seconds, operation.parts);
    clock_.sleep(Seconds(trace_.end() - now()));
    if (operation.throttled)
      launch_reasons_ |= limit.limit_watts < power_limit_.value() ? thermal_reason : power_cap_reason;
    clock_sum += operation.clocks.core * seconds;
    running += seconds;
    left -= count;
    if (unplugged() || reset_hits(begin, trace_.end())) {
      result.fault = unplugged() ? Launches::Fault::unplugged : Launches::Fault::driver_reset;
      break;
    }
  }
  if (running > 0.0) launch_clock_ = Hertz(clock_sum / running);
  last_launch_ = trace_.end();
  reset_if_due();
  return result;
}

bool VirtualGpu::recover() {
  catch_up();
  context_lost_ = false;
  return !unplugged();
}

void VirtualGpu::change_core_clock(std::optional<Hertz> clock) {
  catch_up();
  earlier_lock_ = now() < settled_at_ ? earlier_lock_ : core_lock_;
  core_lock_ = clock;
  settled_at_ = now() + preset_.sensors.clock_settle.value();
}

SetAnswer VirtualGpu::set_core_clock(std::optional<Hertz> clock) {
  clock_.sleep(preset_.sensors.control_call);
  catch_up();
  if (unplugged()) return SetAnswer::lost;
  if (clock && !is_supported(*clock, preset_.core_clock)) return SetAnswer::refused;
  const std::optional<Hertz>& stuck = options_.faults.refused_clock;
  if (clock && stuck && std::abs(clock->value() - stuck->value()) < 1.0) return SetAnswer::done;  // and nothing follows
  change_core_clock(clock);
  return SetAnswer::done;
}

SetAnswer VirtualGpu::set_memory_clock(std::optional<Hertz> clock) {
  clock_.sleep(preset_.sensors.control_call);
  catch_up();
  if (unplugged()) return SetAnswer::lost;
  if (clock && !is_supported(*clock, preset_.memory_clock)) return SetAnswer::refused;
  memory_lock_ = clock;
  return SetAnswer::done;
}

SetAnswer VirtualGpu::set_power_limit(Watts limit) {
  clock_.sleep(preset_.sensors.control_call);
  catch_up();
  if (unplugged()) return SetAnswer::lost;
  if (limit < preset_.power_limit.low || limit > preset_.power_limit.high) return SetAnswer::refused;
  power_limit_ = limit;
  return SetAnswer::done;
}

bool VirtualGpu::set_compute_units(std::uint32_t count) {
  if (count > preset_.compute_units) return false;
  compute_units_ = count;
  return true;
}

std::optional<Hertz> VirtualGpu::locked_core_clock() {
  catch_up();
  return core_lock_;
}

std::optional<Hertz> VirtualGpu::locked_memory_clock() {
  catch_up();
  return memory_lock_;
}

Watts VirtualGpu::power_limit() {
  catch_up();
  return power_limit_;
}

Hertz VirtualGpu::core_clock() {
  catch_up();
  return Hertz(core_target(now(), false));
}

Hertz VirtualGpu::memory_clock() {
  catch_up();
  return Hertz(memory_target(false));
}

double VirtualGpu::celsius() {
  catch_up();
  return celsius_;
}

Volts VirtualGpu::voltage() {
  return Volts(preset_.voltage.volts * preset_.voltage.relative(core_clock().value()));
}

unsigned VirtualGpu::event_reasons() {
  catch_up();
  return last_launch_ >= 0.0 && now() - last_launch_ <= shown_reasons ? launch_reasons_ : idle_reason;
}

}  // namespace wattune::sim

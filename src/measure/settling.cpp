#include "measure/settling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "wattune/statistics.hpp"

namespace wattune::measure {
namespace {

constexpr Seconds pause{1.5};      // longer than the averages of drivers known so far
constexpr Seconds load_time{3.0};  // twice that
constexpr Seconds final_part{0.7};
constexpr Seconds look_interval{0.02};
constexpr double near_enough = 0.05;
constexpr double least_rise = 0.1;  // of the final power; below that noise decides

constexpr const char* source = R"(#include "wattune/portable.h"
WT_KERNEL wattune_load(WT_GLOBAL float* out, const int rounds) {
  float a = wt_local_id(0) * 0.001f, b = 1.0f, c = 2.0f, d = 3.0f;
  for (int i = 0; i < rounds; ++i) {
    a = a * 0.999f + 0.5f;
    b = b * 0.998f + 0.4f;
    c = c * 0.997f + 0.3f;
    d = d * 0.996f + 0.2f;
  }
  out[wt_group_id(0) * wt_local_size(0) + wt_local_id(0)] = a + b + c + d;
}
)";

/// Some milliseconds of work at a time for all compute units.
class Load {
 public:
  explicit Load(Engine& engine) : engine_(engine) {
    geometry_.grid = {8ULL * std::max(1U, engine.describe().compute_units), 1, 1};
    geometry_.block = {128, 1, 1};
    CompileRequest request;
    request.kernel = "wattune_load";
    request.source = source;
    request.source_name = "wattune_load";
    request.language = Language::portable;
    CompileResult compiled = engine.compile(request);
    fault_ = compiled.message;
    kernel_ = std::move(compiled.kernel);
    ArgumentData out;
    out.name = "out";
    out.bytes.resize(geometry_.grid[0] * geometry_.block[0] * sizeof(float));
    const std::int32_t rounds = 4096;
    ArgumentData count;
    count.name = "rounds";
    count.kind = ArgumentKind::scalar;
    count.type = ElementType::i32;
    count.bytes.resize(sizeof rounds);
    std::memcpy(count.bytes.data(), &rounds, sizeof rounds);
    arguments_ = engine.upload(std::array{out, count});
    options_.timed = false;
  }

  /// Keeps the device busy for about `time`; false when it cannot.
  bool run(Seconds time) {
    if (!kernel_) return false;
    const RunResult result = engine_.run(*kernel_, *arguments_, geometry_, options_);
    fault_ = result.message;
    const double spent = (result.window_end - result.window_begin).value();
    if (result.status != Status::correct) return false;
    // Towards launches that fill the time; the first is one launch.
    const double scale = spent > 0.0 ? std::clamp(time.value() / spent, 0.1, 10.0) : 1.0;
    options_.repeats = static_cast<std::uint32_t>(std::clamp(options_.repeats * scale, 1.0, 1e6));
    return true;
  }
  [[nodiscard]] const std::string& fault() const { return fault_; }

 private:
  Engine& engine_;
  Geometry geometry_;
  std::unique_ptr<CompiledKernel> kernel_;
  std::unique_ptr<DeviceArguments> arguments_;
  RunOptions options_;
  std::string fault_;
};

/// The first moment after which every reading is near the final value.
std::optional<Seconds> settled(const std::vector<Reading>& readings, double idle, double load) {
  std::optional<Seconds> since;
  for (const Reading& reading : readings) {
    const bool near = std::abs(reading.value - load) <= near_enough * std::abs(load - idle);
    if (!near) since.reset();
    if (near && !since) since = reading.at;
  }
  return since;
}

}  // namespace

Settling measure_settling(Engine& engine, Sensor& sensor, Clock& clock) {
  Settling result;
  Load load(engine);
  load.run(look_interval);  // what the first launch costs is over before the device rests
  clock.sleep(pause);
  const ReadResult before = sensor.read();
  if (!before.reading) {
    result.why = before.why;
    return result;
  }
  result.idle = Watts(before.reading->value);
  std::vector<Reading> readings;
  std::vector<double> last;
  const Seconds begin = clock.monotonic();
  for (Seconds now; now < load_time; now = clock.monotonic() - begin) {
    if (!load.run(look_interval)) {
      result.why = "the load does not run: " + load.fault();
      return result;
    }
    const ReadResult read = sensor.read();
    if (!read.reading) {
      result.why = read.why;
      return result;
    }
    readings.push_back({clock.monotonic() - begin, read.reading->value});
    if (readings.back().at > load_time - final_part) last.push_back(read.reading->value);
  }
  if (last.empty()) {
    result.why = "too few readings";
    return result;
  }
  result.load = Watts(median(last));
  if (result.load.value() - result.idle.value() < least_rise * result.load.value()) {
    result.why = "the power does not rise under a load";
    return result;
  }
  result.time = settled(readings, result.idle.value(), result.load.value());
  if (!result.time) result.why = "the power does not stand still within the load";
  return result;
}

}  // namespace wattune::measure

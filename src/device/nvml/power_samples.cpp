#include "device/nvml/power_samples.hpp"

#include <algorithm>

#include "device/nvml/polled_sensor.hpp"
#include "device/nvml/power_traits.hpp"

namespace wattune::device::nvml {
namespace {

constexpr double watts_per_milliwatt = 1e-3;

Seconds median_gap(const std::vector<Reading>& readings) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < readings.size(); ++i) gaps.push_back((readings[i].at - readings[i - 1].at).value());
  if (gaps.empty()) return Seconds(0.0);
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return Seconds(*middle);
}

}  // namespace

PowerSamples::PowerSamples(const Gpu& gpu)
    : gpu_(&gpu), info_{"power_samples", "W", Seconds(0.0), false, {}}, traits_(power_traits(gpu, "power_samples")) {
  std::vector<Reading> readings;
  const Result code = fetch(readings);
  info_.available = code == success && !readings.empty();
  if (code != success) info_.why = why_absent(*gpu.api, code);
  if (code == success && readings.empty()) info_.why = "the driver keeps no power readings";
  traits_.update_period = info_.update_period = median_gap(readings);
}

Result PowerSamples::fetch(std::vector<Reading>& readings) const {
  const auto get = gpu_->api->device_get_samples;
  if (get == nullptr) return error_function_not_found;
  int type = 0;
  unsigned count = 0;
  Result code = get(gpu_->handle, total_power_samples, 0, &type, &count, nullptr);
  if (code != success || count == 0) return code == error_not_found ? success : code;
  std::vector<Sample> raw(count);
  code = get(gpu_->handle, total_power_samples, 0, &type, &count, raw.data());
  if (code != success) return code == error_not_found ? success : code;
  raw.resize(std::min<std::size_t>(count, raw.size()));
  std::stable_sort(raw.begin(), raw.end(),
                   [](const Sample& a, const Sample& b) { return a.timestamp_us < b.timestamp_us; });
  unsigned long long last = 0;
  for (const Sample& sample : raw) {
    if (sample.timestamp_us <= last) continue;  // slots not filled yet, and repeats
    last = sample.timestamp_us;
    readings.push_back({microseconds(static_cast<double>(sample.timestamp_us)),
                        watts_per_milliwatt * static_cast<double>(sample.value.word)});
  }
  return success;
}

ReadResult PowerSamples::read() {
  ReadResult result;
  std::vector<Reading> readings;
  const Result code = fetch(readings);
  if (code == success && !readings.empty()) {
    result.reading = readings.back();
    return result;
  }
  result.lost = is_lost(code);
  result.why = info_.name + ": " + (code == success ? "the buffer is empty" : why_absent(*gpu_->api, code));
  return result;
}

std::vector<Reading> PowerSamples::samples(Seconds begin, Seconds end) {
  std::vector<Reading> readings;
  if (fetch(readings) != success || readings.empty()) return {};
  if (readings.front().at > begin + traits_.update_period) return {};
  std::erase_if(readings, [&](const Reading& reading) { return reading.at < begin || reading.at > end; });
  return readings;
}

}  // namespace wattune::device::nvml

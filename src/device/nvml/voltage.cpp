#include "device/nvml/voltage.hpp"

#include <cstdlib>

#include "base/process.hpp"
#include "base/text.hpp"

namespace wattune::device::nvml {
namespace {

constexpr Seconds longest_query{5.0};

class VoltageSensor final : public Sensor {
 public:
  VoltageSensor(const Gpu& gpu, QuerySmi query)
      : gpu_(&gpu), query_(std::move(query)), info_{"voltage", "V", Seconds(0.0), false, {}} {
    if (!query_) {
      info_.why = "NVML has no call for it";
      return;
    }
    const std::optional<std::string> output = query_(gpu.uuid);
    info_.available = output && voltage_in(*output);
    if (!info_.available) info_.why = output ? "nvidia-smi shows none for this GPU" : "nvidia-smi does not run";
  }
  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  std::vector<Reading> samples(Seconds, Seconds) override { return {}; }

  ReadResult read() override {
    ReadResult result;
    const Seconds before = gpu_->clock->system();
    const std::optional<std::string> output = query_ ? query_(gpu_->uuid) : std::nullopt;
    const Seconds after = gpu_->clock->system();
    const std::optional<double> volts = output ? voltage_in(*output) : std::nullopt;
    if (volts) {
      result.reading = Reading{(before + after) * 0.5, *volts};
    } else {
      result.why = "voltage: nvidia-smi does not tell it";
      result.lost = output && output->find("lost") != std::string::npos;
    }
    return result;
  }

 private:
  const Gpu* gpu_;
  QuerySmi query_;
  SensorInfo info_;
  SensorTraits traits_;
};

}  // namespace

std::optional<std::string> query_smi(const std::string& uuid) {
  const base::ProcessOutput run = base::run_process({"nvidia-smi", "-q", "-d", "VOLTAGE", "-i", uuid}, longest_query);
  if (run.exit_code != 0) return std::nullopt;
  return run.output;
}

std::optional<double> voltage_in(const std::string& output) {
  bool inside = false;
  for (const std::string& line : base::split(output, '\n')) {
    const std::string_view text = base::trim(line);
    if (text == "Voltage") inside = true;
    if (!inside || !text.starts_with("Graphics")) continue;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string value(base::trim(text.substr(colon + 1)));
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (end == value.c_str()) return std::nullopt;
    const std::string_view unit = base::trim(std::string_view(end));
    if (unit == "mV") return number * 1e-3;
    return unit == "V" ? std::optional(number) : std::nullopt;
  }
  return std::nullopt;
}

std::unique_ptr<Sensor> make_voltage_sensor(const Gpu& gpu, QuerySmi query) {
  return std::make_unique<VoltageSensor>(gpu, std::move(query));
}

}  // namespace wattune::device::nvml

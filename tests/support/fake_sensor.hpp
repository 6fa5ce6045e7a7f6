// A sensor that answers from a script, for tests of what reads sensors.
#pragma once

#include <functional>

#include "wattune/device.hpp"

namespace wattune::test {

class FakeSensor final : public Sensor {
 public:
  explicit FakeSensor(std::function<ReadResult()> answer, SensorTraits traits = {})
      : answer_(std::move(answer)), traits_(std::move(traits)) {
    info_ = {"power_instant", "W", traits_.update_period, true, {}};
  }
  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override { return answer_(); }
  std::vector<Reading> samples(Seconds begin, Seconds end) override {
    std::vector<Reading> found;
    for (const Reading& reading : buffer) {
      if (reading.at >= begin && reading.at <= end) found.push_back(reading);
    }
    return found;
  }

  std::vector<Reading> buffer;

 private:
  std::function<ReadResult()> answer_;
  SensorInfo info_;
  SensorTraits traits_;
};

inline ReadResult reading(double at, double value) {
  return {Reading{Seconds(at), value}, false, {}};
}
inline ReadResult failure(const char* why, bool lost) {
  return {std::nullopt, lost, why};
}

}  // namespace wattune::test

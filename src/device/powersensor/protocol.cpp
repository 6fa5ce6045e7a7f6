#include "device/powersensor/protocol.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wattune::device::powersensor {
namespace {

constexpr double adc_volts = 3.3;
constexpr double adc_highest = 1023.0;
constexpr std::uint32_t stamp_range = 1024;
constexpr unsigned stamp_sensor = 7;
constexpr std::size_t text_bytes = 16;

std::string text_in(std::span<const unsigned char> bytes) {
  const auto end = std::find(bytes.begin(), bytes.end(), '\0');
  return {bytes.begin(), end};
}

float float_in(std::span<const unsigned char> bytes) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= static_cast<std::uint32_t>(bytes[i]) << (8 * i);
  return std::bit_cast<float>(bits);
}

}  // namespace

double Configuration::value(std::uint32_t level) const {
  return (adc_volts * level / adc_highest - static_cast<double>(reference)) / static_cast<double>(sensitivity);
}

std::optional<Configuration> configuration_from(std::span<const unsigned char, configuration_bytes> bytes) {
  Configuration found;
  found.type = text_in(bytes.subspan(0, text_bytes));
  found.pair = text_in(bytes.subspan(text_bytes, text_bytes));
  found.reference = float_in(bytes.subspan(2 * text_bytes, 4));
  found.sensitivity = float_in(bytes.subspan(2 * text_bytes + 4, 4));
  found.in_use = bytes[configuration_bytes - 1] == 1;
  if (!found.in_use) return found;  // what an unused sensor's numbers are does not matter
  const bool sane = std::isfinite(found.reference) && std::isfinite(found.sensitivity) && found.sensitivity != 0.0F;
  return sane ? std::optional(found) : std::nullopt;
}

std::vector<Frame> FrameParser::feed(std::span<const unsigned char> bytes) {
  std::vector<Frame> frames;
  for (const unsigned char byte : bytes) {
    const bool opens = (byte & 0x80U) != 0;
    if (opens == first_.has_value()) {  // two openings in a row, or a second byte without a first: one got lost
      ++dropped_;
      broken_ = true;
      tokens_ = 0;
    }
    if (opens) {
      first_ = byte;
    } else if (first_) {
      const unsigned char first = *first_;
      first_.reset();
      packet(first, byte, frames);
    }
  }
  return frames;
}

void FrameParser::packet(unsigned char first, unsigned char second, std::vector<Frame>& frames) {
  // Sensor 7 comes once a frame, so its highest level twice in a row is the end.
  tokens_ = first == stop_token[0] && second == stop_token[1] ? tokens_ + 1 : 0;
  stopped_ = stopped_ || tokens_ >= 2;
  const unsigned sensor = (first >> 4U) & 7U;
  const std::uint32_t level = ((first & 0x0fU) << 6U) | (second & 0x3fU);
  const bool marked = (second & 0x40U) != 0;
  if (sensor == stamp_sensor && marked) {
    if (stamp_ && !broken_) {
      frame_.elapsed_us = last_stamp_ ? (*stamp_ + stamp_range - *last_stamp_) % stamp_range : 0;
      last_stamp_ = stamp_;
      frames.push_back(frame_);
    }
    stamp_ = level;
    frame_ = {};
    broken_ = false;
    return;
  }
  frame_.levels[sensor] = level;
  frame_.present[sensor] = true;
}

std::optional<double> power_of(const Frame& frame, std::span<const Configuration, sensors> configuration) {
  double watts = 0.0;
  for (std::size_t sensor = 0; sensor < sensors; sensor += 2) {
    if (!configuration[sensor].in_use || !configuration[sensor + 1].in_use) continue;
    if (!frame.present[sensor] || !frame.present[sensor + 1]) return std::nullopt;
    watts +=
        configuration[sensor].value(frame.levels[sensor]) * configuration[sensor + 1].value(frame.levels[sensor + 1]);
  }
  return watts;
}

}  // namespace wattune::device::powersensor

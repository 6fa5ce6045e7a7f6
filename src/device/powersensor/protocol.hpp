// What a PowerSensor3 says over its serial line (firmware 1.6): its configuration, then packets of two bytes, 20,000
// frames a second. Pure: bytes in, values out.
//   first byte   1 iii aaaa   sensor, upper four bits of its level
//   second byte  0 m bbbbbb   marker, lower six bits
// A frame is a packet of sensor 7 with the marker set, whose ten bits are microseconds, and the levels of the sensors;
// sensors come in pairs, an even one for current and the odd one after it for voltage.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wattune/units.hpp"

namespace wattune::device::powersensor {

constexpr std::size_t sensors = 8;
constexpr std::size_t pairs = sensors / 2;
constexpr std::size_t configuration_bytes = 41;
constexpr std::array<unsigned char, 4> stop_token = {0xff, 0x3f, 0xff, 0x3f};

/// One sensor as its EEPROM describes it.
struct Configuration {
  std::string type;
  std::string pair;        ///< name of the pair
  float reference = 0.0F;  ///< V at zero
  float sensitivity = 1.0F;
  bool in_use = false;
  /// Ampere or volt for a level of 0 to 1023.
  [[nodiscard]] double value(std::uint32_t level) const;
};
/// From its 41 bytes (type 16, pair 16, two little-endian floats, in use); nothing when the numbers make no sense.
std::optional<Configuration> configuration_from(std::span<const unsigned char, configuration_bytes> bytes);

struct Frame {
  std::uint32_t elapsed_us = 0;  ///< since the frame before, below 1024
  std::array<std::uint32_t, sensors> levels{};
  std::array<bool, sensors> present{};
};

/// Cuts a stream into frames. A byte that cannot be where it is is dropped, and the frame it belonged to with it.
class FrameParser {
 public:
  /// Complete frames among the bytes so far. `stopped` is set once the stop token has come.
  std::vector<Frame> feed(std::span<const unsigned char> bytes);
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] std::uint64_t dropped_bytes() const { return dropped_; }

 private:
  void packet(unsigned char first, unsigned char second, std::vector<Frame>& frames);

  std::optional<unsigned char> first_;
  std::optional<std::uint32_t> stamp_;  ///< of the current frame
  std::optional<std::uint32_t> last_stamp_;
  Frame frame_;
  bool broken_ = true;  ///< the current frame lacks something, as the one does in which listening begins
  int tokens_ = 0;      ///< halves of the stop token in a row
  bool stopped_ = false;
  std::uint64_t dropped_ = 0;
};

/// W over all pairs whose two sensors are in use; nothing when a level of them is missing.
std::optional<double> power_of(const Frame& frame, std::span<const Configuration, sensors> configuration);

}  // namespace wattune::device::powersensor

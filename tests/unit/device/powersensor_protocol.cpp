// The bytes of a PowerSensor3, as its protocol describes them.
#include "device/powersensor/protocol.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace wattune::device::powersensor {
namespace {

using Bytes = std::vector<unsigned char>;

void add_packet(Bytes& bytes, unsigned sensor, unsigned level, bool marked = false) {
  bytes.push_back(static_cast<unsigned char>(0x80U | (sensor << 4U) | (level >> 6U)));
  bytes.push_back(static_cast<unsigned char>((marked ? 0x40U : 0U) | (level & 0x3fU)));
}
/// A frame whose sensor i has the level 100 + i.
void add_frame(Bytes& bytes, unsigned stamp) {
  add_packet(bytes, 7, stamp, true);
  for (unsigned sensor = 0; sensor < sensors; ++sensor) add_packet(bytes, sensor, 100 + sensor);
}

TEST(PowerSensorProtocol, APacketIsTheTwoBytesOfTheDescription) {
  Bytes bytes;
  add_packet(bytes, 5, 0x2a7);  // 1 101 1010, 0 0 100111
  EXPECT_EQ(bytes, (Bytes{0xda, 0x27}));
}

TEST(PowerSensorProtocol, FramesComeWithTheTimeBetweenThem) {
  Bytes bytes;
  for (const unsigned stamp : {10U, 60U, 110U, 160U}) add_frame(bytes, stamp);
  FrameParser parser;
  const std::vector<Frame> frames = parser.feed(bytes);
  ASSERT_EQ(frames.size(), 3U) << "the last one ends when the next begins";
  EXPECT_EQ(frames[0].elapsed_us, 0U);
  EXPECT_EQ(frames[1].elapsed_us, 50U);
  EXPECT_EQ(frames[2].levels[3], 103U);
  EXPECT_TRUE(frames[2].present[7]) << "sensor 7 without the marker is a level";
  EXPECT_EQ(parser.dropped_bytes(), 0U);
}

TEST(PowerSensorProtocol, TheStampWrapsAt1024Microseconds) {
  Bytes bytes;
  for (const unsigned stamp : {1000U, 26U, 76U}) add_frame(bytes, stamp);
  FrameParser parser;
  const std::vector<Frame> frames = parser.feed(bytes);
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[1].elapsed_us, 50U);
}

TEST(PowerSensorProtocol, BytesMayComeOneByOne) {
  Bytes bytes;
  for (unsigned i = 0; i < 5; ++i) add_frame(bytes, 50 * i);
  FrameParser parser;
  std::size_t frames = 0;
  for (const unsigned char byte : bytes) frames += parser.feed({&byte, 1}).size();
  EXPECT_EQ(frames, 4U);
}

TEST(PowerSensorProtocol, ALostByteCostsItsFrameAndTheTimeStaysRight) {
  Bytes bytes;
  for (unsigned i = 0; i < 6; ++i) add_frame(bytes, 50 * i);
  for (std::size_t lost = 0; lost < bytes.size(); ++lost) {
    Bytes torn = bytes;
    torn.erase(torn.begin() + static_cast<std::ptrdiff_t>(lost));
    FrameParser parser;
    std::uint32_t elapsed = 0;
    const std::vector<Frame> frames = parser.feed(torn);
    for (const Frame& frame : frames) {
      elapsed += frame.elapsed_us;
      for (unsigned sensor = 0; sensor < sensors; ++sensor)
        EXPECT_EQ(frame.levels[sensor], 100 + sensor) << "byte " << lost << ": a wrong value is worse than none";
    }
    EXPECT_GE(frames.size(), 3U) << "byte " << lost;
    // From the first whole frame to the last one (at 200 us): what was lost at an end is not counted, and a torn stamp
    // costs the frame before it, too.
    EXPECT_GE(elapsed, 100U) << "byte " << lost;
    EXPECT_LE(elapsed, 200U) << "byte " << lost;
  }
}

TEST(PowerSensorProtocol, NoiseIsNoFrame) {
  Bytes bytes(1000);
  unsigned state = 1;
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>((state = state * 1103515245U + 12345U) >> 16U);
  FrameParser parser;
  parser.feed(bytes);
  EXPECT_GT(parser.dropped_bytes(), 0U);
}

TEST(PowerSensorProtocol, TheStopTokenIsSensor7AtItsHighestTwice) {
  Bytes bytes;
  add_frame(bytes, 0);
  add_packet(bytes, 7, 1023);
  FrameParser parser;
  parser.feed(bytes);
  EXPECT_FALSE(parser.stopped()) << "once is a level";
  parser.feed(stop_token);
  EXPECT_TRUE(parser.stopped());
}

TEST(PowerSensorProtocol, LevelsBecomeAmperesVoltsAndWatts) {
  std::array<Configuration, sensors> all;
  all[0] = {"10 A", "slot", 1.65F, 0.120F, true};  // V at 0 A, V per A
  all[1] = {"12 V", "slot", 0.0F, 0.25F, true};
  Frame frame;
  frame.present.fill(true);
  frame.levels[0] = 700;
  frame.levels[1] = 930;
  // (3.3 700 / 1023 - 1.65) / 0.12 = 5.0672 A; 3.3 930 / 1023 / 0.25 = 12 V
  EXPECT_NEAR(all[0].value(700), 5.06720, 1e-4);
  EXPECT_NEAR(all[1].value(930), 12.0, 1e-4);
  EXPECT_NEAR(power_of(frame, all).value(), 60.8065, 1e-3);
  all[2].in_use = true;  // half a pair
  EXPECT_NEAR(power_of(frame, all).value(), 60.8065, 1e-3);
  frame.present[1] = false;
  EXPECT_FALSE(power_of(frame, all));
}

TEST(PowerSensorProtocol, AConfigurationIs41Bytes) {
  std::array<unsigned char, configuration_bytes> bytes{};
  std::memcpy(bytes.data(), "MLX10", 5);
  std::memcpy(&bytes[16], "a name of 16 byte", 16);
  const std::array<unsigned char, 8> numbers = {0x33, 0x33, 0xd3, 0x3f, 0x00, 0x00, 0x80, 0x3e};  // 1.65f, 0.25f
  std::memcpy(&bytes[32], numbers.data(), numbers.size());
  bytes[40] = 1;
  const std::optional<Configuration> found = configuration_from(bytes);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->type, "MLX10");
  EXPECT_EQ(found->pair, "a name of 16 byt");
  EXPECT_EQ(found->reference, 1.65F);
  EXPECT_EQ(found->sensitivity, 0.25F);
  EXPECT_TRUE(found->in_use);
  std::memset(&bytes[36], 0, 4);
  EXPECT_FALSE(configuration_from(bytes)) << "nothing can be divided by it";
  bytes[40] = 0;
  EXPECT_TRUE(configuration_from(bytes)) << "nobody will";
}

}  // namespace
}  // namespace wattune::device::powersensor

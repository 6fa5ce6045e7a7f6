#include "device/powersensor/meter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "wattune/error.hpp"

namespace wattune::device::powersensor {
namespace {

constexpr char command_stop = 'T';
constexpr char command_read = 'R';
constexpr char command_start = 'S';
constexpr char acknowledge = 'S';  // any character will do
constexpr char done = 'D';
constexpr Seconds quiet{0.05};
constexpr std::size_t kept = 60000;  // a minute
// Frames arrive late, never early: the smallest difference of arrival and device time is the best estimate of their
// offset. It may grow by this share of the time, as clocks of crystals drift by some 50 ppm.
constexpr double drift = 1e-4;

}  // namespace

Meter::Meter(const std::string& path, Clock& clock, Seconds limit) : port_(path), clock_(clock), limit_(limit) {
  stop_stream();
  read_configuration();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(ExitCode::device, "no more files can be opened", path);
  wake_read_ = ends[0];
  wake_ = ends[1];
  port_.write(command_start);
  thread_ = std::thread([this] { run(); });
}

Meter::~Meter() {
  while (::write(wake_, "e", 1) < 0 && errno == EINTR) {
  }
  thread_.join();
  port_.write(command_stop);
  ::close(wake_);
  ::close(wake_read_);
}

/// An earlier reader may have been killed while frames were coming.
void Meter::stop_stream() {
  port_.write(command_stop);
  FrameParser parser;
  std::array<unsigned char, 4096> block{};
  const Seconds end = clock_.monotonic() + limit_;
  while (!parser.stopped() && clock_.monotonic() < end) {
    const std::optional<std::size_t> got = port_.read(block, std::min(quiet, limit_));
    if (!got || *got == 0) return;  // it did not stream, or it is gone, which the next step tells
    parser.feed(std::span(block).first(*got));
  }
}

void Meter::read_exactly(std::span<unsigned char> bytes) {
  while (!bytes.empty()) {
    const std::optional<std::size_t> got = port_.read(bytes, limit_);
    if (!got || *got == 0) {
      throw Error(ExitCode::no_device, got ? "no power meter answers" : "the power meter is gone", port_.path(),
                  "is it a PowerSensor3, and the only device behind this name?");
    }
    bytes = bytes.subspan(*got);
  }
}

void Meter::read_configuration() {
  port_.write(command_read);
  for (Configuration& sensor : configuration_) {
    std::array<unsigned char, configuration_bytes> bytes{};
    read_exactly(bytes);
    const std::optional<Configuration> found = configuration_from(bytes);
    if (!found) {
      throw Error(ExitCode::no_device, "its configuration makes no sense", port_.path(),
                  "configure its sensors with the tools that came with it");
    }
    sensor = *found;
    port_.write(acknowledge);
  }
  std::array<unsigned char, 1> last{};
  read_exactly(last);
  if (last[0] != done) throw Error(ExitCode::no_device, "what answers is no PowerSensor3", port_.path());
}

std::vector<std::string> Meter::pair_names() const {
  std::vector<std::string> names;
  for (std::size_t sensor = 0; sensor < sensors; sensor += 2) {
    if (configuration_[sensor].in_use && configuration_[sensor + 1].in_use)
      names.push_back(configuration_[sensor].pair);
  }
  return names;
}

void Meter::run() {
  FrameParser parser;
  std::array<unsigned char, 4096> block{};
  while (port_.wait(wake_read_)) {
    const std::optional<std::size_t> got = port_.read(block, quiet);
    const Seconds arrival = clock_.system();
    if (!got) {
      const std::lock_guard lock(mutex_);
      lost_ = true;
      came_.notify_all();
      return;
    }
    for (const Frame& frame : parser.feed(std::span(block).first(*got))) take(frame, arrival);
  }
}

void Meter::take(const Frame& frame, Seconds arrival) {
  const std::optional<double> watts = power_of(frame, configuration_);
  const Seconds elapsed = microseconds(frame.elapsed_us);
  device_time_ += elapsed;
  const Seconds late = arrival - device_time_;
  offset_ = offset_ ? std::min(*offset_ + elapsed * drift, late) : late;
  if (!watts) return;
  block_time_ += elapsed;
  block_energy_ += Watts(*watts) * elapsed;
  if (block_time_ < period * 0.999) return;
  const std::lock_guard lock(mutex_);
  Seconds at = device_time_ + *offset_;
  if (!readings_.empty()) at = std::max(at, readings_.back().at + microseconds(1.0));
  readings_.push_back({at, (block_energy_ / block_time_).value()});
  if (readings_.size() > kept) readings_.pop_front();
  joules_ += block_energy_.value();
  block_time_ = Seconds(0.0);
  block_energy_ = Joules(0.0);
  came_.notify_all();
}

ReadResult Meter::newest(bool energy) {
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, std::chrono::duration<double>(limit_.value()), [this] { return lost_ || !readings_.empty(); });
  ReadResult result;
  result.lost = lost_;
  if (lost_) {
    result.why = "the power meter is gone";
  } else if (readings_.empty()) {
    result.why = "the power meter sends nothing";
  } else {
    result.reading = Reading{readings_.back().at, energy ? joules_ : readings_.back().value};
  }
  return result;
}

ReadResult Meter::power() {
  return newest(false);
}

ReadResult Meter::energy() {
  return newest(true);
}

std::vector<Reading> Meter::samples(Seconds begin, Seconds end) {
  const std::lock_guard lock(mutex_);
  // As a driver's: a buffer that no longer reaches back tells nothing.
  if (readings_.size() >= kept && readings_.front().at > begin) return {};
  std::vector<Reading> found;
  std::copy_if(readings_.begin(), readings_.end(), std::back_inserter(found),
               [&](const Reading& reading) { return reading.at >= begin && reading.at <= end; });
  return found;
}

}  // namespace wattune::device::powersensor

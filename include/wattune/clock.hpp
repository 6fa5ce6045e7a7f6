// Time as a port, so that tests and the virtual GPU never wait.
// Room `base`.
#pragma once

#include "wattune/units.hpp"

namespace wattune {

/// A source of time that can also wait. Monotonic time has an arbitrary origin; system time counts from 1970 (UTC).
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Seconds monotonic() const = 0;
  [[nodiscard]] virtual Seconds system() const = 0;
  virtual void sleep(Seconds duration) = 0;
};

/// The machine's own clocks. Lives as long as the program.
Clock& real_clock();

/// A clock that moves only when told to (or when something sleeps on it).
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Seconds start = Seconds(0.0)) : now_(start) {}
  [[nodiscard]] Seconds monotonic() const override { return now_; }
  [[nodiscard]] Seconds system() const override { return now_; }
  void sleep(Seconds duration) override { now_ += duration; }
  void advance(Seconds duration) { now_ += duration; }

 private:
  Seconds now_;
};

}  // namespace wattune

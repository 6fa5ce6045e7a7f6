#include "wattune/clock.hpp"

#include <chrono>
#include <thread>

namespace wattune {
namespace {

class RealClock final : public Clock {
 public:
  [[nodiscard]] Seconds monotonic() const override {
    return Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
  [[nodiscard]] Seconds system() const override {
    return Seconds(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count());
  }
  void sleep(Seconds duration) override {
    if (duration.value() > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(duration.value()));
  }
};

}  // namespace

Clock& real_clock() {
  static RealClock clock;
  return clock;
}

}  // namespace wattune

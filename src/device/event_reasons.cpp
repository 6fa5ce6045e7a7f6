// Why a clock is where it is: the bits of nvmlClocksEventReasons, which other vendors' reasons are mapped to.
#include <array>
#include <cstdint>

#include "wattune/device.hpp"

namespace wattune {
namespace {

struct Reason {
  std::uint64_t bit;
  const char* text;
  bool throttles;
};

constexpr std::array<Reason, 9> reasons = {{{0x1, "idle", false},
                                            {0x2, "clock setting", false},
                                            {0x4, "power cap", true},
                                            {0x8, "hardware slowdown", true},
                                            {0x10, "sync boost", false},
                                            {0x20, "thermal slowdown", true},
                                            {0x40, "hardware thermal slowdown", true},
                                            {0x80, "power brake", true},
                                            {0x100, "display clock", false}}};

std::uint64_t bits_of(double event_reasons) {
  return event_reasons > 0.0 && event_reasons < 0x1p53 ? static_cast<std::uint64_t>(event_reasons) : 0;
}

}  // namespace

bool is_throttled(double event_reasons) {
  const std::uint64_t bits = bits_of(event_reasons);
  bool throttled = false;
  for (const Reason& reason : reasons) throttled = throttled || (reason.throttles && (bits & reason.bit) != 0);
  return throttled;
}

std::string event_reasons_text(double event_reasons) {
  const std::uint64_t bits = bits_of(event_reasons);
  std::string text;
  for (const Reason& reason : reasons) {
    if ((bits & reason.bit) == 0) continue;
    if (!text.empty()) text += ", ";
    text += reason.text;
  }
  return text;
}

}  // namespace wattune

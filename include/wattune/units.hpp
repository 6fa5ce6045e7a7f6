// SI quantities as types, so that a second can never be passed where a joule is meant.
// Room `base`. Everything at a seam of the program speaks these; vendor units (milliseconds, milliwatts, megahertz)
// are converted once, where they enter, and nowhere else. Refuses implicit conversion from and to `double`.
#pragma once

#include <compare>

namespace wattune {

/// A real number with a unit. `Dimension` is only a tag. Value is in the SI unit of the tag; NaN is never used as a
/// signal.
template <class Dimension>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}

  /// The number in the SI unit (s, W, J, Hz, V).
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.value_ / k); }
  /// Ratio of two equal quantities: a plain number.
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }

 private:
  double value_ = 0.0;
};

using Seconds = Quantity<struct SecondsTag>;
using Watts = Quantity<struct WattsTag>;
using Joules = Quantity<struct JoulesTag>;
using Hertz = Quantity<struct HertzTag>;
using Volts = Quantity<struct VoltsTag>;

constexpr Joules operator*(Watts power, Seconds time) {
  return Joules(power.value() * time.value());
}
constexpr Joules operator*(Seconds time, Watts power) {
  return power * time;
}
constexpr Watts operator/(Joules energy, Seconds time) {
  return Watts(energy.value() / time.value());
}

constexpr Seconds milliseconds(double value) {
  return Seconds(value * 1e-3);
}
constexpr Seconds microseconds(double value) {
  return Seconds(value * 1e-6);
}
constexpr Hertz megahertz(double value) {
  return Hertz(value * 1e6);
}
/// The number of megahertz, as tables and users write clocks.
constexpr double in_megahertz(Hertz value) {
  return value.value() * 1e-6;
}

}  // namespace wattune

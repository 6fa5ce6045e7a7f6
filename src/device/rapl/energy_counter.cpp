#include "device/rapl/energy_counter.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "device/rapl/zone.hpp"

namespace wattune::device::rapl {
namespace {

constexpr double joules_per_microjoule = 1e-6;
constexpr Seconds register_period{0.001};  // the register is updated about every millisecond (Intel SDM 3B, 15.10.1)

/// Microjoules in the file, or `code` (errno; 0: no number in it).
std::optional<double> number_in(const std::string& path, int& code) {
  errno = 0;
  std::ifstream file(path);
  unsigned long long value = 0;
  if (file >> value) return static_cast<double>(value);
  code = errno;
  return std::nullopt;
}

std::string reason(const std::string& path, int code) {
  std::string why = path + ": " + (code != 0 ? std::strerror(code) : "no number in it");
  if (code == EACCES) why += "; run as root, or let root run: chmod a+r " + path;
  return why;
}

}  // namespace

EnergyCounter::EnergyCounter(std::string name, std::string zone, std::string scope, Clock& clock)
    : zone_(std::move(zone)), clock_(clock), info_{std::move(name), "J", register_period, false, {}} {
  traits_.counter = true;
  traits_.update_period = register_period;
  traits_.scope = std::move(scope);
  int code = 0;
  range_ = joules_per_microjoule * number_in(zone_ + "/max_energy_range_uj", code).value_or(0.0);
  info_.available = number_in(zone_ + "/energy_uj", code).has_value();
  if (!info_.available) info_.why = reason(zone_ + "/energy_uj", code);
}

ReadResult EnergyCounter::read() {
  ReadResult result;
  int code = 0;
  const std::string path = zone_ + "/energy_uj";
  const Seconds before = clock_.system();
  const std::optional<double> microjoules = number_in(path, code);
  const Seconds after = clock_.system();
  if (!microjoules) {
    result.why = reason(path, code);
    result.lost = last_ && (code == ENOENT || code == ENODEV);
    return result;
  }
  const double joules = joules_per_microjoule * *microjoules;
  if (last_ && joules < *last_) {
    if (range_ <= 0.0) {
      result.why = path + ": it went backwards, and max_energy_range_uj does not say where it wraps";
      last_ = joules;
      return result;
    }
    wrapped_ += range_;
  }
  last_ = joules;
  result.reading = Reading{(before + after) * 0.5, joules + wrapped_};
  return result;
}

}  // namespace wattune::device::rapl

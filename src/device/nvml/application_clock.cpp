#include "device/nvml/application_clock.hpp"

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "device/nvml/clock_lists.hpp"

namespace wattune::device::nvml {
namespace {

Result in_force(const Gpu& gpu, ClockDomain domain, unsigned& mhz) {
  if (gpu.api->device_get_applications_clock == nullptr) return error_function_not_found;
  const int type = domain == ClockDomain::core ? clock_graphics : clock_memory;
  return gpu.api->device_get_applications_clock(gpu.handle, type, &mhz);
}

/// The core clocks of the memory clock in force, or all memory clocks.
Result clocks_of(const Gpu& gpu, ClockDomain domain, ControlRange& range) {
  unsigned memory_mhz = 0;
  Result code = in_force(gpu, ClockDomain::memory, memory_mhz);
  if (code != success) return code;
  code =
      domain == ClockDomain::core ? graphics_clocks(gpu, memory_mhz, range.values) : memory_clocks(gpu, range.values);
  if (code == success) {
    range.low = range.values.front();
    range.high = range.values.back();
  }
  return code;
}

class ApplicationClock final : public ControlBase {
 public:
  ApplicationClock(const Gpu& gpu, ClockDomain domain, Result code, const ControlRange& range, bool settable,
                   const Permission& permission)
      : ControlBase(gpu, domain == ClockDomain::core ? "core_clock_mhz" : "memory_clock_mhz", code, range, settable,
                    permission),
        domain_(domain) {}

  [[nodiscard]] std::optional<std::string> state() override {
    unsigned mhz = 0;
    if (in_force(gpu(), domain_, mhz) != success) return std::nullopt;
    return std::to_string(mhz);
  }

  [[nodiscard]] std::optional<double> measured() override {
    unsigned mhz = 0;
    const int type = domain_ == ClockDomain::core ? clock_sm : clock_memory;
    if (gpu().api->device_get_clock_info == nullptr) return std::nullopt;
    if (gpu().api->device_get_clock_info(gpu().handle, type, &mhz) != success) return std::nullopt;
    return static_cast<double>(mhz);
  }

  ControlResult set(double value) override {
    if (ControlResult result = allowed(value); !result.ok()) return result;
    return set_pair(static_cast<unsigned>(value));
  }

  ControlResult restore(const std::string& state) override {
    if (ControlResult result = allowed(); !result.ok()) return result;
    const std::optional<double> mhz = setting_value(state);
    if (!mhz || *mhz < 1.0) return {ControlCode::refused, info().name + ": '" + state + "' is no setting of it"};
    if (ControlResult result = set_pair(static_cast<unsigned>(*mhz)); !result.ok()) return result;
    if (this->state() == state) return {};
    return {ControlCode::refused, info().name + " = " + state + ": the driver took it, but it is not in force"};
  }

 private:
  ControlResult set_pair(unsigned mhz) {
    unsigned memory_mhz = 0;
    unsigned core_mhz = 0;
    Result code = in_force(gpu(), ClockDomain::memory, memory_mhz);
    if (code == success) code = in_force(gpu(), ClockDomain::core, core_mhz);
    if (code != success) return answer(code, "in force");
    if (domain_ == ClockDomain::core) {
      core_mhz = mhz;
    } else {
      memory_mhz = mhz;
      core_mhz = nearest_core(memory_mhz, core_mhz);
    }
    const auto call = gpu().setters->set_applications_clocks;
    return answer(call != nullptr ? call(gpu().handle, memory_mhz, core_mhz) : error_function_not_found,
                  "= " + std::to_string(mhz));
  }

  /// Another memory clock has other core clocks.
  [[nodiscard]] unsigned nearest_core(unsigned memory_mhz, unsigned core_mhz) const {
    std::vector<double> clocks;
    if (graphics_clocks(gpu(), memory_mhz, clocks) != success) return core_mhz;
    return static_cast<unsigned>(*std::min_element(clocks.begin(), clocks.end(), [&](double a, double b) {
      return std::abs(a - core_mhz) < std::abs(b - core_mhz);
    }));
  }

  ClockDomain domain_;
};

}  // namespace

std::unique_ptr<Control> make_application_clock(const Gpu& gpu, ClockDomain domain, const Permission& permission) {
  ControlRange range;
  const Result code = clocks_of(gpu, domain, range);
  const bool settable = controls_forbidden() || gpu.setters->set_applications_clocks != nullptr;
  return std::make_unique<ApplicationClock>(gpu, domain, code, range, settable, permission);
}

}  // namespace wattune::device::nvml

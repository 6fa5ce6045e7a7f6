#include "device/nvml/locked_clock.hpp"

#include "base/format.hpp"
#include "device/nvml/clock_lists.hpp"

namespace wattune::device::nvml {
namespace {

constexpr const char* unlocked = "unlocked";

const char* name_of(ClockDomain domain) {
  return domain == ClockDomain::core ? "core_clock_mhz" : "memory_clock_mhz";
}

Result clocks_of(const Gpu& gpu, ClockDomain domain, ControlRange& range) {
  Result code = memory_clocks(gpu, range.values);
  if (code == success && domain == ClockDomain::core) code = graphics_clocks(gpu, range.values.back(), range.values);
  if (code == success) {
    range.low = range.values.front();
    range.high = range.values.back();
  }
  return code;
}

class LockedClock final : public ControlBase {
 public:
  LockedClock(const Gpu& gpu, ClockDomain domain, Result code, const ControlRange& range, const Permission& permission)
      : ControlBase(gpu, name_of(domain), code, range, locks_clock(gpu, domain), permission), domain_(domain) {}

  [[nodiscard]] std::optional<std::string> state() override { return state_; }
  [[nodiscard]] std::string released() const override { return unlocked; }

  [[nodiscard]] std::optional<double> measured() override {
    unsigned mhz = 0;
    const int type = domain_ == ClockDomain::core ? clock_sm : clock_memory;
    if (gpu().api->device_get_clock_info == nullptr) return std::nullopt;
    if (gpu().api->device_get_clock_info(gpu().handle, type, &mhz) != success) return std::nullopt;
    return static_cast<double>(mhz);
  }

  ControlResult set(double value) override {
    if (ControlResult result = allowed(value); !result.ok()) return result;
    return lock(static_cast<unsigned>(value));
  }

  ControlResult restore(const std::string& state) override {
    if (ControlResult result = allowed(); !result.ok()) return result;
    if (state == unlocked) return unlock();
    const std::optional<double> mhz = setting_value(state);
    if (!mhz || *mhz < 1.0) return {ControlCode::refused, info().name + ": '" + state + "' is no setting of it"};
    return lock(static_cast<unsigned>(*mhz));
  }

 private:
  ControlResult lock(unsigned mhz) {
    const Setters& set = *gpu().setters;
    const auto call = domain_ == ClockDomain::core ? set.set_gpu_locked_clocks : set.set_memory_locked_clocks;
    const std::string text = std::to_string(mhz);
    const Result code = call != nullptr ? call(gpu().handle, mhz, mhz) : error_function_not_found;
    ControlResult result = answer(code, "= " + text);
    if (result.ok()) state_ = text;
    return result;
  }

  ControlResult unlock() {
    const Setters& set = *gpu().setters;
    const auto call = domain_ == ClockDomain::core ? set.reset_gpu_locked_clocks : set.reset_memory_locked_clocks;
    const Result code = call != nullptr ? call(gpu().handle) : error_function_not_found;
    ControlResult result = answer(code, unlocked);
    if (result.ok()) state_ = unlocked;
    return result;
  }

  ClockDomain domain_;
  std::optional<std::string> state_;  ///< as this object set it; the driver does not tell
};

}  // namespace

bool locks_clock(const Gpu& gpu, ClockDomain domain) {
  const unsigned first = domain == ClockDomain::core ? architecture_volta : architecture_ampere;
  if (gpu.architecture != 0 && gpu.architecture < first) return false;
  if (controls_forbidden()) return true;  // the setters were not looked up
  const Setters& set = *gpu.setters;
  return domain == ClockDomain::core
             ? set.set_gpu_locked_clocks != nullptr && set.reset_gpu_locked_clocks != nullptr
             : set.set_memory_locked_clocks != nullptr && set.reset_memory_locked_clocks != nullptr;
}

std::unique_ptr<Control> make_locked_clock(const Gpu& gpu, ClockDomain domain, const Permission& permission) {
  ControlRange range;
  const Result code = clocks_of(gpu, domain, range);
  return std::make_unique<LockedClock>(gpu, domain, code, range, permission);
}

}  // namespace wattune::device::nvml

// A run that sets a device's clocks and power limit at random under a guard, until it is killed or told to end; and its
// own watchdog. Usage: guard_victim DEVICE loop|exception|uncaught|end|doomed SEED
// Prints "armed N M" after its first set: process ids of itself and of the watchdog.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include "wattune/device.hpp"
#include "wattune/error.hpp"
#include "wattune/guard.hpp"
#include "wattune/random.hpp"

namespace {

using namespace wattune;  // NOLINT(google-build-using-namespace): this file is a program

double some_value(const Control& control, Random& random) {
  const ControlRange& range = control.range();
  if (!range.values.empty()) return range.values[random.below(range.values.size())];
  return range.low + static_cast<double>(random.below(static_cast<std::uint64_t>(range.high - range.low) + 1));
}

/// Sets `count` random values of random controls (0: without end); gives the watchdog that it named.
int set_some(Device& device, Guard& guard, Random& random, int count) {
  int watchdog = 0;
  for (int i = 0; count == 0 || i < count; ++i) {
    const Control& control = *device.controls()[random.below(device.controls().size())];
    const ControlResult result = guard.set(control.info().name, some_value(control, random));
    if (!result.ok() && result.code != ControlCode::refused) throw Error(ExitCode::permission, result.why);
    if (i > 0) continue;
    watchdog = guard.watchdog_pid();
    std::cout << "armed " << ::getpid() << ' ' << watchdog << std::endl;
  }
  return watchdog;
}

int run(const std::string& name, const std::string& mode, Random random) {
  const std::unique_ptr<Device> device = open_device(name);
  if (!device) throw Error(ExitCode::no_device, "no such device", name);
  GuardOptions options;
  if (mode == "loop") options.notice = [](const std::string& text) { std::cout << text << std::endl; };
  Guard guard(*device, options);
  if (mode == "loop") set_some(*device, guard, random, 0);
  int named = set_some(*device, guard, random, 5);
  if (mode == "doomed") {  // its watchdog is killed whenever it is named
    while (true) {
      guard.check();
      const int now = guard.watchdog_pid();
      if (now != 0 && now != named) std::cout << "watchdog " << (named = now) << std::endl;
      real_clock().sleep(milliseconds(5));
    }
  }
  if (mode == "exception") throw std::runtime_error("on purpose");
  if (mode == "uncaught") std::terminate();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (const std::optional<int> ended = run_watchdog(argc, argv)) return *ended;
  if (argc != 4) return 2;
  try {
    return run(argv[1], argv[2], Random(std::strtoull(argv[3], nullptr, 10), 0));
  } catch (const Error& error) {
    std::cout << "error: " << error.what() << std::endl;
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::cout << "exception: " << error.what() << std::endl;
    return 1;
  }
}

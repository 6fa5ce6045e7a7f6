// One AMD GPU as its sensors and controls see it. Calls into the library go through call(), one at a time: before
// ROCm 7.2 it is not safe to use from several threads.
#pragma once

#include <mutex>

#include "device/amdsmi/api.hpp"
#include "device/amdsmi/setters.hpp"
#include "wattune/clock.hpp"

namespace wattune::device::amdsmi {

struct Gpu {
  const Api* api = nullptr;
  const Setters* setters = nullptr;  ///< never null; empty where controls are forbidden
  Handle handle = nullptr;
  Clock* clock = nullptr;
};

inline std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// error_function_not_found for a null function.
template <class... Parameters, class... Arguments>
Result call(Result (*function)(Parameters...), Arguments... arguments) {
  if (function == nullptr) return error_function_not_found;
  const std::lock_guard lock(library_mutex());
  return function(arguments...);
}

}  // namespace wattune::device::amdsmi

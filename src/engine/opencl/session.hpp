// A context with one in-order, profiling queue on one device: what kernels and arguments live in.
// Shared by the engine and everything it made, so that releasing in any order is safe.
#pragma once

#include <memory>

#include "engine/opencl/api.hpp"

namespace wattune::engine::opencl {

struct Session {
  /// Throws Error(device) when the device refuses a context or a queue.
  Session(const Api& functions, cl_device_id which);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Api& api;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

using SharedSession = std::shared_ptr<Session>;

}  // namespace wattune::engine::opencl

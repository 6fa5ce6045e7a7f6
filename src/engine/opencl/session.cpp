#include "engine/opencl/session.hpp"

namespace wattune::engine::opencl {

Session::Session(const Api& functions, cl_device_id which) : api(functions), device(which) {
  cl_int code = CL_SUCCESS;
  context = api.create_context(nullptr, 1, &device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) throw Error(ExitCode::device, "the device refused a context: " + error_name(code), "opencl");
  queue = api.create_command_queue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
  if (code != CL_SUCCESS) {
    api.release_context(context);
    throw Error(ExitCode::device, "the device refused a profiling queue: " + error_name(code), "opencl");
  }
}

Session::~Session() {
  api.release_command_queue(queue);
  api.release_context(context);
}

}  // namespace wattune::engine::opencl

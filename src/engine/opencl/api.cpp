#include "engine/opencl/api.hpp"

#include <array>
#include <filesystem>
#include <string>

#include "base/library.hpp"
#include "base/text.hpp"

namespace wattune::engine::opencl {
namespace {

/// True when PoCL is installed and would abort while it looks for the machine's topology.
bool would_abort() {
  std::error_code ignored;
  if (std::filesystem::exists("/sys/devices/system/cpu", ignored)) return false;
  for (const auto& entry : std::filesystem::directory_iterator("/etc/OpenCL/vendors", ignored)) {
    if (entry.path().filename().string().find("pocl") != std::string::npos) return true;
  }
  return false;
}

/// Fills the table; the name of the first missing function, or "".
std::string fill(Api& api, const base::Library& library) {
  std::string missing;
  const auto load = [&](auto& function, const char* name) {
    if (!library.load(function, name) && missing.empty()) missing = name;
  };
  load(api.get_platform_ids, "clGetPlatformIDs");
  load(api.get_platform_info, "clGetPlatformInfo");
  load(api.get_device_ids, "clGetDeviceIDs");
  load(api.get_device_info, "clGetDeviceInfo");
  load(api.create_context, "clCreateContext");
  load(api.release_context, "clReleaseContext");
  load(api.create_command_queue, "clCreateCommandQueue");
  load(api.release_command_queue, "clReleaseCommandQueue");
  load(api.create_program_with_source, "clCreateProgramWithSource");
  load(api.build_program, "clBuildProgram");
  load(api.get_program_info, "clGetProgramInfo");
  load(api.get_program_build_info, "clGetProgramBuildInfo");
  load(api.release_program, "clReleaseProgram");
  load(api.create_kernel, "clCreateKernel");
  load(api.get_kernel_info, "clGetKernelInfo");
  load(api.get_kernel_work_group_info, "clGetKernelWorkGroupInfo");
  load(api.set_kernel_arg, "clSetKernelArg");
  load(api.release_kernel, "clReleaseKernel");
  load(api.create_buffer, "clCreateBuffer");
  load(api.release_mem_object, "clReleaseMemObject");
  load(api.enqueue_read_buffer, "clEnqueueReadBuffer");
  load(api.enqueue_write_buffer, "clEnqueueWriteBuffer");
  load(api.enqueue_fill_buffer, "clEnqueueFillBuffer");
  load(api.enqueue_nd_range_kernel, "clEnqueueNDRangeKernel");
  load(api.wait_for_events, "clWaitForEvents");
  load(api.get_event_profiling_info, "clGetEventProfilingInfo");
  load(api.release_event, "clReleaseEvent");
  load(api.flush, "clFlush");
  load(api.finish, "clFinish");
  return missing;
}

LoadedApi load() {
  LoadedApi loaded;
  if (would_abort()) {
    loaded.problem = {"opencl", "not used: /sys is not mounted, where PoCL would end the program",
                      "mount sysfs on /sys"};
    return loaded;
  }
  constexpr std::array names = {"libOpenCL.so.1", "libOpenCL.so"};
  const base::Library library = base::Library::open(names);
  if (!library.loaded()) {
    loaded.problem = {"opencl", "no OpenCL loader (" + library.error() + ")",
                      "install ocl-icd-libopencl1 and a driver, e.g. pocl-opencl-icd"};
    return loaded;
  }
  Api api;
  if (const std::string missing = fill(api, library); !missing.empty()) {
    loaded.problem = {"opencl", library.name() + " is older than OpenCL 1.2: it has no " + missing,
                      "install a newer OpenCL loader"};
    return loaded;
  }
  loaded.api = api;
  return loaded;
}

}  // namespace

const LoadedApi& load_api() {
  static const LoadedApi loaded = load();
  return loaded;
}

std::string error_name(cl_int code) {
  const char* name = "an unknown OpenCL error";
  switch (code) {
    case CL_DEVICE_NOT_FOUND:
      name = "CL_DEVICE_NOT_FOUND";
      break;
    case CL_DEVICE_NOT_AVAILABLE:
      name = "CL_DEVICE_NOT_AVAILABLE";
      break;
    case CL_COMPILER_NOT_AVAILABLE:
      name = "CL_COMPILER_NOT_AVAILABLE";
      break;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      name = "CL_MEM_OBJECT_ALLOCATION_FAILURE";
      break;
    case CL_OUT_OF_RESOURCES:
      name = "CL_OUT_OF_RESOURCES";
      break;
    case CL_OUT_OF_HOST_MEMORY:
      name = "CL_OUT_OF_HOST_MEMORY";
      break;
    case CL_PROFILING_INFO_NOT_AVAILABLE:
      name = "CL_PROFILING_INFO_NOT_AVAILABLE";
      break;
    case CL_BUILD_PROGRAM_FAILURE:
      name = "CL_BUILD_PROGRAM_FAILURE";
      break;
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
      name = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
      break;
    case CL_INVALID_VALUE:
      name = "CL_INVALID_VALUE";
      break;
    case CL_INVALID_DEVICE:
      name = "CL_INVALID_DEVICE";
      break;
    case CL_INVALID_CONTEXT:
      name = "CL_INVALID_CONTEXT";
      break;
    case CL_INVALID_QUEUE_PROPERTIES:
      name = "CL_INVALID_QUEUE_PROPERTIES";
      break;
    case CL_INVALID_COMMAND_QUEUE:
      name = "CL_INVALID_COMMAND_QUEUE";
      break;
    case CL_INVALID_MEM_OBJECT:
      name = "CL_INVALID_MEM_OBJECT";
      break;
    case CL_INVALID_BUILD_OPTIONS:
      name = "CL_INVALID_BUILD_OPTIONS";
      break;
    case CL_INVALID_PROGRAM:
      name = "CL_INVALID_PROGRAM";
      break;
    case CL_INVALID_PROGRAM_EXECUTABLE:
      name = "CL_INVALID_PROGRAM_EXECUTABLE";
      break;
    case CL_INVALID_KERNEL_NAME:
      name = "CL_INVALID_KERNEL_NAME";
      break;
    case CL_INVALID_KERNEL:
      name = "CL_INVALID_KERNEL";
      break;
    case CL_INVALID_ARG_INDEX:
      name = "CL_INVALID_ARG_INDEX";
      break;
    case CL_INVALID_ARG_VALUE:
      name = "CL_INVALID_ARG_VALUE";
      break;
    case CL_INVALID_ARG_SIZE:
      name = "CL_INVALID_ARG_SIZE";
      break;
    case CL_INVALID_KERNEL_ARGS:
      name = "CL_INVALID_KERNEL_ARGS";
      break;
    case CL_INVALID_WORK_DIMENSION:
      name = "CL_INVALID_WORK_DIMENSION";
      break;
    case CL_INVALID_WORK_GROUP_SIZE:
      name = "CL_INVALID_WORK_GROUP_SIZE";
      break;
    case CL_INVALID_WORK_ITEM_SIZE:
      name = "CL_INVALID_WORK_ITEM_SIZE";
      break;
    case CL_INVALID_EVENT:
      name = "CL_INVALID_EVENT";
      break;
    case CL_INVALID_OPERATION:
      name = "CL_INVALID_OPERATION";
      break;
    case CL_INVALID_BUFFER_SIZE:
      name = "CL_INVALID_BUFFER_SIZE";
      break;
    case CL_INVALID_GLOBAL_WORK_SIZE:
      name = "CL_INVALID_GLOBAL_WORK_SIZE";
      break;
    case -9999:
      name = "an illegal access to memory";
      break;  // NVIDIA's own code
    default:
      break;
  }
  return std::string(name) + " (" + std::to_string(code) + ")";
}

}  // namespace wattune::engine::opencl

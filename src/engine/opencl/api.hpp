// The OpenCL functions this program calls, found in libOpenCL.so.1 at run time; tests fill the table with fakes.
// Types come from the Khronos headers; nothing is linked.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <optional>
#include <string>

#include "wattune/error.hpp"

namespace wattune::engine::opencl {

/// One pointer a function; all set after a successful load.
struct Api {
  decltype(&clGetPlatformIDs) get_platform_ids = nullptr;
  decltype(&clGetPlatformInfo) get_platform_info = nullptr;
  decltype(&clGetDeviceIDs) get_device_ids = nullptr;
  decltype(&clGetDeviceInfo) get_device_info = nullptr;
  decltype(&clCreateContext) create_context = nullptr;
  decltype(&clReleaseContext) release_context = nullptr;
  decltype(&clCreateCommandQueue) create_command_queue = nullptr;
  decltype(&clReleaseCommandQueue) release_command_queue = nullptr;
  decltype(&clCreateProgramWithSource) create_program_with_source = nullptr;
  decltype(&clBuildProgram) build_program = nullptr;
  decltype(&clGetProgramInfo) get_program_info = nullptr;
  decltype(&clGetProgramBuildInfo) get_program_build_info = nullptr;
  decltype(&clReleaseProgram) release_program = nullptr;
  decltype(&clCreateKernel) create_kernel = nullptr;
  decltype(&clGetKernelInfo) get_kernel_info = nullptr;
  decltype(&clGetKernelWorkGroupInfo) get_kernel_work_group_info = nullptr;
  decltype(&clSetKernelArg) set_kernel_arg = nullptr;
  decltype(&clReleaseKernel) release_kernel = nullptr;
  decltype(&clCreateBuffer) create_buffer = nullptr;
  decltype(&clReleaseMemObject) release_mem_object = nullptr;
  decltype(&clEnqueueReadBuffer) enqueue_read_buffer = nullptr;
  decltype(&clEnqueueWriteBuffer) enqueue_write_buffer = nullptr;
  decltype(&clEnqueueFillBuffer) enqueue_fill_buffer = nullptr;
  decltype(&clEnqueueNDRangeKernel) enqueue_nd_range_kernel = nullptr;
  decltype(&clWaitForEvents) wait_for_events = nullptr;
  decltype(&clGetEventProfilingInfo) get_event_profiling_info = nullptr;
  decltype(&clReleaseEvent) release_event = nullptr;
  decltype(&clFlush) flush = nullptr;
  decltype(&clFinish) finish = nullptr;
};

/// The table, or why there is none.
struct LoadedApi {
  std::optional<Api> api;
  Problem problem;
};

/// Loads once; later calls return the same table. Refuses where loading would end the process: PoCL aborts without
/// /sys/devices/system/cpu.
const LoadedApi& load_api();

/// "CL_INVALID_WORK_GROUP_SIZE (-54)".
std::string error_name(cl_int code);

}  // namespace wattune::engine::opencl

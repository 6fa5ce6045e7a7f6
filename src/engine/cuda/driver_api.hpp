// The CUDA driver functions this program calls, found in libcuda.so.1 at run time; tests fill the table with fakes.
// Own declarations (checked against CUDA 13's cuda.h), so that no toolkit is needed to build. Symbol names carry the
// version suffix that a current header would choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "wattune/error.hpp"

namespace wattune::engine::cuda {

using Result = int;                  ///< CUresult
using Ordinal = int;                 ///< CUdevice
using Address = unsigned long long;  ///< CUdeviceptr on 64-bit machines
struct ContextObject;
struct ModuleObject;
struct FunctionObject;
struct StreamObject;
struct EventObject;
struct GreenObject;
struct DescriptorObject;

struct Uuid {
  unsigned char bytes[16];
};

/// CUdevResource with room to grow: version 1 has 144 bytes, `sm` at offset 96.
struct DeviceResource {
  int type = 0;
  unsigned char internal[92] = {};
  unsigned int sm_count = 0;
  unsigned int min_partition = 0;
  unsigned int alignment = 0;
  unsigned char reserved[404] = {};
};
static_assert(offsetof(DeviceResource, sm_count) == 96);

constexpr Result success = 0;
constexpr Result error_invalid_value = 1;
constexpr Result error_out_of_memory = 2;
constexpr Result error_not_found = 500;
constexpr Result error_launch_out_of_resources = 701;

// CUdevice_attribute
constexpr int attribute_max_threads_per_block = 1;
constexpr int attribute_max_block_x = 2;
constexpr int attribute_max_grid_x = 5;
constexpr int attribute_shared_per_block = 8;
constexpr int attribute_clock_khz = 13;
constexpr int attribute_multiprocessors = 16;
constexpr int attribute_memory_clock_khz = 36;
constexpr int attribute_l2_bytes = 38;
constexpr int attribute_capability_major = 75;
constexpr int attribute_capability_minor = 76;
constexpr int attribute_shared_per_block_optin = 97;
// CUfunction_attribute
constexpr int function_max_threads = 0;
constexpr int function_shared_bytes = 1;
constexpr int function_registers = 4;
constexpr int function_max_dynamic_shared = 8;
// CUjit_option
constexpr int jit_error_log_buffer = 5;
constexpr int jit_error_log_bytes = 6;
// Flags
constexpr unsigned stream_non_blocking = 1;
constexpr unsigned green_default_stream = 1;
constexpr int resource_type_sm = 1;

/// One pointer a function. The last group may be null: older drivers lack it.
struct DriverApi {
  Result (*init)(unsigned flags) = nullptr;
  Result (*driver_get_version)(int* version) = nullptr;
  Result (*get_error_name)(Result code, const char** text) = nullptr;
  Result (*get_error_string)(Result code, const char** text) = nullptr;
  Result (*device_get_count)(int* count) = nullptr;
  Result (*device_get)(Ordinal* device, int ordinal) = nullptr;
  Result (*device_get_name)(char* name, int length, Ordinal device) = nullptr;
  Result (*device_get_uuid)(Uuid* uuid, Ordinal device) = nullptr;
  Result (*device_get_pci_bus_id)(char* id, int length, Ordinal device) = nullptr;
  Result (*device_get_attribute)(int* value, int attribute, Ordinal device) = nullptr;
  Result (*device_total_memory)(std::size_t* bytes, Ordinal device) = nullptr;
  Result (*primary_context_retain)(ContextObject** context, Ordinal device) = nullptr;
  Result (*primary_context_release)(Ordinal device) = nullptr;
  Result (*primary_context_reset)(Ordinal device) = nullptr;
  Result (*context_set_current)(ContextObject* context) = nullptr;
  Result (*module_load_data)(ModuleObject** module, const void* image, unsigned count, int* options,
                             void** values) = nullptr;
  Result (*module_unload)(ModuleObject* module) = nullptr;
  Result (*module_get_function)(FunctionObject** function, ModuleObject* module, const char* name) = nullptr;
  Result (*module_get_global)(Address* address, std::size_t* bytes, ModuleObject* module, const char* name) = nullptr;
  Result (*function_get_attribute)(int* value, int attribute, FunctionObject* function) = nullptr;
  Result (*function_set_attribute)(FunctionObject* function, int attribute, int value) = nullptr;
  Result (*memory_allocate)(Address* address, std::size_t bytes) = nullptr;
  Result (*memory_free)(Address address) = nullptr;
  Result (*copy_to_device)(Address to, const void* from, std::size_t bytes, StreamObject* stream) = nullptr;
  Result (*copy_to_host)(void* to, Address from, std::size_t bytes, StreamObject* stream) = nullptr;
  Result (*copy_on_device)(Address to, Address from, std::size_t bytes, StreamObject* stream) = nullptr;
  Result (*memory_set_words)(Address address, unsigned value, std::size_t words, StreamObject* stream) = nullptr;
  Result (*launch_kernel)(FunctionObject* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared_bytes, StreamObject* stream,
                          void** parameters, void** extra) = nullptr;
  Result (*stream_create)(StreamObject** stream, unsigned flags) = nullptr;
  Result (*stream_destroy)(StreamObject* stream) = nullptr;
  Result (*stream_synchronize)(StreamObject* stream) = nullptr;
  Result (*event_create)(EventObject** event, unsigned flags) = nullptr;
  Result (*event_destroy)(EventObject* event) = nullptr;
  Result (*event_record)(EventObject* event, StreamObject* stream) = nullptr;
  Result (*event_synchronize)(EventObject* event) = nullptr;
  Result (*event_elapsed_ms)(float* milliseconds, EventObject* begin, EventObject* end) = nullptr;

  Result (*function_get_parameter)(FunctionObject* function, std::size_t index, std::size_t* offset,
                                   std::size_t* bytes) = nullptr;
  Result (*device_get_resource)(Ordinal device, DeviceResource* resource, int type) = nullptr;
  Result (*split_by_count)(DeviceResource* result, unsigned* groups, const DeviceResource* input,
                           DeviceResource* remaining, unsigned flags, unsigned min_count) = nullptr;
  Result (*generate_descriptor)(DescriptorObject** descriptor, DeviceResource* resources, unsigned count) = nullptr;
  Result (*green_create)(GreenObject** green, DescriptorObject* descriptor, Ordinal device, unsigned flags) = nullptr;
  Result (*green_destroy)(GreenObject* green) = nullptr;
  Result (*context_from_green)(ContextObject** context, GreenObject* green) = nullptr;
};

/// The table, or why there is none.
struct LoadedDriver {
  std::optional<DriverApi> api;
  Problem problem;
};

/// Loads the library and initialises it, once. A library without a GPU behind it is a problem, too.
const LoadedDriver& load_driver();

/// Calls cuInit on a filled table; a Problem when it fails, nothing when the driver works.
std::optional<Problem> initialise(const DriverApi& api);

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered".
std::string error_text(const DriverApi& api, Result code);

/// True when nothing works in the context after this error: it must be destroyed.
bool is_sticky(Result code);

}  // namespace wattune::engine::cuda

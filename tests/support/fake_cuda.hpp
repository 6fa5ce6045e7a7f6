// A CUDA driver and an NVRTC made of plain functions: enough to run the CUDA engine without a GPU.
// Launches complete at once and take 0.25 ms each; a test sets `state().…` to make calls fail or to count them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/cuda/driver_api.hpp"
#include "engine/cuda/nvrtc_api.hpp"

namespace wattune::support::fake_cuda {

using namespace wattune::engine::cuda;  // NOLINT: the fake speaks the engine's own declarations

/// An allocation beyond this fails.
constexpr std::size_t memory_limit = std::size_t{4} << 20U;

struct State {
  // What the device is.
  int capability_major = 9;
  int capability_minor = 0;
  std::vector<int> known_architectures{80, 90};
  // What the kernel is.
  std::vector<std::size_t> parameters{8, 4};
  int kernel_max_threads = 1024;
  int kernel_shared_bytes = 0;
  std::map<std::string, std::size_t> symbols;  ///< __constant__ symbols and their sizes
  // What goes wrong.
  Result launch_error = success;  ///< of cuLaunchKernel
  Result sync_error = success;    ///< seen at the next synchronisation, then for ever (until a reset)
  Result load_error = success;
  std::string compile_log;   ///< not empty: compilation fails with it
  unsigned granularity = 8;  ///< of green contexts
  // What was done.
  int launches = 0;
  int flushes = 0;
  int resets = 0;
  int greens = 0;     ///< green contexts made
  int bad_frees = 0;  ///< of what does not exist, e.g. after a reset
  int retained = 0;
  int max_dynamic_shared = 0;
  unsigned last_shared_bytes = 0;
  std::set<Address> allocations;
  std::set<void*> objects;  ///< streams, events, modules, green contexts alive
  std::map<std::string, std::vector<char>> symbol_contents;
  std::vector<std::string> options;
  std::vector<std::string> log;  ///< order of "record", "flush", "launch", "sync"
  std::vector<std::vector<char>> launched_parameters;
};

inline State& state() {
  static State s;
  return s;
}

template <class Object>
Object* make() {
  void* raw = std::malloc(16);
  state().objects.insert(raw);
  return static_cast<Object*>(raw);
}

template <class Object>
Result destroy(Object* object) {
  if (state().objects.erase(object) == 0) {
    ++state().bad_frees;
    return 400;
  }
  std::free(object);
  return success;
}

inline Result synchronise() {
  state().log.emplace_back("sync");
  return state().sync_error;
}

inline int attribute(int which) {
  switch (which) {
    case attribute_max_threads_per_block:
      return 1024;
    case attribute_max_block_x:
    case attribute_max_block_x + 1:
      return 1024;
    case attribute_max_block_x + 2:
      return 64;
    case attribute_max_grid_x:
      return 2147483647;
    case attribute_max_grid_x + 1:
    case attribute_max_grid_x + 2:
      return 65535;
    case attribute_shared_per_block:
      return 49152;
    case attribute_shared_per_block_optin:
      return 232448;
    case attribute_multiprocessors:
      return 132;
    case attribute_l2_bytes:
      return 1 << 20;
    case attribute_clock_khz:
      return 1980000;
    case attribute_memory_clock_khz:
      return 3201000;
    case attribute_capability_major:
      return state().capability_major;
    case attribute_capability_minor:
      return state().capability_minor;
    default:
      return 0;
  }
}

inline void add_context_functions(DriverApi& api) {
  api.primary_context_retain = [](ContextObject** context, Ordinal) {
    ++state().retained;
    *context = reinterpret_cast<ContextObject*>(std::uintptr_t{0x1000});
    return success;
  };
  api.primary_context_release = [](Ordinal) {
    --state().retained;
    return success;
  };
  api.primary_context_reset = [](Ordinal) {
    ++state().resets;
    for (void* object : state().objects) std::free(object);
    for (const Address address : state().allocations) std::free(reinterpret_cast<void*>(address));
    state().objects.clear();
    state().allocations.clear();
    state().sync_error = success;
    return success;
  };
  api.context_set_current = [](ContextObject*) { return success; };
  api.stream_create = [](StreamObject** stream, unsigned) {
    *stream = make<StreamObject>();
    return success;
  };
  api.stream_destroy = [](StreamObject* stream) { return destroy(stream); };
  api.stream_synchronize = [](StreamObject*) { return synchronise(); };
  api.event_create = [](EventObject** event, unsigned) {
    *event = make<EventObject>();
    return success;
  };
  api.event_destroy = [](EventObject* event) { return destroy(event); };
  api.event_record = [](EventObject*, StreamObject*) {
    state().log.emplace_back("record");
    return success;
  };
  api.event_synchronize = [](EventObject*) { return synchronise(); };
  api.event_elapsed_ms = [](float* milliseconds, EventObject*, EventObject*) {
    *milliseconds = 0.25F;
    return success;
  };
}

inline void add_memory_functions(DriverApi& api) {
  api.memory_allocate = [](Address* address, std::size_t bytes) {
    if (bytes > memory_limit) return error_out_of_memory;
    *address = reinterpret_cast<Address>(std::malloc(bytes));
    state().allocations.insert(*address);
    return success;
  };
  api.memory_free = [](Address address) {
    if (state().allocations.erase(address) == 0) {
      ++state().bad_frees;
      return error_invalid_value;
    }
    std::free(reinterpret_cast<void*>(address));
    return success;
  };
  api.copy_to_device = [](Address to, const void* from, std::size_t bytes, StreamObject*) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return success;
  };
  api.copy_to_host = [](void* to, Address from, std::size_t bytes, StreamObject*) {
    std::memcpy(to, reinterpret_cast<void*>(from), bytes);
    return success;
  };
  api.copy_on_device = [](Address to, Address from, std::size_t bytes, StreamObject*) {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
    return success;
  };
  api.memory_set_words = [](Address, unsigned, std::size_t words, StreamObject*) {
    state().log.emplace_back("flush");
    ++state().flushes;
    return words * 4 >= 2U << 20U ? success : error_invalid_value;  // twice the fake's cache
  };
}

inline void add_module_functions(DriverApi& api) {
  api.module_load_data = [](ModuleObject** module, const void*, unsigned, int*, void**) {
    if (state().load_error != success) return state().load_error;
    *module = make<ModuleObject>();
    return success;
  };
  api.module_unload = [](ModuleObject* module) { return destroy(module); };
  api.module_get_function = [](FunctionObject** function, ModuleObject*, const char*) {
    *function = reinterpret_cast<FunctionObject*>(std::uintptr_t{0x2000});
    return success;
  };
  api.module_get_global = [](Address* address, std::size_t* bytes, ModuleObject*, const char* name) {
    const auto symbol = state().symbols.find(name);
    if (symbol == state().symbols.end()) return error_not_found;
    std::vector<char>& contents = state().symbol_contents[name];
    contents.resize(symbol->second);
    *address = reinterpret_cast<Address>(contents.data());
    *bytes = contents.size();
    return success;
  };
  api.function_get_attribute = [](int* value, int which, FunctionObject*) {
    *value = which == function_max_threads    ? state().kernel_max_threads
             : which == function_shared_bytes ? state().kernel_shared_bytes
             : which == function_registers    ? 40
                                              : 0;
    return success;
  };
  api.function_set_attribute = [](FunctionObject*, int which, int value) {
    if (which == function_max_dynamic_shared) state().max_dynamic_shared = value;
    return success;
  };
  api.function_get_parameter = [](FunctionObject*, std::size_t index, std::size_t*, std::size_t* bytes) {
    if (index >= state().parameters.size()) return error_invalid_value;
    *bytes = state().parameters[index];
    return success;
  };
  api.launch_kernel = [](FunctionObject*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                         StreamObject*, void** parameters, void**) {
    if (state().launch_error != success) return state().launch_error;
    state().log.emplace_back("launch");
    ++state().launches;
    state().last_shared_bytes = shared;
    state().launched_parameters.clear();
    for (std::size_t i = 0; i < state().parameters.size(); ++i) {
      const char* bytes = static_cast<const char*>(parameters[i]);
      state().launched_parameters.emplace_back(bytes, bytes + state().parameters[i]);
    }
    return success;
  };
}

inline void add_green_functions(DriverApi& api) {
  api.device_get_resource = [](Ordinal, DeviceResource* resource, int type) {
    resource->type = type;
    resource->sm_count = 132;
    return success;
  };
  api.split_by_count = [](DeviceResource* result, unsigned* groups, const DeviceResource*, DeviceResource*, unsigned,
                          unsigned count) {
    *groups = 1;
    result->sm_count = (count + state().granularity - 1) / state().granularity * state().granularity;
    return success;
  };
  api.generate_descriptor = [](DescriptorObject**, DeviceResource*, unsigned) { return success; };
  api.green_create = [](GreenObject** green, DescriptorObject*, Ordinal, unsigned flags) {
    if (flags != green_default_stream) return error_invalid_value;
    ++state().greens;
    *green = make<GreenObject>();
    return success;
  };
  api.green_destroy = [](GreenObject* green) { return destroy(green); };
  api.context_from_green = [](ContextObject** context, GreenObject*) {
    *context = reinterpret_cast<ContextObject*>(std::uintptr_t{0x3000});
    return success;
  };
}

inline DriverApi driver() {
  DriverApi api;
  api.init = [](unsigned) { return success; };
  api.driver_get_version = [](int* version) {
    *version = 13000;
    return success;
  };
  api.get_error_name = [](Result code, const char** text) {
    *text = code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : nullptr;
    return code == 700 ? success : error_invalid_value;
  };
  api.get_error_string = [](Result, const char** text) {
    *text = "what it means";
    return success;
  };
  api.device_get_count = [](int* count) {
    *count = 1;
    return success;
  };
  api.device_get = [](Ordinal* device, int ordinal) {
    *device = ordinal;
    return success;
  };
  api.device_get_name = [](char* text, int length, Ordinal) {
    std::snprintf(text, static_cast<std::size_t>(length), "Fake GPU");
    return success;
  };
  api.device_get_uuid = [](Uuid* uuid, Ordinal) {
    for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(0xF0 + i);
    return success;
  };
  api.device_get_pci_bus_id = [](char* text, int length, Ordinal) {
    std::snprintf(text, static_cast<std::size_t>(length), "0000:3B:00.0");
    return success;
  };
  api.device_get_attribute = [](int* value, int which, Ordinal) {
    *value = attribute(which);
    return success;
  };
  api.device_total_memory = [](std::size_t* bytes, Ordinal) {
    *bytes = std::size_t{1} << 30U;
    return success;
  };
  add_context_functions(api);
  add_memory_functions(api);
  add_module_functions(api);
  add_green_functions(api);
  return api;
}

inline NvrtcApi nvrtc() {
  NvrtcApi api;
  api.version = [](int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return nvrtc_success;
  };
  api.get_error_string = [](int) { return "NVRTC_ERROR"; };
  api.create_program = [](ProgramObject** program, const char*, const char*, int, const char* const*,
                          const char* const*) {
    *program = make<ProgramObject>();
    return nvrtc_success;
  };
  api.destroy_program = [](ProgramObject** program) { return destroy(*program); };
  api.compile_program = [](ProgramObject*, int count, const char* const* options) {
    state().options.assign(options, options + count);
    return state().compile_log.empty() ? nvrtc_success : nvrtc_compilation;
  };
  api.add_name_expression = [](ProgramObject*, const char*) { return nvrtc_success; };
  api.get_lowered_name = [](ProgramObject*, const char* expression, const char** name) {
    *name = expression;
    return nvrtc_success;
  };
  api.get_log_size = [](ProgramObject*, std::size_t* bytes) {
    *bytes = state().compile_log.size() + 1;
    return nvrtc_success;
  };
  api.get_log = [](ProgramObject*, char* text) {
    std::strcpy(text, state().compile_log.c_str());
    return nvrtc_success;
  };
  api.get_ptx_size = [](ProgramObject*, std::size_t* bytes) {
    *bytes = 4;
    return nvrtc_success;
  };
  api.get_ptx = [](ProgramObject*, char* text) {
    std::strcpy(text, "ptx");
    return nvrtc_success;
  };
  api.get_cubin_size = api.get_ptx_size;
  api.get_cubin = [](ProgramObject*, char* text) {
    std::strcpy(text, "bin");
    return nvrtc_success;
  };
  api.get_architecture_count = [](int* count) {
    *count = static_cast<int>(state().known_architectures.size());
    return nvrtc_success;
  };
  api.get_architectures = [](int* architectures) {
    std::copy(state().known_architectures.begin(), state().known_architectures.end(), architectures);
    return nvrtc_success;
  };
  return api;
}

}  // namespace wattune::support::fake_cuda

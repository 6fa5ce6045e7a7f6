// NVRTC, the run-time compiler of CUDA C++, found at run time; tests fill the table with fakes.
// Own declarations (checked against CUDA 13's nvrtc.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "wattune/error.hpp"

namespace wattune::engine::cuda {

struct ProgramObject;

constexpr int nvrtc_success = 0;
constexpr int nvrtc_invalid_option = 5;
constexpr int nvrtc_compilation = 6;

/// One pointer a function; the last group may be null in old releases.
struct NvrtcApi {
  int (*version)(int* major, int* minor) = nullptr;
  const char* (*get_error_string)(int code) = nullptr;
  int (*create_program)(ProgramObject** program, const char* source, const char* name, int headers,
                        const char* const* texts, const char* const* names) = nullptr;
  int (*destroy_program)(ProgramObject** program) = nullptr;
  int (*compile_program)(ProgramObject* program, int options, const char* const* texts) = nullptr;
  int (*add_name_expression)(ProgramObject* program, const char* expression) = nullptr;
  int (*get_lowered_name)(ProgramObject* program, const char* expression, const char** name) = nullptr;
  int (*get_log_size)(ProgramObject* program, std::size_t* bytes) = nullptr;
  int (*get_log)(ProgramObject* program, char* text) = nullptr;
  int (*get_ptx_size)(ProgramObject* program, std::size_t* bytes) = nullptr;
  int (*get_ptx)(ProgramObject* program, char* text) = nullptr;

  int (*get_cubin_size)(ProgramObject* program, std::size_t* bytes) = nullptr;
  int (*get_cubin)(ProgramObject* program, char* bytes) = nullptr;
  int (*get_architecture_count)(int* count) = nullptr;
  int (*get_architectures)(int* architectures) = nullptr;
};

/// The table with where it came from, or why there is none.
struct LoadedNvrtc {
  std::optional<NvrtcApi> api;
  std::string path;                          ///< the library's file
  std::vector<std::string> include_folders;  ///< of the toolkit beside it, those that exist
  Problem problem;
};

/// Loads once. Majors up to `driver_major` (0: any) are tried first, since a driver may refuse code of a newer one;
/// the loader's own path first, then CUDA_HOME, CUDA_PATH and /usr/local/cuda*.
const LoadedNvrtc& load_nvrtc(int driver_major);

}  // namespace wattune::engine::cuda

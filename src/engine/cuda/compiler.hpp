// CUDA C++ source to machine code, through NVRTC; needs no GPU.
// Machine code (CUBIN) for the device's own architecture where NVRTC knows it, else PTX for the newest it knows, which
// the driver finishes. Source the compiler refuses is a Status, never an exception.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/nvrtc_api.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::cuda {

/// What the compiler made of a source.
struct Image {
  Status status = Status::correct;  ///< correct, compile or runtime (too many resources)
  std::string message;
  std::string bytes;         ///< CUBIN, or PTX with its closing NUL
  std::string lowered_name;  ///< the kernel's symbol
  bool is_ptx = false;
};

class Compiler {
 public:
  /// `capability` = 10 * major + minor of the device.
  Compiler(const NvrtcApi& api, int capability, std::vector<std::string> include_folders);

  [[nodiscard]] Image compile(const CompileRequest& request) const;
  /// "13.0"
  [[nodiscard]] std::string version() const;
  /// The options that a request is compiled with, the user's last: an architecture, C++17, device code by default,
  /// include folders, and definitions. `-O…` is left out, since NVRTC always optimises and knows no such option.
  [[nodiscard]] std::vector<std::string> options_for(const CompileRequest& request) const;

 private:
  [[nodiscard]] std::string architecture() const;
  [[nodiscard]] Image failure(ProgramObject* program, int code) const;
  [[nodiscard]] Image extract(ProgramObject* program, bool as_ptx) const;

  const NvrtcApi& api_;
  int capability_;
  std::vector<std::string> include_folders_;
  std::vector<int> known_architectures_;
};

}  // namespace wattune::engine::cuda

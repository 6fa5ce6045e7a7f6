// Fuzz target: the reader of Kernel Tuner caches, whole and in pieces.
#include "import_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return wattune::fuzz::json_target(data, size, wattune::io::import_kernel_tuner);
}

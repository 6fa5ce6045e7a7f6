// Fuzz target: the reader of KTT output, whole and in pieces.
#include "import_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return wattune::fuzz::json_target(data, size, wattune::io::import_ktt);
}

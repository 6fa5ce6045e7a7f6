// Fuzz target: the readers of wisdom files and results stores.
#include "import_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  wattune::fuzz::attempt([&] { return wattune::io::import_wisdom("fuzz", text); });
  wattune::fuzz::attempt([&] { return wattune::io::import_results_store("fuzz", text); });
  return 0;
}

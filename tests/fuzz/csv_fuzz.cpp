// Fuzz target: the reader of plain tables.
#include "import_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  wattune::fuzz::attempt([&] { return wattune::io::import_csv("fuzz", text); });
  return 0;
}

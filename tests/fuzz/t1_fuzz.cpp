// Fuzz target: the reader of T1 inputs.
#include <cstdint>
#include <string_view>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(wattune::parse_t1_spec(text, "fuzz"));
  } catch (const wattune::Error& error) {
    if (error.problems().empty()) __builtin_trap();  // a refusal says why
  }
  return 0;
}

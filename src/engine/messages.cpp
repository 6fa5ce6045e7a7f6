#include "engine/messages.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/text.hpp"

namespace wattune::engine {
namespace {

constexpr std::size_t excerpt_lines = 12;

}  // namespace

std::string log_excerpt(std::string_view log) {
  // Some drivers end the log with a NUL that counts.
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n' || log.back() == ' ')) log.remove_suffix(1);
  const std::string lowered = base::lower(log);
  const std::size_t error = lowered.find("error");
  if (error != std::string::npos) {
    const std::size_t line = log.rfind('\n', error);
    if (line != std::string_view::npos) log.remove_prefix(line + 1);
  }
  return base::first_lines(log, excerpt_lines);
}

bool exhausts_resources(std::string_view log) {
  // ptxas: "uses too much shared data", "too many registers"; the OpenCL driver passes the same text on.
  constexpr std::array phrases = {"too much shared", "too much local data", "too many resources", "too much constant"};
  return std::any_of(phrases.begin(), phrases.end(),
                     [log](const char* phrase) { return log.find(phrase) != std::string_view::npos; });
}

unsigned long long last_level_cpu_cache(const std::string& root) {
  unsigned long long largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file(root + "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    unsigned long long amount = 0;
    char unit = 'B';
    if (!(file >> amount)) continue;
    file >> unit;
    if (unit == 'K') amount *= 1024ULL;
    if (unit == 'M') amount *= 1024ULL * 1024ULL;
    largest = std::max(largest, amount);
  }
  return largest;
}

}  // namespace wattune::engine

#include "io/recorded_words.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace wattune::io {

bool is_device_setting(std::string_view name) {
  for (std::string_view known :
       {"core_clock_mhz", "memory_clock_mhz", "power_limit_w", "nvml_gr_clock", "nvml_mem_clock", "nvml_pwr_limit"}) {
    if (name == known) return true;
  }
  return false;
}

std::optional<Status> status_of_failure(std::string_view name) {
  if (name == "InvalidConfig") return Status::constraints;
  if (name == "CompilationFailedConfig") return Status::compile;
  if (name == "RuntimeFailedConfig" || name == "ErrorConfig") return Status::runtime;
  return std::nullopt;
}

bool is_higher_better(std::string_view quantity) {
  const std::string name = base::lower(quantity);
  for (std::string_view part : {"flop", "/s", "/w", "score", "throughput", "efficiency", "bandwidth"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

std::string problem_text(const std::vector<double>& sizes) {
  std::string text;
  for (double size : sizes) {
    if (!text.empty()) text += 'x';
    text += fmt::format("{}", size);
  }
  return text;
}

std::vector<double> problem_numbers(std::string_view text) {
  std::vector<double> numbers;
  double number = 0.0;
  bool open = false;
  for (char c : text) {
    if (c >= '0' && c <= '9') {
      number = number * 10.0 + (c - '0');
      open = true;
      if (number > 1e18) return {};  // no size of anything
    } else if (std::string_view("x,()[] ").find(c) != std::string_view::npos) {
      if (open) numbers.push_back(number);
      number = 0.0;
      open = false;
    } else {
      return {};
    }
  }
  if (open) numbers.push_back(number);
  return numbers;
}

}  // namespace wattune::io

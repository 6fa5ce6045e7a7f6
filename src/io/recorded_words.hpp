// What the words and numbers of other tools' recordings mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/status.hpp"

namespace wattune::io {

/// Kernel Tuner's error names to statuses; nothing for any other text.
std::optional<Status> status_of_failure(std::string_view name);
/// A device setting (clock, power limit): its default in a recording is the highest value.
bool is_device_setting(std::string_view name);
/// True for quantities of which more is better ("GFLOP/s", "GB/s", "GFLOPS/W", "score").
bool is_higher_better(std::string_view quantity);
/// "4096x4096" for 4096, 4096.
std::string problem_text(const std::vector<double>& sizes);
/// Numbers of "4096x4096", "[1000]", "(1000, 1)"; empty when the text is none of these.
std::vector<double> problem_numbers(std::string_view text);

}  // namespace wattune::io

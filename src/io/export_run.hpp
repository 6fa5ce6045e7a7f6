// One writer a format. Each writes the outcomes of a run and returns how many.
#pragma once

#include <cstdint>
#include <ostream>

#include "wattune/run.hpp"

namespace wattune::io {

std::uint64_t export_t4(const Run& run, std::ostream& out);
std::uint64_t export_kernel_tuner(const Run& run, std::ostream& out);
std::uint64_t export_csv(const Run& run, std::ostream& out);
/// Throws Error(nothing_valid) when the run has no best configuration.
std::uint64_t export_header(const Run& run, std::ostream& out);

}  // namespace wattune::io

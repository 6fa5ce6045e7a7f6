// One writer a format. Each writes the outcomes of a run and returns how many. `recording`, where the run was made of
// one, adds what a run has no place for: lists of samples other than times. Null otherwise.
#pragma once

#include <cstdint>
#include <ostream>

#include "wattune/recorded_space.hpp"
#include "wattune/run.hpp"

namespace wattune::io {

std::uint64_t export_t4(const Run& run, const RecordedSpace* recording, std::ostream& out);
std::uint64_t export_kernel_tuner(const Run& run, const RecordedSpace* recording, std::ostream& out);
std::uint64_t export_csv(const Run& run, const RecordedSpace* recording, std::ostream& out);
/// Throws Error(nothing_valid) when the run has no best configuration.
std::uint64_t export_header(const Run& run, const RecordedSpace* recording, std::ostream& out);

}  // namespace wattune::io

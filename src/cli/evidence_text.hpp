// What is known about the energies of a recording before somebody acts on them, as text and as JSON.
#pragma once

#include <iosfwd>

#include "cli/json.hpp"
#include "wattune/trade_off.hpp"

namespace wattune::cli {

/// Least energy and fastest, each with its interval, and warnings. Nothing when there is nothing to say: no single
/// readings and no warning.
void print_evidence(const EnergyEvidence& evidence, std::ostream& out);

/// {candidates, least_energy, fastest, difference, over_limit, …, warnings}.
Json evidence_json(const RecordedSpace& recording, const EnergyEvidence& evidence);

/// {"MWG": 64, …} of an entry.
Json entry_parameters_json(const RecordedSpace& recording, std::size_t entry);

/// {percent, low_percent, high_percent, probability, established}.
Json difference_json(const MeanDifference& difference);

}  // namespace wattune::cli

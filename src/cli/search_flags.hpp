// Flags of a search put into a spec, beside or instead of what it says.
#pragma once

#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "wattune/recorded_space.hpp"
#include "wattune/spec.hpp"

namespace wattune::cli {

/// Writes `flags` into `spec`, all but the budget. `recording` (may be null) says which way its objectives go. Throws
/// Error(usage) for a flag of the wrong form.
void apply(const SearchFlags& flags, const RecordedSpace* recording, Spec& spec);

/// The limits of the flags; what is empty is left to the spec.
BudgetSpec budget_of(const SearchFlags& flags);

/// The configurations of --start.
std::vector<std::vector<NamedValue>> start_of(const SearchFlags& flags);

/// "32", "0.5", "True" as what they are, everything else as text.
Value value_from(std::string_view text);

}  // namespace wattune::cli

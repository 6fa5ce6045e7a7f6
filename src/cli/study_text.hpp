// A comparison of strategies as people, programs and plotting tools read it.
#pragma once

#include <iosfwd>

#include "cli/json.hpp"
#include "wattune/strategy_study.hpp"

namespace wattune::cli {

/// Tables: one a space, then the aggregate, then what leaving a space out would have chosen.
void print_study(const StudyRequest& request, const StudyResult& result, std::ostream& out);
/// The document of the contract, with the scores by space beside it.
Json study_json(const StudyRequest& request, const StudyResult& result);
/// Fraction of the optimum after each number of evaluations, by space and strategy, beside random search's.
void print_study_csv(const StudyRequest& request, const StudyResult& result, std::ostream& out);

}  // namespace wattune::cli

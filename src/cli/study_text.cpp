#include "cli/study_text.hpp"

#include <algorithm>
#include <ostream>

#include "base/format.hpp"
#include "base/table.hpp"
#include "cli/csv_text.hpp"

namespace wattune::cli {
namespace {

constexpr int fraction_digits = 3;

std::string fixed(double value) {
  return base::format_fixed(value, fraction_digits);
}

std::string evaluations_text(const std::optional<double>& evaluations) {
  return evaluations ? base::format_fixed(*evaluations, 0) : "-";
}

std::vector<std::string> row_cells(const StudyRequest& request, std::span<const StudyRow> rows,
                                   const StudyScore& score) {
  std::vector<std::string> cells = {request.strategies[score.strategy]};
  for (const StudyRow& row : rows) cells.push_back(fixed(row.mean_fraction));
  const auto largest = std::ranges::max_element(rows, {}, &StudyRow::budget);
  for (const StudyReach* reach : {&largest->within_1_percent, &largest->within_5_percent}) {
    cells.push_back(base::format_fixed(100.0 * reach->success_rate, 0) + " %");
    cells.push_back(evaluations_text(reach->expected_evaluations));
  }
  cells.push_back(fixed(score.score.value));
  return cells;
}

std::vector<std::string> headers_of(const StudyRequest& request) {
  std::vector<std::string> headers = {"strategy"};
  for (const std::uint64_t budget : request.budgets) headers.push_back("after " + std::to_string(budget));
  for (const char* header : {"within 1 %", "evaluations", "within 5 %", "evaluations", "score"})
    headers.emplace_back(header);
  return headers;
}

void print_space(const StudyRequest& request, const StudyResult& result, std::size_t space, std::ostream& out) {
  const StudySpace& recorded = *request.spaces[space];
  out << recorded.name << ": " << base::format_count(recorded.space.size()) << " configurations, "
      << base::format_count(recorded.failures()) << " of them fail\n";
  const std::size_t strategies = request.strategies.size();
  const std::size_t budgets = request.budgets.size();
  std::vector<StudyScore> scores(result.scores.begin() + static_cast<std::ptrdiff_t>(space * strategies),
                                 result.scores.begin() + static_cast<std::ptrdiff_t>((space + 1) * strategies));
  std::ranges::stable_sort(scores, std::greater(), [](const StudyScore& score) { return score.score.value; });
  base::Table table(headers_of(request));
  for (const StudyScore& score : scores)
    table.add_row(row_cells(
        request, std::span(result.rows).subspan((space * strategies + score.strategy) * budgets, budgets), score));
  std::vector<std::string> random = {"(random, expected)"};
  for (std::size_t b = 0; b < budgets; ++b)
    random.push_back(fixed(result.rows[space * strategies * budgets + b].random_fraction));
  table.add_row(std::move(random));
  table.print(out);
  out << '\n';
}

void print_aggregate(const StudyRequest& request, const StudyResult& result, std::ostream& out) {
  out << "Share of the area between random search and the optimum, mean of "
      << (request.spaces.size() == 1 ? "1 space" : std::to_string(request.spaces.size()) + " spaces")
      << ", with 95 % bounds over seeds\n";
  std::vector<StudyScore> scores = result.aggregate;
  std::ranges::stable_sort(scores, std::greater(), [](const StudyScore& score) { return score.score.value; });
  base::Table table({"strategy", "score", "from", "to"});
  for (const StudyScore& score : scores)
    table.add_row({request.strategies[score.strategy], fixed(score.score.value), fixed(score.score.low),
                   fixed(score.score.high)});
  table.print(out);
}

void print_left_out(const StudyRequest& request, const StudyResult& result, std::ostream& out) {
  if (result.left_out.empty()) return;
  out << "\nChosen by the other spaces, for each space left out\n";
  base::Table table({"space", "chosen", "score", "best here", "score"});
  for (const StudyLeftOut& left_out : result.left_out)
    table.add_row({request.spaces[left_out.space]->name, request.strategies[left_out.chosen], fixed(left_out.score),
                   request.strategies[left_out.best], fixed(left_out.best_score)});
  table.print(out);
}

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json row_json(const StudyRequest& request, const StudyRow& row) {
  return Json{{"space", request.spaces[row.space]->name},
              {"strategy", request.strategies[row.strategy]},
              {"budget", row.budget},
              {"mean_fraction_of_optimum", row.mean_fraction},
              {"stdev", row.stdev},
              {"success_rate", row.within_1_percent.success_rate},
              {"mean_evaluations", number(row.within_1_percent.mean_evaluations)},
              {"expected_evaluations", number(row.within_1_percent.expected_evaluations)},
              {"success_rate_5_percent", row.within_5_percent.success_rate},
              {"mean_evaluations_5_percent", number(row.within_5_percent.mean_evaluations)},
              {"expected_evaluations_5_percent", number(row.within_5_percent.expected_evaluations)},
              {"random_fraction_of_optimum", row.random_fraction}};
}

Json score_json(const StudyRequest& request, const StudyScore& score) {
  Json json;
  if (score.space) json["space"] = request.spaces[*score.space]->name;
  json["strategy"] = request.strategies[score.strategy];
  json["score"] = score.score.value;
  json["interval"] = Json{score.score.low, score.score.high};
  return json;
}

}  // namespace

void print_study(const StudyRequest& request, const StudyResult& result, std::ostream& out) {
  out << "Mean fraction of the optimum after so many evaluations, " << request.repeats << " searches each, seeds from "
      << request.seed << "; share of the searches within 1 % and 5 % of the optimum\nat the largest budget, and the "
      << "evaluations that one such success costs\n\n";
  for (std::size_t space = 0; space < request.spaces.size(); ++space) print_space(request, result, space, out);
  print_aggregate(request, result, out);
  print_left_out(request, result, out);
}

Json study_json(const StudyRequest& request, const StudyResult& result) {
  Json json;
  Json spaces = Json::array();
  for (const StudySpace* space : request.spaces)
    spaces.push_back(
        Json{{"space", space->name}, {"configurations", space->space.size()}, {"failures", space->failures()}});
  json["spaces"] = std::move(spaces);
  json["budgets"] = request.budgets;
  json["repeats"] = request.repeats;
  json["seed"] = request.seed;
  json["rows"] = Json::array();
  for (const StudyRow& row : result.rows) json["rows"].push_back(row_json(request, row));
  json["scores"] = Json::array();
  for (const StudyScore& score : result.scores) json["scores"].push_back(score_json(request, score));
  json["aggregate"] = Json::array();
  for (const StudyScore& score : result.aggregate) json["aggregate"].push_back(score_json(request, score));
  json["leave_one_out"] = Json::array();
  for (const StudyLeftOut& left_out : result.left_out)
    json["leave_one_out"].push_back(Json{{"space", request.spaces[left_out.space]->name},
                                         {"chosen", request.strategies[left_out.chosen]},
                                         {"score", left_out.score},
                                         {"best", request.strategies[left_out.best]},
                                         {"best_score", left_out.best_score}});
  return json;
}

void print_study_csv(const StudyRequest& request, const StudyResult& result, std::ostream& out) {
  out << "space,strategy,evaluations,mean_fraction_of_optimum,random_fraction_of_optimum\n";
  const std::vector<double>* random = nullptr;
  for (const StudyCurve& curve : result.curves) {
    if (!curve.strategy) {
      random = &curve.fractions;
      continue;
    }
    const std::string who =
        csv_cell(request.spaces[curve.space]->name) + "," + csv_cell(request.strategies[*curve.strategy]) + ",";
    for (std::size_t i = 0; i < curve.fractions.size(); ++i)
      out << who << i + 1 << ',' << base::format_fixed(curve.fractions[i], 6) << ','
          << base::format_fixed((*random)[i], 6) << '\n';
  }
}

}  // namespace wattune::cli

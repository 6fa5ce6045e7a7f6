#include "wattune/trade_off.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/recorded_quantity.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

using analysis::RecordedQuantity;

/// Values to minimise, row-major, of the entries that have all metrics.
struct Rows {
  std::vector<std::size_t> entries;
  std::vector<double> values;
};

Rows rows_of(const RecordedSpace& recording, const std::vector<RecordedQuantity>& quantities, TradeOff& result) {
  Rows rows;
  for (const std::size_t entry : analysis::counting_entries(recording)) {
    std::vector<double> row;
    for (std::size_t m = 0; m < quantities.size(); ++m) {
      const std::optional<double> value = quantities[m].at(entry);
      if (!value || !std::isfinite(*value)) break;
      row.push_back(result.metrics[m].maximize ? -*value : *value);
    }
    if (row.size() < quantities.size()) {
      ++result.without;
      continue;
    }
    rows.entries.push_back(entry);
    rows.values.insert(rows.values.end(), row.begin(), row.end());
  }
  result.candidates = rows.entries.size();
  return rows;
}

/// By how many per cent of `from` a metric is worse at `to`.
double worse_percent(const TradeOffMetric& metric, double from, double to) {
  if (from == 0.0) return 0.0;
  return 100.0 * (metric.maximize ? from - to : to - from) / std::abs(from);
}

}  // namespace

TradeOff trade_off(const RecordedSpace& recording, std::vector<TradeOffMetric> metrics) {
  if (metrics.size() < 2)
    throw Error(ExitCode::bad_input, "a trade-off needs at least two quantities", "--minimize", "such as time,energy");
  TradeOff result;
  std::vector<RecordedQuantity> quantities;
  for (TradeOffMetric& metric : metrics) {
    quantities.emplace_back(recording, metric.name);
    metric.unit = quantities.back().unit();
  }
  result.metrics = std::move(metrics);
  const std::size_t width = result.metrics.size();
  const Rows rows = rows_of(recording, quantities, result);
  if (rows.entries.empty())
    throw Error(ExitCode::nothing_valid, "no configuration has all of these quantities", recording.source);

  std::vector<double> front_values;
  for (const std::size_t row : pareto_front(rows.values, width)) {
    TradeOffPoint point{rows.entries[row], {}};
    for (const RecordedQuantity& quantity : quantities) point.values.push_back(*quantity.interval(point.entry));
    result.front.push_back(std::move(point));
    const auto begin = rows.values.begin() + static_cast<std::ptrdiff_t>(row * width);
    front_values.insert(front_values.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  for (std::size_t m = 0; m < width; ++m) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < result.front.size(); ++i) {
      if (front_values[i * width + m] < front_values[best * width + m]) best = i;
    }
    result.ends.push_back(best);
  }
  result.knee = knee_point(front_values, width);

  const TradeOffPoint& first = result.front[result.ends[0]];
  const TradeOffPoint& second = result.front[result.ends[1]];
  result.cost_percent = worse_percent(result.metrics[0], first.values[0].value, second.values[0].value);
  result.saving_percent = -worse_percent(result.metrics[1], first.values[1].value, second.values[1].value);
  const std::vector<double> chosen = quantities[1].samples(second.entry);
  const std::vector<double> reference = quantities[1].samples(first.entry);
  if (!chosen.empty() && !reference.empty() && first.entry != second.entry)
    result.evidence = compare_means(chosen, reference, result.candidates - 1);
  return result;
}

}  // namespace wattune

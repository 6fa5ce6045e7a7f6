#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "wattune/pareto.hpp"

namespace wattune {
namespace {

using Row = std::span<const double>;

/// a is nowhere worse and somewhere better.
bool dominates(Row a, Row b) {
  bool better = false;
  for (std::size_t m = 0; m < a.size(); ++m) {
    if (a[m] > b[m]) return false;
    better = better || a[m] < b[m];
  }
  return better;
}

bool before(Row a, Row b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

bool equal(Row a, Row b) {
  return std::equal(a.begin(), a.end(), b.begin());
}

/// Rows in ascending order come one after the other; each is told whether one before dominates it.
class Sweep {
 public:
  virtual ~Sweep() = default;
  virtual bool keep(Row row) = 0;
};

/// Two metrics: the least second value so far decides.
class Sweep2 final : public Sweep {
 public:
  bool keep(Row row) override {
    if (row[1] >= least_) return false;
    least_ = row[1];
    return true;
  }

 private:
  double least_ = std::numeric_limits<double>::infinity();
};

/// Three metrics: the staircase of second and third values so far (Kung, Luccio and Preparata 1975).
class Sweep3 final : public Sweep {
 public:
  bool keep(Row row) override {
    auto next = steps_.upper_bound(row[1]);
    if (next != steps_.begin() && std::prev(next)->second <= row[2]) return false;
    if (next != steps_.begin() && std::prev(next)->first == row[1]) next = steps_.erase(std::prev(next));
    while (next != steps_.end() && next->second >= row[2]) next = steps_.erase(next);
    steps_.emplace(row[1], row[2]);
    return true;
  }

 private:
  std::map<double, double> steps_;  ///< second -> third, the third falling
};

/// Any number: against every member so far.
class SweepAll final : public Sweep {
 public:
  bool keep(Row row) override {
    if (std::any_of(members_.begin(), members_.end(), [&](Row member) { return dominates(member, row); })) return false;
    members_.push_back(row);
    return true;
  }

 private:
  std::vector<Row> members_;
};

}  // namespace

std::vector<std::size_t> pareto_front(std::span<const double> values, std::size_t metrics) {
  const auto row = [&](std::size_t i) { return values.subspan(i * metrics, metrics); };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; metrics > 0 && i < values.size() / metrics; ++i) {
    if (std::all_of(row(i).begin(), row(i).end(), [](double v) { return std::isfinite(v); })) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(row(a), row(b)); });
  Sweep2 two;
  Sweep3 three;
  SweepAll all;
  Sweep& sweep = metrics == 2 ? static_cast<Sweep&>(two) : metrics == 3 ? static_cast<Sweep&>(three) : all;
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    const bool repeat = !front.empty() && equal(row(front.back()), row(i));
    if (repeat || sweep.keep(row(i))) front.push_back(i);
  }
  return front;
}

bool ParetoFront::dominated(std::span<const double> values) const {
  return std::any_of(members_.begin(), members_.end(), [&](const Member& m) { return dominates(m.values, values); });
}

bool ParetoFront::insert(std::size_t id, std::span<const double> values) {
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }) || dominated(values))
    return false;
  std::erase_if(members_, [&](const Member& m) { return dominates(values, m.values); });
  members_.push_back({id, {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(metrics_)}});
  return true;
}

std::vector<std::size_t> ParetoFront::ids() const {
  std::vector<std::size_t> order(members_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return before(members_[a].values, members_[b].values); });
  for (std::size_t& position : order) position = members_[position].id;
  return order;
}

std::optional<std::size_t> knee_point(std::span<const double> front, std::size_t metrics) {
  const std::size_t rows = metrics > 0 ? front.size() / metrics : 0;
  if (rows < 3) return std::nullopt;
  std::vector<double> low(metrics, std::numeric_limits<double>::infinity());
  std::vector<double> high(metrics, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < front.size(); ++i) {
    low[i % metrics] = std::min(low[i % metrics], front[i]);
    high[i % metrics] = std::max(high[i % metrics], front[i]);
  }
  // The plane through the ends has stretched values that add up to metrics - 1 (each end is best in one of them).
  std::optional<std::size_t> knee;
  double deepest = 1e-9;
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0.0;
    for (std::size_t m = 0; m < metrics; ++m) {
      if (high[m] > low[m]) sum += (front[i * metrics + m] - low[m]) / (high[m] - low[m]);
    }
    const double depth = static_cast<double>(metrics - 1) - sum;
    if (depth > deepest) {
      deepest = depth;
      knee = i;
    }
  }
  return knee;
}

}  // namespace wattune

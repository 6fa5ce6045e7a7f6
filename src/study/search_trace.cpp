#include "study/search_trace.hpp"

#include <algorithm>

#include "wattune/strategy.hpp"

namespace wattune::study {

SearchTrace::SearchTrace(const StudySpace& space, const std::string& strategy, std::uint64_t budget,
                         std::uint64_t seed) {
  StrategyTask task;
  task.space = &space.space;
  task.seed = seed;
  task.budget = budget;
  const std::unique_ptr<Strategy> search = make_strategy(strategy, task);
  std::vector<ConfigurationId> asked;
  while (evaluations_ < budget && !search->done()) {
    asked.clear();
    search->ask(1, asked);
    const ConfigurationId id = asked.front();
    const double reached = space.fractions[id];
    ++evaluations_;
    if (reached > fraction()) steps_.push_back({evaluations_, reached});
    const bool valid = reached > 0.0;
    const Scored result{id, valid, valid ? std::span(&space.scores[id], 1) : std::span<const double>()};
    search->tell(std::span(&result, 1));
  }
}

std::optional<std::uint64_t> SearchTrace::evaluations_to(double wanted) const {
  const auto found = std::ranges::find_if(steps_, [&](const Step& step) { return step.fraction >= wanted; });
  if (found == steps_.end()) return std::nullopt;
  return found->evaluation;
}

double SearchTrace::area(std::uint64_t length) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::uint64_t end = i + 1 < steps_.size() ? std::min(steps_[i + 1].evaluation, length + 1) : length + 1;
    if (steps_[i].evaluation < end) sum += steps_[i].fraction * static_cast<double>(end - steps_[i].evaluation);
  }
  return sum;
}

void SearchTrace::add_to(std::vector<double>& curve) const {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::uint64_t end = i + 1 < steps_.size() ? steps_[i + 1].evaluation : curve.size() + 1;
    for (std::uint64_t n = steps_[i].evaluation; n < end && n <= curve.size(); ++n) curve[n - 1] += steps_[i].fraction;
  }
}

}  // namespace wattune::study

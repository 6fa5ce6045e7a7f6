#include "wattune/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "wattune/error.hpp"

namespace wattune {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(ExitCode::bad_input, what, "budget", hint);
}

}  // namespace

Budget::Budget(const BudgetSpec& spec, std::uint64_t space_size)
    : evaluation_limit_(spec.evaluations),
      no_improvement_(spec.no_improvement),
      target_(spec.target),
      space_size_(space_size) {
  if (spec.evaluations && *spec.evaluations == 0) refuse("a budget of 0 evaluations allows nothing", "give at least 1");
  if (spec.no_improvement && *spec.no_improvement == 0) refuse("no_improvement = 0 allows nothing", "give at least 1");
  if (spec.seconds) {
    if (!(*spec.seconds > 0.0)) refuse("a time budget must be above 0 s", "give seconds = 60, for example");
    time_limit_ = Seconds(*spec.seconds);
  }
  if (spec.fraction) {
    if (!(*spec.fraction > 0.0 && *spec.fraction <= 1.0))
      refuse("fraction must be above 0 and at most 1", "give fraction = 0.1, for example");
    const auto share = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(*spec.fraction * static_cast<double>(space_size) - 1e-9)));
    evaluation_limit_ = evaluation_limit_ ? std::min(*evaluation_limit_, share) : share;
  }
}

void Budget::spend(std::optional<double> score, Seconds elapsed) {
  ++evaluations_;
  elapsed_ = elapsed;
  if (score && (!best_ || *score < *best_)) {
    best_ = score;
    since_improvement_ = 0;
  } else {
    ++since_improvement_;
  }
}

bool Budget::exhausted() const {
  return !reason().empty();
}

std::string Budget::reason() const {
  if (evaluation_limit_ && evaluations_ >= *evaluation_limit_)
    return std::to_string(*evaluation_limit_) + (*evaluation_limit_ == 1 ? " evaluation" : " evaluations");
  if (time_limit_ && elapsed_ >= *time_limit_) return fmt::format("time limit of {:g} s", time_limit_->value());
  if (no_improvement_ && since_improvement_ >= *no_improvement_)
    return std::to_string(*no_improvement_) + " evaluations without improvement";
  if (target_ && best_ && *best_ <= *target_) return "target reached";
  return {};
}

double Budget::fraction() const {
  double share = 0.0;
  if (evaluation_limit_)
    share = std::max(share, static_cast<double>(evaluations_) / static_cast<double>(*evaluation_limit_));
  if (time_limit_) share = std::max(share, elapsed_ / *time_limit_);
  if (!evaluation_limit_ && !time_limit_ && space_size_ > 0)
    share = static_cast<double>(evaluations_) / static_cast<double>(space_size_);
  return std::min(1.0, share);
}

std::uint64_t Budget::remaining_evaluations() const {
  const std::uint64_t limit = std::min(evaluation_limit_.value_or(space_size_), space_size_);
  return limit > evaluations_ ? limit - evaluations_ : 0;
}

std::optional<Seconds> Budget::remaining_time() const {
  std::optional<Seconds> left;
  if (time_limit_) left = std::max(Seconds(0.0), *time_limit_ - elapsed_);
  if (evaluations_ > 0) {
    const Seconds at_this_rate =
        elapsed_ / static_cast<double>(evaluations_) * static_cast<double>(remaining_evaluations());
    left = left ? std::min(*left, at_this_rate) : at_this_rate;
  }
  return left;
}

}  // namespace wattune

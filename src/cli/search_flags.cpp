#include "cli/search_flags.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "io/recorded_words.hpp"
#include "wattune/error.hpp"

namespace wattune::cli {
namespace {

struct Pair {
  std::string name;
  std::string value;
};

Pair split_pair(std::string_view text, const std::string& flag, const std::string& form) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || base::trim(text.substr(0, at)).empty())
    throw Error(ExitCode::usage, "'" + std::string(text) + "' is not of the form " + form, flag);
  return {std::string(base::trim(text.substr(0, at))), std::string(base::trim(text.substr(at + 1)))};
}

/// Which way an objective goes where nobody says so: as in the spec or the recording, else by its kind.
bool goes_up(const std::string& name, const Spec& spec, const RecordedSpace* recording) {
  for (const ObjectiveSpec& known : spec.objectives) {
    if (known.name.value == name) return known.maximize;
  }
  if (recording != nullptr) {
    for (const ObjectiveRecord& known : recording->objectives) {
      if (known.name == name) return known.maximize;
    }
  }
  return io::is_higher_better(name);
}

void apply_objectives(const SearchFlags& flags, const RecordedSpace* recording, Spec& spec) {
  if (!flags.objectives.empty()) {
    std::vector<ObjectiveSpec> objectives;
    for (const std::string& name : flags.objectives)
      objectives.push_back({{name, {"--objective"}}, goes_up(name, spec, recording)});
    spec.objectives = std::move(objectives);
  }
  if (!flags.maximize) return;
  if (spec.objectives.empty()) spec.objectives.push_back({{"time", {}}, false});
  spec.objectives.front().maximize = *flags.maximize;
}

}  // namespace

Value value_from(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto parsed = std::from_chars(text.data(), end, integer); parsed.ec == std::errc() && parsed.ptr == end)
    return {integer};
  double real = 0.0;
  if (const auto parsed = std::from_chars(text.data(), end, real); parsed.ec == std::errc() && parsed.ptr == end)
    return {real};
  if (text == "True" || text == "true") return {true};
  if (text == "False" || text == "false") return {false};
  return {std::string(text)};
}

BudgetSpec budget_of(const SearchFlags& flags) {
  return {flags.budget, flags.seconds, flags.fraction, flags.no_improvement, flags.target};
}

void apply(const SearchFlags& flags, const RecordedSpace* recording, Spec& spec) {
  if (!flags.strategy.empty() && flags.strategy != spec.strategy.name.value) {
    spec.strategy.name = {flags.strategy, {"--strategy"}};
    spec.strategy.options.clear();
  }
  for (const std::string& text : flags.options) {
    const Pair pair = split_pair(text, "--option", "NAME=VALUE");
    spec.strategy.options[pair.name] = {value_from(pair.value), {"--option"}};
  }
  for (const std::string& text : flags.constraints) spec.constraints.push_back({text, {"--constraint"}});
  for (const std::string& text : flags.metrics) {
    const Pair pair = split_pair(text, "--metric", "NAME=EXPRESSION");
    spec.metrics.push_back({pair.name, {pair.value, {"--metric"}}, ""});
  }
  apply_objectives(flags, recording, spec);
  if (flags.seed) spec.seed = flags.seed;
}

std::vector<std::vector<NamedValue>> start_of(const SearchFlags& flags) {
  std::vector<std::vector<NamedValue>> starts;
  for (const std::string& text : flags.start) {
    std::vector<NamedValue>& start = starts.emplace_back();
    for (const std::string& part : base::split(text, ',')) {
      const Pair pair = split_pair(part, "--start", "NAME=VALUE,NAME=VALUE");
      start.push_back({pair.name, value_from(pair.value), {"--start"}});
    }
  }
  return starts;
}

}  // namespace wattune::cli

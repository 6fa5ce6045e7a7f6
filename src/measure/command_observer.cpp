// An external command as observer of a benchmark.
#include <charconv>
#include <cmath>

#include "base/background_process.hpp"
#include "base/text.hpp"
#include "wattune/observer.hpp"

namespace wattune {
namespace {

constexpr Seconds answer_limit{10.0};  // of a command that runs before or after
constexpr Seconds farewell{2.0};       // of one that runs during, after SIGTERM

std::vector<std::pair<std::string, std::string>> variables_of(const Benchmark& benchmark) {
  std::vector<std::pair<std::string, std::string>> variables{{"WATTUNE_KERNEL", benchmark.kernel}};
  for (std::size_t i = 0; i < benchmark.names.size(); ++i)
    variables.emplace_back("WATTUNE_PARAMETER_" + benchmark.names[i], to_string(benchmark.configuration[i]));
  return variables;
}

}  // namespace

std::map<std::string, double> parse_observations(std::string_view text) {
  std::map<std::string, std::pair<double, int>> sums;
  for (const std::string& line : base::split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string name(base::trim(std::string_view(line).substr(0, equals)));
    const std::string number(base::trim(std::string_view(line).substr(equals + 1)));
    double value = 0.0;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (name.empty() || code != std::errc() || end != number.data() + number.size() || !std::isfinite(value)) continue;
    auto& [sum, count] = sums[name];
    sum += value;
    ++count;
  }
  std::map<std::string, double> means;
  for (const auto& [name, sum] : sums) means[name] = sum.first / sum.second;
  return means;
}

class CommandObserver::Running : public base::BackgroundProcess {
  using BackgroundProcess::BackgroundProcess;
};

CommandObserver::CommandObserver(ObserverSpec spec) : spec_(std::move(spec)) {}
CommandObserver::~CommandObserver() = default;

void CommandObserver::run(const Benchmark& benchmark) {
  running_ = std::make_unique<Running>(spec_.command.value, variables_of(benchmark));
}

void CommandObserver::before(const Benchmark& benchmark) {
  values_.clear();
  if (spec_.when == ObserverSpec::When::after) return;
  run(benchmark);
  if (spec_.when == ObserverSpec::When::before) values_ = after(benchmark, {});
}

std::map<std::string, double> CommandObserver::after(const Benchmark& benchmark, const Outcome&) {
  if (spec_.when == ObserverSpec::When::before && !running_) return values_;
  if (spec_.when == ObserverSpec::When::after) run(benchmark);
  const bool beside = spec_.when == ObserverSpec::When::during;
  const base::ProcessOutput output = running_->finish(beside, beside ? farewell : answer_limit);
  running_.reset();
  if (output.exit_code != 0 && complaint_.empty()) {
    complaint_ =
        "the observer '" + spec_.command.value + "' " +
        (output.why.empty() ? "ended with exit code " + std::to_string(output.exit_code) : "failed: " + output.why);
  }
  if (output.exit_code != 0) return {};
  std::map<std::string, double> values = parse_observations(output.output);
  if (values.empty() && complaint_.empty())
    complaint_ = "the observer '" + spec_.command.value + "' printed no name=value line";
  return values;
}

}  // namespace wattune

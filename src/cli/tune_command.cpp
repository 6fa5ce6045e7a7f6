// `wattune tune`: progress while it runs, Ctrl-C to stop cleanly, the result at the end.
#include <atomic>
#include <csignal>
#include <iostream>

#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/formats.hpp"
#include "wattune/objective.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {
namespace {

std::atomic<bool> stop_requested{false};

void request_stop(int signal) {
  if (stop_requested.exchange(true)) {  // a second Ctrl-C: the user does not want to wait
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

std::string quantity_text(const Outcome& outcome, const RunRecord& head, const std::string& name) {
  const std::optional<double> value = quantity(outcome, name);
  if (!value) return "-";
  if (name == "time") return base::format_seconds(Seconds(*value));
  const auto unit = head.metric_units.find(name);
  return base::format_si(*value, unit != head.metric_units.end() ? unit->second : std::string(built_in_unit(name)));
}

/// Progress on stderr.
class TuneProgress final : public TuneObserver {
 public:
  TuneProgress(Console& console, bool verbose) : console_(console), verbose_(verbose) {}

  void started(const RunRecord& head, const Space& space, bool resumed) override {
    head_ = head;
    console_.notice((resumed ? "Resuming run " : "Run ") + std::to_string(head.id) + ": " + head.key.kernel + " on " +
                    head.device_name + ", " + base::format_count(space.size()) + " valid configurations of " +
                    base::format_count(static_cast<std::uint64_t>(space.cartesian_size())) + ", strategy " +
                    head.strategy);
  }

  void evaluated(const Outcome& outcome, const Progress& progress) override {
    if (stop_requested && !told_) {
      told_ = true;
      console_.notice("Stopping: everything measured is kept.");
    }
    if (verbose_) console_.notice(evaluation_line(outcome, progress));
    const bool improved = progress.best == &outcome;
    console_.progress(line(progress), improved && !verbose_);
  }

  void finalists(std::size_t count) override {
    console_.progress("Measuring " + std::to_string(count) + " finalists in turn", true);
  }
  void notice(const std::string& text) override { console_.notice("note: " + text); }

 private:
  [[nodiscard]] std::string evaluation_line(const Outcome& outcome, const Progress& progress) const {
    std::string text = std::to_string(progress.evaluations) + " " + std::string(to_string(outcome.status));
    if (outcome.time)
      text += " " + base::format_seconds(Seconds(outcome.time->time.value)) + " ±" +
              base::format_fixed(outcome.time->time.percent(), 1) + " %";
    for (std::size_t i = 0; i < head_.parameters.size() && i < outcome.configuration.size(); ++i) {
      if (head_.parameters[i].values.size() > 1)
        text += " " + head_.parameters[i].name + "=" + to_string(outcome.configuration[i]);
    }
    return text;
  }

  [[nodiscard]] std::string line(const Progress& progress) const {
    std::string text = base::format_count(progress.evaluations);
    if (progress.limit) text += "/" + base::format_count(*progress.limit);
    text += " evaluated";
    if (progress.failed > 0) text += ", " + base::format_count(progress.failed) + " failed";
    if (progress.reused > 0) text += ", " + base::format_count(progress.reused) + " reused";
    if (progress.best != nullptr && !head_.objectives.empty()) {
      text += " | best " + quantity_text(*progress.best, head_, head_.objectives.front().name);
      for (const auto& [name, value] : progress.best->metrics) {
        if (name == head_.objectives.front().name) continue;
        text += " (" + quantity_text(*progress.best, head_, name) + ")";
        break;
      }
    }
    if (progress.elapsed.value() > 0.0) {
      text += " | " + base::format_si(static_cast<double>(progress.evaluations) / progress.elapsed.value(), "/s");
    }
    if (progress.remaining) text += " | " + base::format_seconds(*progress.remaining) + " left";
    return text;
  }

  Console& console_;
  bool verbose_;
  RunRecord head_;
  bool told_ = false;
};

BudgetSpec budget_of(const TuneCommand& command) {
  BudgetSpec budget;
  budget.evaluations = command.budget;
  budget.seconds = command.seconds;
  return budget;
}

}  // namespace

ExitCode run_command(const TuneCommand& command, bool json, Console& console) {
  TuneRequest request;
  request.spec = read_spec(command.spec);
  request.spec_text = base::read_file(command.spec, "spec");
  if (!command.strategy.empty()) request.strategy = command.strategy;
  request.budget = budget_of(command);
  request.seed = command.seed;
  request.fresh = command.fresh;
  request.reuse = command.reuse;
  request.jobs = command.jobs;
  request.stop = &stop_requested;

  const std::unique_ptr<Engine> engine = open_engine(command.device);
  Store store = Store::open(command.store);
  TuneProgress progress(console, command.verbose);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  const Run run = tune_kernel(request, *engine, store, progress);
  console.clear();
  if (json) {
    console.out() << run_json(run).dump(2) << '\n';
  } else {
    print_result(run, console.out());
  }
  return run.head.state == RunState::interrupted ? ExitCode::interrupted : ExitCode::ok;
}

}  // namespace wattune::cli

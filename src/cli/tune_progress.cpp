#include "cli/tune_progress.hpp"

#include "base/format.hpp"
#include "wattune/objective.hpp"

namespace wattune::cli {
namespace {

/// A replay makes some hundred thousand evaluations a second: a line is worth making for every so many.
constexpr std::uint64_t replay_line_every = 256;

std::string quantity_text(const Outcome& outcome, const RunRecord& head, const std::string& name) {
  const std::optional<double> value = quantity(outcome, name);
  if (!value) return "-";
  if (name == "time") return base::format_seconds(Seconds(*value));
  const auto unit = head.metric_units.find(name);
  return base::format_si(*value, unit != head.metric_units.end() ? unit->second : std::string(built_in_unit(name)));
}

}  // namespace

void TuneProgress::started(const RunRecord& head, const Space& space, bool resumed) {
  head_ = head;
  const bool replayed = head.provenance == Provenance::replayed;
  const std::string device = head.device_name.empty() ? "an unnamed device" : head.device_name;
  console_.notice((resumed ? "Resuming run " : "Run ") + std::to_string(head.id) + ": " + head.key.kernel +
                  (replayed ? ", recorded on " : " on ") + device + ", " + base::format_count(space.size()) +
                  " valid configurations of " + base::format_count(static_cast<std::uint64_t>(space.cartesian_size())) +
                  ", strategy " + head.strategy);
}

void TuneProgress::evaluated(const Outcome& outcome, const Progress& progress) {
  if (stop_ && !told_) {
    told_ = true;
    console_.notice(head_.provenance == Provenance::replayed ? "Stopping." : "Stopping: everything measured is kept.");
  }
  if (verbose_) console_.notice(evaluation_line(outcome, progress));
  const bool improved = progress.best == &outcome;
  if (head_.provenance == Provenance::replayed && !improved && progress.evaluations % replay_line_every != 0) return;
  console_.progress(line(progress), improved && !verbose_);
}

void TuneProgress::finalists(std::size_t count) {
  console_.progress("Measuring " + std::to_string(count) + " finalists in turn", true);
}

void TuneProgress::notice(const std::string& text) {
  console_.notice("note: " + text);
}

std::string TuneProgress::evaluation_line(const Outcome& outcome, const Progress& progress) const {
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

std::string TuneProgress::line(const Progress& progress) const {
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
  if (!(progress.elapsed.value() > 0.0)) return text;  // a recording without durations: nothing to say about time
  if (head_.provenance == Provenance::replayed) {
    text += " | " + base::format_seconds(progress.elapsed) + " of recorded time";
  } else {
    text += " | " + base::format_si(static_cast<double>(progress.evaluations) / progress.elapsed.value(), "/s");
  }
  if (progress.remaining) text += " | " + base::format_seconds(*progress.remaining) + " left";
  return text;
}

}  // namespace wattune::cli

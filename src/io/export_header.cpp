// Writes the winner of a run as a C header: one #define a parameter, with what it was measured on. Refuses a run
// without a correct outcome.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "io/date_text.hpp"
#include "io/export_run.hpp"
#include "io/json_text.hpp"
#include "wattune/error.hpp"

namespace wattune::io {

namespace {

/// One line without control characters: a name from a driver must not end a comment.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  if (!text.empty() && text.back() == '\\') text += ' ';
  return text;
}

std::string guard_of(const Run& run) {
  std::string guard = "WATTUNE_";
  for (char c : run.head.name.empty() ? run.head.key.kernel : run.head.name) {
    guard += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80
                 ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                 : '_';
  }
  return guard + "_H";
}

/// A text that is plain C tokens stands as it is, as the tuned kernel saw it; anything else becomes a string literal.
std::string body_of(const Value& value) {
  if (!value.is_text()) return to_definition(value);
  const std::string& text = value.as_text();
  const bool tokens = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_.+-*()<>:, ").find(c) != std::string_view::npos;
  });
  return tokens && !text.empty() ? text : json_quoted(text);
}

void write_comment(const Run& run, const Outcome& best, std::ostream& out) {
  const RunRecord& head = run.head;
  fmt::print(out, "// Best configuration of {} found by Wattune{}{}.\n", one_line(head.key.kernel),
             head.version.empty() ? "" : " ", one_line(head.version));
  out << "// Device: " << one_line(head.device_name);
  if (!head.key.driver.empty()) out << ", driver " << one_line(head.key.driver);
  out << "\n";
  if (!head.key.problem.empty()) fmt::print(out, "// Problem: {}\n", one_line(head.key.problem));
  if (best.time) {
    fmt::print(out, "// Time: {:.6g} ms (+-{:.1f} %, median of {})", best.time->time.value * 1e3,
               best.time->time.percent(), best.time->samples.size());
    if (best.energy) fmt::print(out, ", energy {:.6g} J", best.energy->value());
    fmt::print(out, "\n");
  }
  for (const auto& [name, value] : best.metrics) {
    const auto unit = head.metric_units.find(name);
    const bool has_unit = unit != head.metric_units.end() && !unit->second.empty();
    fmt::print(out, "// {}: {:.6g}{}{}\n", one_line(name), value, has_unit ? " " : "",
               has_unit ? one_line(unit->second) : std::string());
  }
  fmt::print(out, "// {} of {} configurations evaluated", run.outcomes.size(), head.space_size);
  const double date = best.finished_at.value() > 0.0 ? best.finished_at.value() : head.started_at.value();
  if (date > 0.0) fmt::print(out, ", {} UTC", utc_text(Seconds(date)).substr(0, 19));
  fmt::print(out, ".\n");
}

}  // namespace

std::uint64_t export_header(const Run& run, const RecordedSpace* /*recording*/, std::ostream& out) {
  if (!run.best_index || *run.best_index >= run.outcomes.size()) {
    throw Error(ExitCode::nothing_valid, "the run has no correct configuration to write", "export",
                "`wattune show` tells why the configurations failed");
  }
  const Outcome& best = run.outcomes[*run.best_index];
  write_comment(run, best, out);
  const std::string guard = guard_of(run);
  fmt::print(out, "#ifndef {0}\n#define {0}\n\n", guard);
  const std::size_t count = std::min(run.head.parameters.size(), best.configuration.size());
  for (std::size_t i = 0; i < count; ++i) {
    const RunParameter& parameter = run.head.parameters[i];
    if (parameter.device) {
      fmt::print(out, "// set the device to {} = {}\n", one_line(parameter.name), to_string(best.configuration[i]));
    } else {
      fmt::print(out, "#define {} {}\n", parameter.name, body_of(best.configuration[i]));
    }
  }
  fmt::print(out, "\n#endif\n");
  return 1;
}

}  // namespace wattune::io

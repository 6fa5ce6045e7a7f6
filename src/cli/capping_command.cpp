// `wattune capping`: the lowest energy by power limit, by core clock and by both, from recordings over a grid of them.
#include <algorithm>
#include <iostream>
#include <map>

#include "base/format.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/csv_text.hpp"
#include "cli/evidence_text.hpp"
#include "cli/quantity_text.hpp"
#include "cli/sources.hpp"
#include "wattune/capping.hpp"

namespace wattune::cli {
namespace {

struct Compared {
  const RecordedSpace* recording = nullptr;
  CappingWorkload workload;
};

std::string fixed(double value, int digits) {
  const std::string text = base::format_fixed(value, digits);
  return text.find_first_not_of("-0.") == std::string::npos && text.front() == '-' ? text.substr(1) : text;
}

Json optional_mhz(const std::optional<Hertz>& clock) {
  return clock ? Json(in_megahertz(*clock)) : Json(nullptr);
}

Json optional_number(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

/// Configurations matter only where something besides the settings was tuned.
bool tuned(const RecordedSpace& recording) {
  return std::ranges::count_if(recording.parameters, [](const RunParameter& parameter) {
           return parameter.values.size() > 1 && parameter.values.front().is_number();
         }) > 2;
}

Json cell_json(const Compared& compared, const CappingCell& cell) {
  Json json{{"core_clock_mhz", in_megahertz(cell.clock)},
            {"power_limit_w", cell.cap.value()},
            {"energy_j", cell.energy.value()},
            {"time_s", cell.time.value()},
            {"power_w", cell.power().value()},
            {"saving_percent", cell.saving_percent},
            {"slowdown_percent", cell.slowdown_percent},
            {"held_by_cap", cell.held}};
  json["effective_clock_mhz"] = optional_mhz(cell.effective);
  if (tuned(*compared.recording)) json["parameters"] = entry_parameters_json(*compared.recording, cell.entry);
  return json;
}

Json spread_json(const Spread& spread) {
  return Json{{"time_percent", optional_number(spread.time_percent)},
              {"energy_percent", optional_number(spread.energy_percent)}};
}

Json workload_json(const Compared& compared) {
  const CappingWorkload& workload = compared.workload;
  const auto cell = [&](std::size_t i) { return cell_json(compared, workload.cells[i]); };
  Json json{{"name", workload.name}};
  json["best_pair"] = cell(workload.best_pair);
  json["best_cap"] = cell(workload.best_cap);
  json["best_clock"] = cell(workload.best_clock);
  json["baseline"] = cell(workload.baseline);
  Json tied = Json::array();
  for (const std::size_t i : workload.tied) tied.push_back(cell(i));
  json["tied_with_best_pair"] = std::move(tied);
  json["noise_percent"] = workload.noise_percent;
  json["scales_with_clock"] = workload.scales;
  json["scaled_share"] = workload.scaled_share;
  json["effective_clocks"] = workload.clocks_recorded ? "recorded" : workload.scales ? "inferred" : "unknown";
  json["lowest_clock_by_cap_mhz"] = optional_mhz(workload.lowest_by_cap);
  Json unreachable = workload.lowest_by_cap ? Json::array() : Json(nullptr);
  for (const Hertz clock : workload.unreachable) unreachable.push_back(in_megahertz(clock));
  json["unreachable_clocks_mhz"] = std::move(unreachable);
  json["spread_of_equals"] =
      Json{{"by_clock", spread_json(workload.by_clock)}, {"by_cap", spread_json(workload.by_cap)}};
  json["messages"] = workload.messages;
  Json cells = Json::array();
  for (std::size_t i = 0; i < workload.cells.size(); ++i) cells.push_back(cell(i));
  json["cells"] = std::move(cells);
  return json;
}

void print_csv(const std::vector<Compared>& all, std::ostream& out) {
  out << "workload,core_clock_mhz,power_limit_w,time_s,energy_j,power_w,held_by_cap,effective_clock_mhz\r\n";
  for (const Compared& compared : all) {
    for (const CappingCell& cell : compared.workload.cells) {
      out << csv_cell(compared.workload.name) << ',' << significant(in_megahertz(cell.clock), 7) << ','
          << significant(cell.cap.value(), 7) << ',' << significant(cell.time.value(), 9) << ','
          << significant(cell.energy.value(), 9) << ',' << significant(cell.power().value(), 7) << ','
          << (cell.held ? 1 : 0) << ',' << (cell.effective ? significant(in_megahertz(*cell.effective), 7) : "")
          << "\r\n";
    }
  }
}

void print_lowest(const CappingWorkload& workload, std::ostream& out) {
  base::Table table({"", "clock MHz", "cap W", "energy", "less %", "time", "slower %", "power W"});
  const auto row = [&](const std::string& name, std::size_t i) {
    const CappingCell& cell = workload.cells[i];
    const auto one = [](double value) { return Interval{value, value, value}; };
    table.add_row({name, fixed(in_megahertz(cell.clock), 0), fixed(cell.cap.value(), 0),
                   interval_text(one(cell.energy.value()), "J", 5), fixed(cell.saving_percent, 1),
                   interval_text(one(cell.time.value()), "s", 4), fixed(cell.slowdown_percent, 1),
                   fixed(cell.power().value(), 0)});
  };
  row("as it comes", workload.baseline);
  row("best cap", workload.best_cap);
  row("best clock", workload.best_clock);
  row("best of both", workload.best_pair);
  table.print(out);
}

/// Rows clocks, columns caps; the value of a cell as `text` gives it.
template <class Text>
void print_matrix(const CappingWorkload& workload, Text text, std::ostream& out) {
  std::vector<double> caps;
  for (const CappingCell& cell : workload.cells) caps.push_back(cell.cap.value());
  std::sort(caps.begin(), caps.end());
  caps.erase(std::unique(caps.begin(), caps.end()), caps.end());
  std::vector<std::string> headers{"MHz"};
  for (const double cap : caps) headers.push_back(fixed(cap, 0) + " W");
  base::Table table(headers);
  std::map<double, std::vector<std::string>> rows;
  for (const CappingCell& cell : workload.cells) {
    std::vector<std::string>& row = rows[cell.clock.value()];
    row.resize(caps.size() + 1);
    row[0] = fixed(in_megahertz(cell.clock), 0);
    row[static_cast<std::size_t>(std::lower_bound(caps.begin(), caps.end(), cell.cap.value()) - caps.begin()) + 1] =
        text(cell);
  }
  for (const auto& [clock, row] : rows) table.add_row(row);
  table.print(out);
}

std::string spread_text(const Spread& spread) {
  if (!spread.time_percent) return "unknown (nothing was measured twice)";
  return fixed(*spread.time_percent, 2) + " % in time, " + fixed(*spread.energy_percent, 2) + " % in energy";
}

void print_workload(const CappingWorkload& workload, std::ostream& out) {
  out << workload.name << '\n';
  print_lowest(workload, out);
  for (const std::string& message : workload.messages) out << "  " << message << '\n';
  out << "  What ought to be equal differs by: at a fixed clock " << spread_text(workload.by_clock) << "; at a cap "
      << spread_text(workload.by_cap) << '\n';
  if (std::ranges::any_of(workload.cells, [](const CappingCell& cell) { return cell.effective.has_value(); })) {
    out << "  Clock that it ran at, MHz (" << (workload.clocks_recorded ? "recorded" : "from its time")
        << "; * held by the cap):\n";
    print_matrix(
        workload,
        [](const CappingCell& cell) {
          return cell.effective ? fixed(in_megahertz(*cell.effective), 0) + (cell.held ? "*" : " ") : std::string("-");
        },
        out);
  } else {
    out << "  Power, W (* held by the cap):\n";
    print_matrix(
        workload, [](const CappingCell& cell) { return fixed(cell.power().value(), 0) + (cell.held ? "*" : " "); },
        out);
  }
}

}  // namespace

ExitCode run_command(const CappingCommand& command, bool json, Console& console) {
  const std::vector<RecordedSpace> recordings = load_recordings(command.data, command.store);
  std::vector<Compared> all;
  for (const RecordedSpace& recording : recordings) {
    for (CappingWorkload& workload : compare_capping(recording)) all.push_back({&recording, std::move(workload)});
  }
  if (json) {
    Json document;
    document["workloads"] = Json::array();
    for (const Compared& compared : all) document["workloads"].push_back(workload_json(compared));
    console.out() << document.dump(2) << '\n';
  } else if (command.csv) {
    print_csv(all, console.out());
  } else {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) console.out() << '\n';
      print_workload(all[i].workload, console.out());
    }
  }
  return ExitCode::ok;
}

}  // namespace wattune::cli

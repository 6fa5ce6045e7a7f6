// `wattune dataset`: imports measurements of kernels over hardware configurations and says what they hold.
#include <algorithm>
#include <iostream>

#include "base/format.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/dataset_files.hpp"

namespace wattune::cli {
namespace {

/// Cells without what they might hold.
struct Missing {
  std::size_t both = 0, time = 0, power = 0, counters = 0;
};

Missing missing_in(const Dataset& data) {
  Missing missing;
  for (std::size_t i = 0; i < data.time.size(); ++i) {
    const bool time = data.time[i] > 0.0;
    const bool power = data.power[i] > 0.0;
    missing.both += !time && !power ? 1 : 0;
    missing.time += time ? 0 : 1;
    missing.power += power ? 0 : 1;
  }
  missing.counters = static_cast<std::size_t>(std::count(data.counter_present.begin(), data.counter_present.end(), 0));
  return missing;
}

Json info_json(const Dataset& data) {
  const Missing missing = missing_in(data);
  Json axes = Json::object();
  for (const HardwareAxis axis : data.axes()) axes[std::string(to_string(axis))] = data.values(axis);
  return Json{{"name", data.name},
              {"device", data.device},
              {"kernels", data.kernels.size()},
              {"groups", data.groups().size()},
              {"configurations", data.configurations.size()},
              {"axes", std::move(axes)},
              {"counters", data.counters},
              {"measurements", data.measurements()},
              {"missing", missing.both},
              {"missing_time", missing.time},
              {"missing_power", missing.power},
              {"missing_counters", missing.counters},
              {"provenance", to_string(data.provenance)},
              {"source", data.source},
              {"note", data.note}};
}

std::string values_text(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values)
    texts.push_back(base::format_fixed(value, value == static_cast<int>(value) ? 0 : 1));
  if (texts.size() > 10) return texts[0] + ", " + texts[1] + " … " + texts.back();
  return base::join(texts, ", ");
}

void print_info(const Dataset& data, std::ostream& out) {
  const Missing missing = missing_in(data);
  out << data.name << ": " << (data.device.empty() ? std::string("unnamed device") : data.device) << ", "
      << to_string(data.provenance) << '\n'
      << "  " << base::format_count(data.kernels.size()) << " kernels of " << base::format_count(data.groups().size())
      << " programs x " << base::format_count(data.configurations.size()) << " configurations, "
      << base::format_count(data.measurements()) << " measurements\n";
  for (const HardwareAxis axis : data.axes()) {
    const std::vector<double> values = data.values(axis);
    out << "  " << to_string(axis) << ": " << values.size() << (values.size() == 1 ? " value, " : " values, ")
        << values_text(values) << '\n';
  }
  out << "  missing: " << base::format_count(missing.time) << " times, " << base::format_count(missing.power)
      << " powers, " << base::format_count(missing.counters) << " counter values\n"
      << "  " << data.counters.size() << " counters"
      << (data.counters.empty()
              ? ""
              : ": " +
                    base::join(std::span(data.counters).first(std::min<std::size_t>(data.counters.size(), 12)), ", "))
      << (data.counters.size() > 12 ? " …" : "") << '\n';
  if (!data.source.empty()) out << "  source: " << data.source << '\n';
  if (!data.note.empty()) out << "  note: " << data.note << '\n';
}

}  // namespace

ExitCode run_command(const DatasetImportCommand& command, bool json, Console& console) {
  const Dataset data = import_dataset(command.map, command.files);
  const Writer write = [&](std::ostream& out) {
    write_dataset(data, out);
    return std::uint64_t{data.measurements()};
  };
  if (command.output.empty() || command.output == "-") {
    if (json)
      throw Error(ExitCode::usage, "--json prints a summary on stdout, so the data set itself needs a file", "--output",
                  "add -o FILE");
    write(console.out());
    return ExitCode::ok;
  }
  write_file(command.output, write);
  if (json) {
    Json document = info_json(data);
    document["written"] = command.output;
    console.out() << document.dump(2) << '\n';
  } else {
    console.notice("Wrote " + command.output);
    print_info(data, console.out());
  }
  return ExitCode::ok;
}

ExitCode run_command(const DatasetInfoCommand& command, bool json, Console& console) {
  const Dataset data = read_dataset(command.data);
  if (json) {
    console.out() << info_json(data).dump(2) << '\n';
  } else {
    print_info(data, console.out());
  }
  return ExitCode::ok;
}

}  // namespace wattune::cli

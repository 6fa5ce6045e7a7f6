// Writes the project's own data set file (docs/datasets.md).
#include <algorithm>
#include <ostream>

#include "io/json_text.hpp"
#include "wattune/dataset_files.hpp"

namespace wattune {
namespace {

/// A field in quotes where it needs them (RFC 4180).
std::string field_of(const std::string& text) {
  if (text.find_first_of(",;\t\"\r\n#") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// A head value is one line.
std::string line_of(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

void write_head(const Dataset& dataset, std::ostream& out) {
  out << "# wattune dataset 1\n";
  const auto line = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out << "# " << key << ": " << line_of(value) << '\n';
  };
  line("name", dataset.name);
  line("device", dataset.device);
  line("source", dataset.source);
  line("provenance", std::string(to_string(dataset.provenance)));
  line("note", dataset.note);
}

void write_number(double value, bool present, std::ostream& out) {
  out << ',';
  if (present) out << io::json_number(value);
}

}  // namespace

void write_dataset(const Dataset& dataset, std::ostream& out) {
  write_head(dataset, out);
  const std::vector<HardwareAxis> axes = dataset.axes();
  out << "kernel,group";
  for (const HardwareAxis axis : axes) out << ',' << to_string(axis);
  out << ",time_s,power_w";
  for (const std::string& counter : dataset.counters) out << ',' << field_of(counter);
  out << '\n';
  for (std::size_t k = 0; k < dataset.kernels.size(); ++k) {
    for (std::size_t c = 0; c < dataset.configurations.size(); ++c) {
      const std::size_t cell = dataset.cell(k, c);
      const auto present =
          dataset.counter_present.begin() + static_cast<std::ptrdiff_t>(cell * dataset.counters.size());
      const bool counted = std::any_of(present, present + static_cast<std::ptrdiff_t>(dataset.counters.size()),
                                       [](std::uint8_t p) { return p != 0; });
      if (dataset.time[cell] <= 0.0 && dataset.power[cell] <= 0.0 && !counted) continue;
      out << field_of(dataset.kernels[k].name) << ',' << field_of(dataset.kernels[k].group);
      for (const HardwareAxis axis : axes) write_number(axis_value(dataset.configurations[c], axis), true, out);
      write_number(dataset.time[cell], dataset.time[cell] > 0.0, out);
      write_number(dataset.power[cell], dataset.power[cell] > 0.0, out);
      for (std::size_t j = 0; j < dataset.counters.size(); ++j) {
        const auto value = dataset.counter(cell, j);
        write_number(value.value_or(0.0), value.has_value(), out);
      }
      out << '\n';
    }
  }
}

}  // namespace wattune

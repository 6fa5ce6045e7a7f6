// The project's own data set file: head lines "# key: value", then a table with one row a kernel and configuration.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.hpp"
#include "io/byte_source.hpp"
#include "io/csv_rows.hpp"
#include "io/dataset/builder.hpp"
#include "wattune/dataset_files.hpp"

namespace wattune {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30U;
constexpr std::string_view magic = "wattune dataset ";

const std::vector<std::string> head_keys = {"name", "device", "source", "provenance", "note"};

void read_head_line(std::string_view line, const std::string& where, Dataset& head) {
  if (line.substr(0, magic.size()) == magic) {
    if (base::trim(line.substr(magic.size())) != "1")
      throw Error(ExitCode::bad_input, fmt::format("version {} is not known", line.substr(magic.size())), where,
                  "this program reads version 1");
    return;
  }
  const std::size_t colon = line.find(':');
  const std::string key(base::trim(line.substr(0, colon)));
  if (colon == std::string_view::npos || std::ranges::find(head_keys, key) == head_keys.end()) {
    const std::string near = base::did_you_mean(key, head_keys);
    throw Error(ExitCode::bad_input, fmt::format("'# {}' is no head line of a data set", line), where,
                near.empty() ? "known are " + base::join(head_keys, ", ") : near);
  }
  const std::string value(base::trim(line.substr(colon + 1)));
  if (key == "name") head.name = value;
  if (key == "device") head.device = value;
  if (key == "source") head.source = value;
  if (key == "note") head.note = value;
  if (key == "provenance") {
    const auto provenance = provenance_from(value);
    if (!provenance) throw Error(ExitCode::bad_input, fmt::format("unknown provenance '{}'", value), where);
    head.provenance = *provenance;
  }
}

/// Reads the lines that begin with '#'; returns what follows them and counts the lines.
std::string_view read_head(std::string_view text, const std::string& file, Dataset& head, std::size_t& line) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  while (!text.empty() && text.front() == '#') {
    const std::size_t end = std::min(text.find('\n'), text.size());
    read_head_line(base::trim(text.substr(1, end - 1)), fmt::format("{}:{}", file, line), head);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
  }
  return text;
}

enum class Role { kernel, group, device, axis, time, power, counter };

struct Column {
  std::string name;
  Role role = Role::counter;
  HardwareAxis axis = HardwareAxis::core_clock;
  std::size_t counter = 0;
};

Role role_of(const std::string& name) {
  if (name == "kernel") return Role::kernel;
  if (name == "group") return Role::group;
  if (name == "device") return Role::device;
  if (name == "time_s") return Role::time;
  if (name == "power_w") return Role::power;
  return hardware_axis_from(name) ? Role::axis : Role::counter;
}

std::vector<Column> columns_of(const std::vector<std::string>& header, const std::string& where,
                               io::DatasetBuilder& builder) {
  std::vector<Column> columns;
  for (const std::string& field : header) {
    Column column{std::string(base::trim(field))};
    if (column.name.empty()) throw Error(ExitCode::bad_input, "a column has no name", where);
    if (std::ranges::any_of(columns, [&](const Column& c) { return c.name == column.name; }))
      throw Error(ExitCode::bad_input, fmt::format("column '{}' occurs twice", column.name), where);
    column.role = role_of(column.name);
    if (column.role == Role::axis) column.axis = *hardware_axis_from(column.name);
    if (column.role == Role::counter) column.counter = builder.counter(column.name);
    columns.push_back(std::move(column));
  }
  const auto has = [&](Role role) {
    return std::ranges::any_of(columns, [&](const Column& c) { return c.role == role; });
  };
  if (!has(Role::kernel)) throw Error(ExitCode::bad_input, "there is no column 'kernel'", where, "docs/datasets.md");
  if (!has(Role::axis))
    throw Error(ExitCode::bad_input, "no column is an axis of the hardware configuration", where,
                "compute_units, core_clock_mhz, memory_clock_mhz or power_limit_w");
  if (!has(Role::time) && !has(Role::power))
    throw Error(ExitCode::bad_input, "there is neither 'time_s' nor 'power_w'", where);
  return columns;
}

double number_in(const Column& column, const std::string& field, const std::string& where) {
  const auto number = io::csv_number(field);
  if (!number || !std::isfinite(*number)) {
    throw Error(ExitCode::bad_input, fmt::format("{} is '{}'", column.name, field), where,
                "a number, or nothing where it was not measured");
  }
  return *number;
}

io::DatasetRow row_of(const std::vector<Column>& columns, const std::vector<std::string>& fields,
                      const std::string& where, std::string& device) {
  io::DatasetRow row;
  row.where = where;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const std::string field(base::trim(fields[i]));
    if (column.role == Role::kernel) row.kernel = field;
    if (column.role == Role::group) row.group = field;
    if (column.role == Role::device) {
      if (!device.empty() && device != field)
        throw Error(ExitCode::bad_input, fmt::format("devices '{}' and '{}' are mixed", device, field), where,
                    "one data set a device: a model of two would fit neither");
      device = field;
    }
    if (column.role <= Role::device || field.empty()) continue;
    const double number = number_in(column, field, where);
    if (column.role == Role::axis) set_axis_value(row.configuration, column.axis, number);
    if (column.role == Role::time) row.time = number;
    if (column.role == Role::power) row.power = number;
    if (column.role == Role::counter) row.counters.emplace_back(column.counter, number);
  }
  if (row.kernel.empty()) throw Error(ExitCode::bad_input, "the kernel has no name", where);
  if (row.group.empty()) row.group = row.kernel;
  return row;
}

}  // namespace

Dataset parse_dataset(std::string_view text, const std::string& file_name) {
  Dataset head;
  head.name = std::filesystem::path(file_name).stem().string();
  std::size_t line = 1;
  text = read_head(text, file_name, head, line);
  io::CsvRows rows(file_name, text, line);
  std::vector<std::string> fields;
  if (!rows.next(fields)) throw Error(ExitCode::bad_input, "the file holds no table", file_name, "docs/datasets.md");
  io::DatasetBuilder builder(io::Repeats::refuse);
  const std::vector<Column> columns = columns_of(fields, rows.where(), builder);
  std::string device;
  while (rows.next(fields)) {
    if (fields.size() != columns.size())
      throw Error(ExitCode::bad_input,
                  fmt::format("the row has {} fields, the header {}", fields.size(), columns.size()), rows.where());
    builder.add(row_of(columns, fields, rows.where(), device));
  }
  if (!device.empty()) head.device = device;
  Dataset dataset = builder.finish(std::move(head));
  if (auto problems = validate(dataset); !problems.empty()) {
    for (Problem& problem : problems) problem.where = file_name + ": " + problem.where;
    throw Error(ExitCode::bad_input, std::move(problems));
  }
  return dataset;
}

Dataset read_dataset(const std::string& path) {
  const auto text = io::read_text(path, largest_file);
  if (!text) throw Error(ExitCode::bad_input, "the file is larger than 1 GiB", path);
  return parse_dataset(text->view(), path);
}

}  // namespace wattune

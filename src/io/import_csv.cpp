// Reads recordings as plain tables: a header line, one configuration a row (RFC 4180; commas, semicolons or tabs; LF or
// CRLF). Columns left of `status`, else left of the first measured quantity, are parameters. Times are read from
// `time_s`, `time_ms`, `time_us` or `time` (seconds); other columns that hold numbers are kept under their names.
// Refuses a table without a time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "io/csv_rows.hpp"
#include "io/date_text.hpp"
#include "io/importers.hpp"
#include "io/recording_builder.hpp"
#include "wattune/error.hpp"

namespace wattune::io {

namespace {

enum class Role { parameter, status, time, compile, verify, benchmark, overhead, finished, message, ignored, number };

struct Column {
  std::string name;
  Role role = Role::number;
  double per_second = 1.0;
  std::size_t parameter = 0;
  std::size_t numbers = 0;
};

struct Known {
  std::string_view name;
  Role role;
  double per_second;
};
constexpr std::array known_columns = {
    Known{"status", Role::status, 1},       Known{"time", Role::time, 1},
    Known{"time_s", Role::time, 1},         Known{"time_ms", Role::time, 1e3},
    Known{"time_us", Role::time, 1e6},      Known{"time/ms", Role::time, 1e3},
    Known{"time_low_s", Role::ignored, 1},  Known{"time_high_s", Role::ignored, 1},
    Known{"samples", Role::ignored, 1},     Known{"compile_s", Role::compile, 1},
    Known{"verify_s", Role::verify, 1},     Known{"benchmark_s", Role::benchmark, 1},
    Known{"overhead_s", Role::overhead, 1}, Known{"finished_at", Role::finished, 1},
    Known{"message", Role::message, 1},     Known{"verification", Role::ignored, 1},
    Known{"provenance", Role::ignored, 1},
};
// Quantities that end the parameters of a table without a status column.
constexpr std::string_view quantity_names[] = {"power", "power_w", "power/w", "energy", "energy_j"};

Value value_of(std::string_view text) {
  std::int64_t integer = 0;
  const std::string_view trimmed = base::trim(text);
  const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), integer);
  if (error == std::errc() && end == trimmed.data() + trimmed.size() && !trimmed.empty()) return Value(integer);
  if (const auto number = csv_number(text); number && std::isfinite(*number)) return Value(*number);
  if (trimmed == "True" || trimmed == "true") return Value(true);
  if (trimmed == "False" || trimmed == "false") return Value(false);
  return Value(std::string(text));
}

std::vector<Column> columns_of(const std::vector<std::string>& header, const std::string& path) {
  std::vector<Column> columns;
  for (const std::string& name : header) {
    Column column{std::string(base::trim(name))};
    const auto known = std::find_if(known_columns.begin(), known_columns.end(),
                                    [&](const Known& k) { return k.name == base::lower(column.name); });
    if (known != known_columns.end()) {
      column.role = known->role;
      column.per_second = known->per_second;
    }
    columns.push_back(std::move(column));
  }
  const auto by_role = [&](Role role) {
    return std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.role == role; });
  };
  if (by_role(Role::time) == columns.end()) {
    throw Error(ExitCode::bad_input, "the table has no column 'time_s', 'time_ms', 'time_us' or 'time'", path,
                "known formats: docs/formats.md");
  }
  auto end = by_role(Role::status);
  if (end == columns.end()) {
    end = std::find_if(columns.begin(), columns.end(), [](const Column& c) {
      const auto* quantity = std::find(std::begin(quantity_names), std::end(quantity_names), base::lower(c.name));
      return c.role != Role::number || quantity != std::end(quantity_names);
    });
  }
  for (auto column = columns.begin(); column != end; ++column) column->role = Role::parameter;
  if (columns.front().role != Role::parameter) {
    throw Error(ExitCode::bad_input,
                "the table has no parameters: they stand left of 'status' or of the first quantity", path);
  }
  return columns;
}

void read_field(const Column& column, const std::string& field, RecordingBuilder& builder, const std::string& where) {
  const auto seconds = [&] { return csv_number(field).value_or(0.0) / column.per_second; };
  switch (column.role) {
    case Role::parameter:
      builder.set_value(column.parameter, value_of(field));
      break;
    case Role::time:
      if (const auto time = csv_number(field)) {
        builder.set_time(*time / column.per_second);
      } else if (const auto failure = status_of_failure(base::trim(field))) {
        builder.fail(*failure);
      }
      break;
    case Role::status:
      if (const auto status = status_from(base::trim(field))) {
        if (*status != Status::correct) builder.fail(*status);
      } else {
        throw Error(ExitCode::bad_input, fmt::format("unknown status '{}'", field), where);
      }
      break;
    case Role::compile:
      builder.set_compile(seconds());
      break;
    case Role::verify:
      builder.set_verify(seconds());
      break;
    case Role::benchmark:
      builder.set_benchmark(seconds());
      break;
    case Role::overhead:
      builder.add_overhead(seconds());
      break;
    case Role::finished:
      if (const auto date = seconds_from(field)) builder.set_finished(*date);
      break;
    case Role::number:
      if (const auto number = csv_number(field)) builder.set_number(column.numbers, *number);
      break;
    case Role::message:
    case Role::ignored:
      break;
  }
}

/// The message goes last: it belongs to a failure that another column reports.
void read_message(const std::vector<Column>& columns, const std::vector<std::string>& fields,
                  RecordingBuilder& builder) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].role != Role::message || fields[i].empty()) continue;
    const Status status = builder.head().status.back();
    if (status != Status::correct) builder.fail(status, fields[i]);
  }
}

}  // namespace

RecordedSpace import_csv(const std::string& path, std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  CsvRows rows(path, text);
  std::vector<std::string> fields;
  if (!rows.next(fields)) throw Error(ExitCode::bad_input, "the file is empty", path);
  std::vector<Column> columns = columns_of(fields, path);

  RecordingBuilder builder;
  builder.head().source = path;
  builder.head().format = "csv";
  std::vector<RunParameter> parameters;
  for (Column& column : columns) {
    if (column.role == Role::number) {
      const std::string_view unit = column.name == "power_w" ? "W" : column.name == "energy_j" ? "J" : "";
      const std::string name = unit.empty() ? column.name : unit == "W" ? "power" : "energy";
      column.numbers = builder.number_column(name, unit);
    }
    if (column.role != Role::parameter) continue;
    column.parameter = parameters.size();
    parameters.push_back({column.name, {}, {}, false});
  }
  builder.set_parameters(std::move(parameters), false);
  while (rows.next(fields)) {
    if (fields.size() != columns.size()) {
      throw Error(ExitCode::bad_input,
                  fmt::format("the row has {} fields, the header {}", fields.size(), columns.size()), rows.where());
    }
    builder.begin_entry();
    for (std::size_t i = 0; i < columns.size(); ++i) read_field(columns[i], fields[i], builder, rows.where());
    read_message(columns, fields, builder);
    builder.end_entry(rows.where());
  }
  return builder.finish();
}

}  // namespace wattune::io

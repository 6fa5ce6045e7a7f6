// Foreign files by a mapping: each row's expressions, then the rules, then the grid.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "io/csv_rows.hpp"
#include "io/dataset/foreign_table.hpp"
#include "io/dataset/glob.hpp"
#include "wattune/dataset_files.hpp"
#include "wattune/expression.hpp"

namespace wattune {
namespace {

using io::ForeignTable;

std::vector<std::string> chosen_files(const std::vector<std::string>& patterns, const std::vector<std::string>& files,
                                      const std::string& where) {
  std::vector<std::string> chosen;
  for (const std::string& pattern : patterns) {
    const std::size_t before = chosen.size();
    for (const std::string& file : files) {
      if (io::matches_path(pattern, file) && std::ranges::find(chosen, file) == chosen.end()) chosen.push_back(file);
    }
    if (chosen.size() == before)
      throw Error(ExitCode::bad_input, fmt::format("no file matches '{}'", pattern), where,
                  "give the files, or the folder that holds them");
  }
  return chosen;
}

/// Numbers of a second table by the kernel that they are about.
class Joined {
 public:
  Joined(const io::ForeignJoin& join, const std::vector<std::string>& files) : join_(&join) {
    for (const std::string& file : chosen_files(join.files, files, to_string(join.at)))
      add(io::read_foreign_table(file, join.layout));
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Null when it has nothing about this kernel.
  [[nodiscard]] const std::vector<double>* find(const std::string& kernel) const {
    const auto renamed = join_->names.find(kernel);
    const auto found = rows_.find(renamed != join_->names.end() ? renamed->second : kernel);
    return found != rows_.end() ? &found->second : nullptr;
  }
  [[nodiscard]] bool required() const { return join_->required; }

 private:
  void add(const ForeignTable& table) {
    if (names_.empty()) {
      for (const std::string& name : table.names) names_.push_back(join_->prefix + name);
    }
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      std::vector<double> numbers;
      for (const std::string& field : table.rows[r]) numbers.push_back(io::csv_number(field).value_or(NAN));
      numbers.resize(names_.size(), NAN);
      const auto [at, added] = rows_.try_emplace(table.filled(r, join_->key), std::move(numbers));
      if (added || !join_->sum) continue;
      for (std::size_t i = 0; i < numbers.size(); ++i) at->second[i] += numbers[i];
    }
  }

  const io::ForeignJoin* join_;
  std::vector<std::string> names_;
  std::map<std::string, std::vector<double>> rows_;
};

/// The columns of one file and of the joined tables, as slots for expressions.
class RowValues {
 public:
  RowValues(const ForeignTable& table, const std::vector<Joined>& joined) : table_(&table), joined_(&joined) {
    names_ = table.names;
    for (const Joined& join : joined) names_.insert(names_.end(), join.names().begin(), join.names().end());
    slots_.resize(names_.size());
    missing_.resize(names_.size());
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// False when a table that is required knows nothing of the kernel.
  bool load(std::size_t row, const std::string& kernel) {
    const std::vector<std::string>& fields = table_->rows[row];
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto number = io::csv_number(fields[i]);
      missing_[i] = fields[i].empty() || (number && !std::isfinite(*number)) ? 1 : 0;
      slots_[i] = number ? Scalar::of(*number) : Scalar::of(fields[i]);
    }
    std::size_t at = fields.size();
    for (const Joined& join : *joined_) {
      const std::vector<double>* numbers = join.find(kernel);
      if (numbers == nullptr && join.required()) return false;
      for (std::size_t i = 0; i < join.names().size(); ++i, ++at) {
        const double number = numbers != nullptr ? (*numbers)[i] : NAN;
        missing_[at] = std::isfinite(number) ? 0 : 1;
        slots_[at] = Scalar::of(number);
      }
    }
    return true;
  }
  /// Nothing when a column is empty in this row, or the expression has no number there.
  [[nodiscard]] std::optional<double> evaluate(const Expression& expression) const {
    for (const std::uint32_t slot : expression.variables()) {
      if (missing_[slot] != 0) return std::nullopt;
    }
    const Evaluation result = expression.evaluate(slots_);
    if (!result.ok() || result.value.kind == Scalar::Kind::text) return std::nullopt;
    const double number = result.value.as_number();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> number(std::size_t column) const {
    if (missing_[column] != 0 || slots_[column].kind == Scalar::Kind::text) return std::nullopt;
    return slots_[column].as_number();
  }

 private:
  const ForeignTable* table_;
  const std::vector<Joined>* joined_;
  std::vector<std::string> names_;
  std::vector<Scalar> slots_;
  std::vector<std::uint8_t> missing_;
};

/// The first alternative whose columns all exist; nothing when none does.
std::optional<Expression> compile_first(const std::vector<LocatedText>& alternatives,
                                        const std::vector<std::string>& names) {
  for (const LocatedText& text : alternatives) {
    const std::vector<std::string> used = names_in(text.value, to_string(text.at));
    const bool known = std::ranges::all_of(
        used, [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); });
    if (known) return Expression::compile(text.value, names, to_string(text.at));
  }
  return std::nullopt;
}

Expression compile_needed(const std::vector<LocatedText>& alternatives, const std::vector<std::string>& names,
                          const std::string& file) {
  if (auto expression = compile_first(alternatives, names)) return *expression;
  // Compiling what fails gives the message with the nearest name.
  const LocatedText& last = alternatives.back();
  try {
    return Expression::compile(last.value, names, to_string(last.at));
  } catch (const Error& error) {
    std::vector<Problem> problems = error.problems();
    problems.push_back({file, "does not have the columns that the mapping asks for", ""});
    throw Error(ExitCode::bad_input, std::move(problems));
  }
}

/// Everything that a mapping computes of the rows of one file.
struct Compiled {
  std::vector<std::pair<HardwareAxis, Expression>> axes;
  std::optional<Expression> time, power;
  std::vector<std::pair<std::size_t, Expression>> features;  ///< position in the builder's list
  std::vector<std::pair<std::size_t, std::size_t>> raw;      ///< the same, and column
};

Compiled compile(const io::DatasetMap& map, const ForeignTable& table, const std::vector<std::string>& names,
                 io::DatasetBuilder& builder) {
  Compiled compiled;
  for (const auto& [axis, text] : map.axes) compiled.axes.emplace_back(axis, compile_needed({text}, names, table.path));
  if (!map.time.empty()) compiled.time = compile_needed(map.time, names, table.path);
  if (!map.power.empty()) compiled.power = compile_needed(map.power, names, table.path);
  for (const auto& [name, alternatives] : map.features) {
    const std::size_t position = builder.counter(name);
    if (auto expression = compile_first(alternatives, names)) compiled.features.emplace_back(position, *expression);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& label = i < table.labels.size() ? table.labels[i] : names[i];
    const auto matches = [&](const std::string& pattern) { return io::matches_glob(pattern, label); };
    if (std::ranges::none_of(map.raw_columns, matches) || std::ranges::any_of(map.raw_except, matches)) continue;
    compiled.raw.emplace_back(builder.counter(map.raw_prefix + label), i);
  }
  return compiled;
}

void add_raw(const io::DatasetMap& map, const Compiled& compiled, const RowValues& values, io::DatasetRow& row) {
  double sum = 0.0;
  for (const auto& [position, column] : compiled.raw) sum += values.number(column).value_or(0.0);
  if (map.raw_shares && sum <= 0.0) return;
  for (const auto& [position, column] : compiled.raw) {
    if (const auto number = values.number(column))
      row.counters.emplace_back(position, map.raw_shares ? *number / sum : *number);
  }
}

/// Applies the rules in their order and counts what each of them left out.
class Rules {
 public:
  explicit Rules(const std::vector<io::ForeignRule>& rules) : rules_(&rules), counts_(rules.size()) {
    for (const io::ForeignRule& rule : rules) {
      patterns_.push_back(rule.where.empty() ? std::nullopt : std::optional(ConfigurationPattern::parse(rule.where)));
    }
  }

  /// False when the row is left out.
  bool apply(io::DatasetRow& row, const std::string& file) {
    for (std::size_t i = 0; i < rules_->size(); ++i) {
      const io::ForeignRule& rule = (*rules_)[i];
      if (!matches(i, row, file)) continue;
      ++counts_[i];
      if (rule.drop == io::ForeignRule::Drop::row) return false;
      if (rule.drop == io::ForeignRule::Drop::time) row.time.reset();
      if (rule.drop == io::ForeignRule::Drop::power) row.power.reset();
      if (rule.drop == io::ForeignRule::Drop::counters) row.counters.clear();
    }
    return row.time || row.power;
  }
  [[nodiscard]] std::string report() const {
    static constexpr std::array<std::string_view, 4> what = {"rows", "times", "powers", "counters of rows"};
    std::string text;
    for (std::size_t i = 0; i < rules_->size(); ++i) {
      const io::ForeignRule& rule = (*rules_)[i];
      if (counts_[i] == 0)
        throw Error(ExitCode::bad_input, "the rule matches no row", to_string(rule.at), "remove it or mend it");
      text += fmt::format("{} {} left out: {}. ", counts_[i], what[static_cast<std::size_t>(rule.drop)], rule.why);
    }
    return text;
  }

 private:
  [[nodiscard]] bool matches(std::size_t i, const io::DatasetRow& row, const std::string& file) const {
    const io::ForeignRule& rule = (*rules_)[i];
    return (rule.file.empty() || io::matches_path(rule.file, file)) &&
           (rule.kernel.empty() || io::matches_glob(rule.kernel, row.kernel)) &&
           (rule.group.empty() || io::matches_glob(rule.group, row.group)) &&
           (!patterns_[i] || patterns_[i]->matches(row.configuration));
  }

  const std::vector<io::ForeignRule>* rules_;
  std::vector<std::size_t> counts_;
  std::vector<std::optional<ConfigurationPattern>> patterns_;
};

/// {number}: rows that are equal in certain columns are of one kernel.
class Numbering {
 public:
  explicit Numbering(const std::vector<std::string>& columns) : columns_(&columns) {}
  std::size_t number(const ForeignTable& table, std::size_t row) {
    if (columns_->empty()) return 0;
    std::string key;
    for (const std::string& column : *columns_) key += table.field(row, column) + '\n';
    return numbers_.try_emplace(key, numbers_.size() + 1).first->second;
  }

 private:
  const std::vector<std::string>* columns_;
  std::map<std::string, std::size_t> numbers_;
};

class Import {
 public:
  Import(const io::DatasetMap& map, const std::vector<std::string>& files)
      : map_(&map), builder_(map.repeats), rules_(map.rules), numbering_(map.number_by) {
    for (const io::ForeignJoin& join : map.joins) joined_.emplace_back(join, files);
  }

  void read(const std::string& file) {
    const ForeignTable table = io::read_foreign_table(file, map_->layout);
    RowValues values(table, joined_);
    const Compiled compiled = compile(*map_, table, values.names(), builder_);
    for (std::size_t r = 0; r < table.rows.size(); ++r) read_row(table, r, values, compiled);
  }

  [[nodiscard]] Dataset finish() const {
    Dataset head;
    head.name = map_->name;
    head.device = map_->device;
    head.source = map_->source;
    head.provenance = map_->provenance;
    head.note = map_->note.empty() ? "" : map_->note + " ";
    head.note += rules_.report();
    if (!without_partner_.empty())
      head.note += fmt::format("{} kernels without a partner in a joined table left out. ", without_partner_.size());
    if (builder_.merged() > 0)
      head.note += fmt::format("{} repeated rows {}. ", builder_.merged(),
                               map_->repeats == io::Repeats::mean ? "averaged" : "left out");
    while (!head.note.empty() && head.note.back() == ' ') head.note.pop_back();
    return builder_.finish(std::move(head));
  }

 private:
  [[nodiscard]] std::string group_of(std::string name) const {
    for (const auto& [pattern, group] : map_->groups) {
      if (io::matches_glob(pattern, name)) return group;
    }
    return name;
  }

  void read_row(const ForeignTable& table, std::size_t r, RowValues& values, const Compiled& compiled) {
    io::DatasetRow row;
    row.where = table.where[r];
    const std::size_t number = numbering_.number(table, r);
    row.kernel = table.filled(r, map_->kernel, number);
    row.group = group_of(table.filled(r, map_->group, number));
    if (!values.load(r, row.kernel)) {
      without_partner_.insert(row.kernel);
      return;
    }
    for (const auto& [axis, expression] : compiled.axes) {
      const auto value = values.evaluate(expression);
      if (!value || *value <= 0.0)
        throw Error(ExitCode::bad_input, fmt::format("{} is no number above 0", to_string(axis)), row.where,
                    "the mapping's expression: " + expression.text());
      set_axis_value(row.configuration, axis, *value);
    }
    if (compiled.time) row.time = values.evaluate(*compiled.time);
    if (compiled.power) row.power = values.evaluate(*compiled.power);
    for (const auto& [position, expression] : compiled.features) {
      if (const auto value = values.evaluate(expression)) row.counters.emplace_back(position, *value);
    }
    add_raw(*map_, compiled, values, row);
    if (rules_.apply(row, table.path)) builder_.add(std::move(row));
  }

  const io::DatasetMap* map_;
  io::DatasetBuilder builder_;
  Rules rules_;
  Numbering numbering_;
  std::vector<Joined> joined_;
  std::set<std::string> without_partner_;
};

}  // namespace

Dataset import_dataset(const std::string& map_path, std::span<const std::string> inputs) {
  const io::DatasetMap map = io::read_dataset_map(map_path);
  const std::vector<std::string> files = io::files_below({inputs.begin(), inputs.end()});
  Import import(map, files);
  for (const std::string& file : chosen_files(map.files, files, map_path)) import.read(file);
  Dataset dataset = import.finish();
  if (auto problems = validate(dataset); !problems.empty()) throw Error(ExitCode::bad_input, std::move(problems));
  return dataset;
}

}  // namespace wattune

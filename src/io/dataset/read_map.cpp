// A mapping file (TOML) as a DatasetMap; every fault at once.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "io/dataset/map.hpp"
#include "io/toml_table.hpp"
#include "wattune/expression.hpp"

namespace wattune::io {
namespace {

std::string text_of(TomlTable& table, std::string_view key, std::string otherwise = {}) {
  auto text = table.text(key);
  return text ? text->value : std::move(otherwise);
}

std::vector<std::string> list_of(TomlTable& table, std::string_view key) {
  std::vector<std::string> list;
  for (LocatedText& text : table.texts(key)) list.push_back(std::move(text.value));
  return list;
}

/// "ptx_{1..104}" stands for as many names.
std::vector<std::string> expanded(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const std::size_t open = name.find('{');
    const std::size_t dots = name.find("..", open);
    const std::size_t close = name.find('}', open);
    if (open == std::string::npos || dots == std::string::npos || close == std::string::npos) {
      all.push_back(name);
      continue;
    }
    const int first = std::atoi(name.substr(open + 1, dots - open - 1).c_str());
    const int last = std::min(first + 9999, std::atoi(name.substr(dots + 2, close - dots - 2).c_str()));
    for (int i = first; i <= last; ++i)
      all.push_back(name.substr(0, open) + std::to_string(i) + name.substr(close + 1));
  }
  return all;
}

ForeignLayout layout_of(TomlTable& table) {
  static constexpr std::array<std::string_view, 3> kinds = {"header", "columns", "blocks"};
  ForeignLayout layout;
  if (const auto kind = table.choice("layout", kinds)) layout.kind = static_cast<ForeignLayout::Kind>(*kind);
  if (const auto skip = table.count("skip_lines", 0, 1000)) layout.skip_lines = *skip;
  layout.columns = expanded(list_of(table, "columns"));
  if (layout.kind != ForeignLayout::Kind::header && layout.columns.empty())
    table.context().report(table.at(), "without a header the columns must be named", "columns = [\"name\", …]");
  return layout;
}

/// One expression or a list of alternatives, unchecked: the columns are known only with a file.
std::vector<LocatedText> alternatives(TomlTable& table, std::string_view key) {
  std::vector<LocatedText> all = table.texts(key);
  for (const LocatedText& text : all) {
    try {
      static_cast<void>(names_in(text.value, to_string(text.at)));
    } catch (const Error& error) {
      auto& problems = table.context().problems;
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  return all;
}

void read_row(TomlTable& top, DatasetMap& map) {
  auto row = top.table("row");
  if (!row) {
    if (top.raw().get("row") == nullptr) top.context().report(top.at(), "there is no [row]", "docs/datasets.md");
    return;
  }
  map.kernel = text_of(*row, "kernel");
  if (map.kernel.empty()) row->context().report(row->at(), "[row] has no 'kernel'", "kernel = \"{column}\"");
  map.group = text_of(*row, "group", map.kernel);
  map.number_by = list_of(*row, "number_by");
  for (const HardwareAxis axis : hardware_axes) {
    std::vector<LocatedText> expression = alternatives(*row, to_string(axis));
    if (!expression.empty()) map.axes.emplace_back(axis, std::move(expression.front()));
  }
  if (map.axes.empty()) row->context().report(row->at(), "[row] has no axis", "core_clock_mhz = \"column\"");
  map.time = alternatives(*row, "time_s");
  map.power = alternatives(*row, "power_w");
  if (map.time.empty() && map.power.empty())
    row->context().report(row->at(), "[row] has neither 'time_s' nor 'power_w'");
  static constexpr std::array<std::string_view, 3> repeats = {"refuse", "mean", "first"};
  if (const auto choice = row->choice("repeats", repeats)) map.repeats = static_cast<Repeats>(*choice);
  row->finish();
}

void read_groups(TomlTable& top, DatasetMap& map) {
  auto groups = top.table("groups");
  if (!groups) return;
  for (const auto& [key, node] : in_file_order(groups->raw())) {
    const std::string pattern(key->str());
    map.groups.emplace_back(pattern, text_of(*groups, pattern));
  }
}

void read_features(TomlTable& top, DatasetMap& map) {
  auto features = top.table("features");
  if (!features) return;
  for (const auto& [key, node] : in_file_order(features->raw())) {
    const std::string name(key->str());
    map.features.emplace_back(name, alternatives(*features, name));
  }
}

void read_raw(TomlTable& top, DatasetMap& map) {
  auto raw = top.table("raw");
  if (!raw) return;
  map.raw_prefix = text_of(*raw, "prefix", map.raw_prefix);
  map.raw_columns = list_of(*raw, "columns");
  map.raw_except = list_of(*raw, "except");
  map.raw_shares = raw->flag("shares").value_or(false);
  raw->finish();
}

/// The tables of an array "[[key]]".
template <class Read>
void each_table(TomlTable& top, std::string_view key, const Read& read) {
  const toml::node* node = top.find(key);
  if (node == nullptr) return;
  const auto* list = node->as_array();
  if (list == nullptr) return top.wrong_kind(key, *node, "a list of tables");
  for (const toml::node& item : *list) {
    const auto* inner = item.as_table();
    if (inner == nullptr) {
      top.wrong_kind(key, item, "a table");
      continue;
    }
    TomlTable table(top.context(), *inner, std::string(key), top.context().position(item.source()));
    read(table);
    table.finish();
  }
}

void read_joins(TomlTable& top, DatasetMap& map) {
  each_table(top, "join", [&](TomlTable& table) {
    ForeignJoin join;
    join.at = table.at();
    join.files = list_of(table, "files");
    join.layout = layout_of(table);
    join.key = text_of(table, "key");
    join.prefix = text_of(table, "prefix");
    join.sum = table.flag("sum").value_or(false);
    join.required = table.flag("required").value_or(false);
    if (auto names = table.table("names")) {
      for (const auto& [key, node] : in_file_order(names->raw())) {
        const std::string name(key->str());
        join.names[name] = text_of(*names, name);
      }
    }
    if (join.files.empty() || join.key.empty()) table.context().report(table.at(), "[[join]] needs 'files' and 'key'");
    map.joins.push_back(std::move(join));
  });
}

void read_rules(TomlTable& top, DatasetMap& map) {
  static constexpr std::array<std::string_view, 4> drops = {"row", "time", "power", "counters"};
  each_table(top, "rule", [&](TomlTable& table) {
    ForeignRule rule;
    rule.at = table.at();
    rule.why = text_of(table, "why");
    rule.file = text_of(table, "file");
    rule.kernel = text_of(table, "kernel");
    rule.group = text_of(table, "group");
    rule.where = text_of(table, "where");
    if (const auto drop = table.choice("drop", drops)) rule.drop = static_cast<ForeignRule::Drop>(*drop);
    if (rule.why.empty()) table.context().report(table.at(), "[[rule]] does not say why", "why = \"what is wrong\"");
    if (rule.file.empty() && rule.kernel.empty() && rule.group.empty() && rule.where.empty())
      table.context().report(table.at(), "[[rule]] matches every row", "file, kernel, group or where");
    map.rules.push_back(std::move(rule));
  });
}

}  // namespace

DatasetMap read_dataset_map(const std::string& path) {
  const std::string text = base::read_file(path, "mapping");
  const toml::table document = parse_toml(text, path);
  TomlContext context{path, {}, {}};
  TomlTable top(context, document, "", {path, 0, 0});
  DatasetMap map;
  if (const auto version = top.count("version", 1, 1); !version && top.raw().get("version") == nullptr)
    context.report(top.at(), "there is no 'version'", "version = 1");
  map.name = text_of(top, "name", std::filesystem::path(path).stem().string());
  map.device = text_of(top, "device");
  map.source = text_of(top, "source");
  map.note = text_of(top, "note");
  if (const auto name = top.text("provenance")) {
    if (const auto provenance = provenance_from(name->value)) {
      map.provenance = *provenance;
    } else {
      context.report(name->at, fmt::format("unknown provenance '{}'", name->value), "measured or simulated");
    }
  }
  map.files = list_of(top, "files");
  if (map.files.empty()) context.report(top.at(), "there is no 'files'", "patterns of the files to read");
  if (auto table = top.table("table")) {
    map.layout = layout_of(*table);
    table->finish();
  }
  read_row(top, map);
  read_groups(top, map);
  read_features(top, map);
  read_raw(top, map);
  read_joins(top, map);
  read_rules(top, map);
  top.finish();
  if (!context.problems.empty()) throw Error(ExitCode::bad_input, std::move(context.problems));
  return map;
}

}  // namespace wattune::io

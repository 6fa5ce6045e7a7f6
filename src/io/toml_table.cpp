#include "io/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/text.hpp"
#include "wattune/expression.hpp"

namespace wattune::io {

namespace {

std::string line_of(std::string_view text, std::size_t line) {
  std::istringstream lines{std::string(text)};
  std::string content;
  for (std::size_t i = 0; i < line && std::getline(lines, content); ++i) {
  }
  if (!content.empty() && content.back() == '\r') content.pop_back();
  return content;
}

/// The parser's description, the offending line and a caret under the offending column.
[[noreturn]] void throw_syntax_error(const toml::parse_error& error, std::string_view text, const std::string& file) {
  const toml::source_position at = error.source().begin;
  std::string message(error.description());
  if (at.line > 0) {
    const std::string line = line_of(text, at.line);
    std::string caret;
    for (std::size_t i = 1; i < at.column && i <= line.size(); ++i) caret += line[i - 1] == '\t' ? '\t' : ' ';
    message += "\n  " + line + "\n  " + caret + "^";
  }
  throw Error(ExitCode::bad_input, std::move(message),
              to_string(SourcePosition{file, static_cast<int>(at.line), static_cast<int>(at.column)}));
}

std::string range_text(double low, double high, bool low_excluded) {
  if (std::isinf(high))
    return std::isinf(low) ? "" : fmt::format("{} {}", low_excluded ? "more than" : "at least", low);
  if (std::isinf(low)) return fmt::format("at most {}", high);
  return fmt::format("{} {} and at most {}", low_excluded ? "more than" : "at least", low, high);
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    throw_syntax_error(error, text, file);
  }
}

SourcePosition TomlContext::position(const toml::source_region& region) const {
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

void TomlContext::report(const SourcePosition& at, std::string message, std::string hint) {
  problems.push_back({to_string(at), std::move(message), std::move(hint)});
}

bool TomlContext::check_expression(const LocatedText& text, std::span<const std::string> known) {
  try {
    static_cast<void>(Expression::compile(text.value, known, to_string(text.at)));
    return true;
  } catch (const Error& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    return false;
  }
}

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a real number";
    case toml::node_type::boolean:
      return "a boolean";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    case toml::node_type::none:
      break;
  }
  return "nothing";
}

std::optional<Value> value_of(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return Value(integer->get());
  if (const auto* boolean = node.as_boolean()) return Value(boolean->get());
  if (const auto* text = node.as_string()) return Value(text->get());
  if (const auto* real = node.as_floating_point()) {
    if (std::isfinite(real->get())) return Value(real->get());
  }
  return std::nullopt;
}

std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const auto& left = a.first->source().begin;
    const auto& right = b.first->source().begin;
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
  return entries;
}

TomlTable::TomlTable(TomlContext& context, const toml::table& table, std::string path, SourcePosition at)
    : context_(&context), table_(&table), path_(std::move(path)), at_(std::move(at)) {}

const toml::node* TomlTable::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_->get(key);
}

SourcePosition TomlTable::position_of(std::string_view key) const {
  const auto entry = table_->find(key);
  return entry == table_->end() ? at_ : context_->position(entry->second.source());
}

void TomlTable::wrong_kind(std::string_view key, const toml::node& node, std::string_view expected) {
  context_->report(context_->position(node.source()),
                   fmt::format("'{}' must be {}, not {}", key, expected, kind_of(node)));
}

std::optional<LocatedText> TomlTable::text(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* text = node->as_string()) return LocatedText{text->get(), context_->position(node->source())};
  wrong_kind(key, *node, "a text");
  return std::nullopt;
}

std::optional<bool> TomlTable::flag(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* flag = node->as_boolean()) return flag->get();
  wrong_kind(key, *node, "true or false");
  return std::nullopt;
}

std::optional<double> TomlTable::number(std::string_view key, double low, double high, bool low_excluded) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> number = node->is_number() ? node->value<double>() : std::nullopt;
  if (!number || !std::isfinite(*number)) {
    wrong_kind(key, *node, "a finite number");
    return std::nullopt;
  }
  if (*number < low || *number > high || (low_excluded && *number == low)) {
    context_->report(context_->position(node->source()),
                     fmt::format("'{}' is {}; it must be {}", key, *number, range_text(low, high, low_excluded)));
    return std::nullopt;
  }
  return number;
}

std::optional<std::uint64_t> TomlTable::count(std::string_view key, std::uint64_t low, std::uint64_t high) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* integer = node->as_integer();
  if (integer == nullptr) {
    wrong_kind(key, *node, "an integer");
    return std::nullopt;
  }
  const std::int64_t count = integer->get();
  if (count < 0 || static_cast<std::uint64_t>(count) < low || static_cast<std::uint64_t>(count) > high) {
    context_->report(context_->position(node->source()),
                     fmt::format("'{}' is {}; it must be from {} to {}", key, count, low, high));
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(count);
}

std::vector<LocatedText> TomlTable::texts(std::string_view key) {
  std::vector<LocatedText> texts;
  const toml::node* node = find(key);
  if (node == nullptr) return texts;
  const auto take = [&](const toml::node& item) {
    if (const auto* text = item.as_string()) {
      texts.push_back({text->get(), context_->position(item.source())});
    } else {
      wrong_kind(key, item, "a text or a list of texts");
    }
  };
  if (const auto* list = node->as_array()) {
    for (const toml::node& item : *list) take(item);
  } else {
    take(*node);
  }
  return texts;
}

std::optional<std::size_t> TomlTable::choice(std::string_view key, std::span<const std::string_view> choices) {
  const auto given = text(key);
  if (!given) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), given->value);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  const std::vector<std::string> names(choices.begin(), choices.end());
  std::string hint = base::did_you_mean(given->value, names);
  if (hint.empty()) hint = "one of: " + base::join(names, ", ");
  context_->report(given->at, fmt::format("'{}' cannot be '{}'", key, given->value), std::move(hint));
  return std::nullopt;
}

std::optional<LocatedText> expression_in(TomlContext& context, const toml::node& node, std::string_view what) {
  const SourcePosition at = context.position(node.source());
  const auto value = value_of(node);
  if (!value) {
    context.report(at, fmt::format("'{}' must be an expression or a number, not {}", what, kind_of(node)));
    return std::nullopt;
  }
  LocatedText text{to_string(*value), at};
  context.check_expression(text);
  return text;
}

std::optional<LocatedText> TomlTable::expression(std::string_view key) {
  const toml::node* node = find(key);
  return node == nullptr ? std::nullopt : expression_in(*context_, *node, key);
}

std::vector<LocatedText> TomlTable::expressions(std::string_view key, std::size_t limit) {
  std::vector<LocatedText> expressions;
  const toml::node* node = find(key);
  if (node == nullptr) return expressions;
  const auto take = [&](const toml::node& item) {
    if (auto text = expression_in(*context_, item, key)) expressions.push_back(std::move(*text));
  };
  if (const auto* list = node->as_array()) {
    for (const toml::node& item : *list) take(item);
    if (list->size() > limit) {
      context_->report(context_->position(node->source()),
                       fmt::format("'{}' has {} entries; at most {} are possible", key, list->size(), limit));
    }
  } else {
    take(*node);
  }
  return expressions;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* inner = node->as_table();
  if (inner == nullptr) {
    wrong_kind(key, *node, "a table");
    return std::nullopt;
  }
  std::string path = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  return TomlTable(*context_, *inner, std::move(path), context_->position(node->source()));
}

void TomlTable::finish() {
  for (const auto& [key, node] : in_file_order(*table_)) {
    const std::string name(key->str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    std::string hint = base::did_you_mean(name, known_);
    if (hint.empty()) hint = "known here: " + base::join(known_, ", ");
    context_->report(
        context_->position(key->source()),
        path_.empty() ? fmt::format("unknown key '{}'", name) : fmt::format("unknown key '{}' in [{}]", name, path_),
        std::move(hint));
  }
}

}  // namespace wattune::io

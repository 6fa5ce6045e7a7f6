// Checked access to the tables of a user's TOML file. Every key that is asked for becomes known; finish() reports the
// others with the nearest known one. Faults are collected, never thrown, so that a user sees all of them at once.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wattune/error.hpp"
#include "wattune/spec.hpp"

namespace wattune::io {

/// What all parts of one file share: its name, the faults found so far, and the names that expressions may use.
struct TomlContext {
  std::string file;
  std::vector<Problem> problems;
  std::vector<std::string> names;  ///< parameters and problem sizes

  [[nodiscard]] SourcePosition position(const toml::source_region& region) const;
  void report(const SourcePosition& at, std::string message, std::string hint = {});
  /// Compiles `text` against `known` and keeps what is wrong with it, caret included. True when it is sound.
  bool check_expression(const LocatedText& text, std::span<const std::string> known);
  bool check_expression(const LocatedText& text) { return check_expression(text, names); }
};

/// The document in `text`. Throws Error(bad_input) with the line and a caret when it is no TOML.
toml::table parse_toml(std::string_view text, const std::string& file);

/// "a text", "an integer", …: for messages.
std::string_view kind_of(const toml::node& node);
/// The value of an integer, real, boolean or text; nothing for anything else and for nan and inf.
std::optional<Value> value_of(const toml::node& node);
/// Entries of a table in the order of the file (toml++ keeps them sorted by name).
std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

/// One table under reading. `path` is its name in messages: "kernel", "tune.parameters".
class TomlTable {
 public:
  TomlTable(TomlContext& context, const toml::table& table, std::string path, SourcePosition at);

  [[nodiscard]] TomlContext& context() const { return *context_; }
  [[nodiscard]] const SourcePosition& at() const { return at_; }
  [[nodiscard]] const toml::table& raw() const { return *table_; }

  /// The node under `key`, which becomes known; null when absent.
  const toml::node* find(std::string_view key);
  [[nodiscard]] SourcePosition position_of(std::string_view key) const;

  std::optional<LocatedText> text(std::string_view key);
  std::optional<bool> flag(std::string_view key);
  /// A number within [low, high]; `low_excluded` shuts out `low` itself.
  std::optional<double> number(std::string_view key, double low, double high, bool low_excluded = false);
  std::optional<std::uint64_t> count(std::string_view key, std::uint64_t low, std::uint64_t high);
  /// One text or a list of texts.
  std::vector<LocatedText> texts(std::string_view key);
  /// Position of the text under `key` in `choices`.
  std::optional<std::size_t> choice(std::string_view key, std::span<const std::string_view> choices);
  /// A text holding an expression, or a plain number; checked against the names of the context.
  std::optional<LocatedText> expression(std::string_view key);
  /// One expression or a list of at most `limit`.
  std::vector<LocatedText> expressions(std::string_view key, std::size_t limit);
  std::optional<TomlTable> table(std::string_view key);

  /// Reports every key that nobody asked for.
  void finish();

  /// Reports that `key` is of the wrong kind.
  void wrong_kind(std::string_view key, const toml::node& node, std::string_view expected);

 private:
  TomlContext* context_;
  const toml::table* table_;
  std::string path_;
  SourcePosition at_;
  std::vector<std::string> known_;
};

/// An expression given as a text or a plain number, checked; `what` names it in messages. Nothing when it is neither.
std::optional<LocatedText> expression_in(TomlContext& context, const toml::node& node, std::string_view what);

}  // namespace wattune::io

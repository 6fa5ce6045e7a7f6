#include "io/t1_reader.hpp"

#include <fmt/format.h>

namespace wattune::io {

namespace {

std::string_view kind_of(const nlohmann::json& value) {
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "a boolean";
  if (value.is_array()) return "a list";
  return "an object";
}

}  // namespace

T1Node T1Node::operator[](std::string_view key) const {
  const nlohmann::json* child = nullptr;
  if (value_ != nullptr && value_->is_object()) {
    if (const auto found = value_->find(std::string(key)); found != value_->end()) child = &*found;
  }
  return {*context_, child, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
}

SourcePosition T1Node::at() const {
  return {path_.empty() ? context_->file : fmt::format("{}: {}", context_->file, path_), 0, 0};
}

std::vector<T1Node> T1Node::items() const {
  std::vector<T1Node> nodes;
  if (!present()) return nodes;
  if (!value_->is_array()) return {*this};
  for (std::size_t i = 0; i < value_->size(); ++i) {
    nodes.emplace_back(*context_, &(*value_)[i], fmt::format("{}[{}]", path_, i));
  }
  return nodes;
}

std::optional<std::string> T1Node::text(bool needed) const {
  if (present() && value_->is_string()) return value_->get<std::string>();
  if (present()) {
    report(fmt::format("a text is expected, not {}", kind_of(*value_)));
  } else if (needed) {
    report("a text is expected here, but there is none");
  }
  return std::nullopt;
}

std::optional<double> T1Node::number() const {
  if (!present()) return std::nullopt;
  if (value_->is_number()) return value_->get<double>();
  report(fmt::format("a number is expected, not {}", kind_of(*value_)));
  return std::nullopt;
}

std::optional<Value> T1Node::value() const {
  if (!present()) return std::nullopt;
  if (value_->is_boolean()) return Value(value_->get<bool>());
  if (value_->is_number_integer()) return Value(value_->get<std::int64_t>());
  if (value_->is_number()) return Value(value_->get<double>());
  if (value_->is_string()) return Value(value_->get<std::string>());
  report(fmt::format("a number, a boolean or a text is expected, not {}", kind_of(*value_)));
  return std::nullopt;
}

std::optional<LocatedText> T1Node::expression() const {
  const std::optional<Value> given = value();
  if (!given) return std::nullopt;
  return LocatedText{to_string(*given), at()};
}

bool T1Node::is_object(bool needed) const {
  if (present() && value_->is_object()) return true;
  if (present()) {
    report(fmt::format("an object is expected, not {}", kind_of(*value_)));
  } else if (needed) {
    report("an object is expected here, but there is none");
  }
  return false;
}

void T1Node::report(std::string message, std::string hint) const {
  context_->problems.push_back({to_string(at()), std::move(message), std::move(hint)});
}

void T1Node::report(const Error& error) const {
  context_->problems.insert(context_->problems.end(), error.problems().begin(), error.problems().end());
}

}  // namespace wattune::io

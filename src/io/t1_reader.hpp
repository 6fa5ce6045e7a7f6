// Checked access to a T1 file (JSON): each node knows its path, faults are collected with file and path, so that a user
// sees all of them at once. Keys that nobody asks for are passed over: real T1 files carry many of their own.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/error.hpp"
#include "wattune/expression.hpp"
#include "wattune/spec.hpp"

namespace wattune::io {

/// What all parts of one file share.
struct T1Context {
  std::string file;
  std::vector<Problem> problems;
  std::vector<NamedValues> lists;  ///< every parameter's whole value list, and ProblemSize: what sizes are written in
  std::vector<std::string> names;  ///< parameters and problem sizes: what conditions and geometry are written in
};

class T1Node {
 public:
  T1Node(T1Context& context, const nlohmann::json* value, std::string path)
      : context_(&context), value_(value), path_(std::move(path)) {}

  /// A missing key and null read alike: an absent node.
  [[nodiscard]] T1Node operator[](std::string_view key) const;
  [[nodiscard]] bool present() const { return value_ != nullptr && !value_->is_null(); }
  [[nodiscard]] const nlohmann::json& json() const { return *value_; }
  [[nodiscard]] T1Context& context() const { return *context_; }
  [[nodiscard]] SourcePosition at() const;

  /// Elements of a list; a lone value reads as a list of one, an absent node as none.
  [[nodiscard]] std::vector<T1Node> items() const;

  /// Each reports a fault and returns nothing when the node is there but of another kind, or when it is `needed` and
  /// absent.
  [[nodiscard]] std::optional<std::string> text(bool needed = false) const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<Value> value() const;
  /// A text, or a number written as text.
  [[nodiscard]] std::optional<LocatedText> expression() const;
  [[nodiscard]] bool is_object(bool needed = false) const;

  void report(std::string message, std::string hint = {}) const;
  void report(const Error& error) const;

 private:
  T1Context* context_;
  const nlohmann::json* value_;
  std::string path_;
};

/// KernelSpecification: kernel, problem sizes, geometry, arguments. Call after the parameters are in the context.
void read_t1_problem(const T1Node& kernel, Spec& spec);
void read_t1_kernel(const T1Node& kernel, Spec& spec);
void read_t1_arguments(const T1Node& kernel, Spec& spec);

}  // namespace wattune::io

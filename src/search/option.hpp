// Short ways to write and read the options of a strategy.
// Reading assumes a complete, checked set (resolve_options); a name that is not in it is a fault of the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wattune/strategy.hpp"

namespace wattune::search {

inline StrategyOption integer_option(std::string name, std::int64_t value, double low, double high, std::string help,
                                     std::string source) {
  return {std::move(name), Value(value), low, high, {}, std::move(help), std::move(source)};
}

inline StrategyOption real_option(std::string name, double value, double low, double high, std::string help,
                                  std::string source) {
  return {std::move(name), Value(value), low, high, {}, std::move(help), std::move(source)};
}

inline StrategyOption choice_option(std::string name, std::string value, std::vector<std::string> choices,
                                    std::string help, std::string source) {
  return {std::move(name), Value(std::move(value)), {}, {}, std::move(choices), std::move(help), std::move(source)};
}

inline std::size_t read_count(const StrategyOptions& options, const std::string& name) {
  return static_cast<std::size_t>(options.at(name).as_integer());
}
inline double read_real(const StrategyOptions& options, const std::string& name) {
  return options.at(name).as_number();
}
inline const std::string& read_text(const StrategyOptions& options, const std::string& name) {
  return options.at(name).as_text();
}

/// The make function of a strategy whose constructor takes (task, options).
template <class Type>
auto maker() {
  return [](const StrategyTask& task, const StrategyOptions& options) -> std::unique_ptr<Strategy> {
    return std::make_unique<Type>(task, options);
  };
}

}  // namespace wattune::search

// A table of enumerators and their names, searched both ways. For the small closed sets that files spell out.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace wattune::record {

template <class Enum>
struct Name {
  Enum value;
  std::string_view text;
};
template <class Enum>
Name(Enum, const char*) -> Name<Enum>;  // clang 14 does not deduce aggregates by itself

/// The first name of `value`; "" for a number outside the enumeration (it can only come from a damaged file).
template <class Enum, std::size_t count>
constexpr std::string_view name_of(const std::array<Name<Enum>, count>& names, Enum value) {
  for (const Name<Enum>& name : names) {
    if (name.value == value) return name.text;
  }
  return {};
}

/// The value called `text` exactly; nothing otherwise. Several names may stand for one value.
template <class Enum, std::size_t count>
constexpr std::optional<Enum> value_of(const std::array<Name<Enum>, count>& names, std::string_view text) {
  for (const Name<Enum>& name : names) {
    if (name.text == text) return name.value;
  }
  return std::nullopt;
}

}  // namespace wattune::record

// Words of a spec: places, languages and element types, with the spellings that other tools and users write.
#include "wattune/spec.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "record/names.hpp"

namespace wattune {

namespace {

using record::Name;

constexpr std::array language_names = {
    Name{Language::automatic, "auto"}, Name{Language::cuda, "cuda"},         Name{Language::opencl, "opencl"},
    Name{Language::hip, "hip"},        Name{Language::portable, "portable"},
};

// The first name of a type is the one written; the others are read: C, numpy and OpenCL spellings.
constexpr std::array element_names = {
    Name{ElementType::i8, "char"},
    Name{ElementType::i8, "int8"},
    Name{ElementType::i8, "i8"},
    Name{ElementType::u8, "uchar"},
    Name{ElementType::u8, "uint8"},
    Name{ElementType::u8, "u8"},
    Name{ElementType::i16, "short"},
    Name{ElementType::i16, "int16"},
    Name{ElementType::i16, "i16"},
    Name{ElementType::u16, "ushort"},
    Name{ElementType::u16, "uint16"},
    Name{ElementType::u16, "u16"},
    Name{ElementType::i32, "int"},
    Name{ElementType::i32, "int32"},
    Name{ElementType::i32, "i32"},
    Name{ElementType::u32, "uint"},
    Name{ElementType::u32, "uint32"},
    Name{ElementType::u32, "u32"},
    Name{ElementType::i64, "long"},
    Name{ElementType::i64, "int64"},
    Name{ElementType::i64, "i64"},
    Name{ElementType::u64, "ulong"},
    Name{ElementType::u64, "uint64"},
    Name{ElementType::u64, "u64"},
    Name{ElementType::f16, "half"},
    Name{ElementType::f16, "float16"},
    Name{ElementType::f16, "f16"},
    Name{ElementType::f32, "float"},
    Name{ElementType::f32, "float32"},
    Name{ElementType::f32, "f32"},
    Name{ElementType::f64, "double"},
    Name{ElementType::f64, "float64"},
    Name{ElementType::f64, "f64"},
    Name{ElementType::i8, "int8_t"},
    Name{ElementType::u8, "uint8_t"},
    Name{ElementType::u8, "unsigned char"},
    Name{ElementType::i16, "int16_t"},
    Name{ElementType::u16, "uint16_t"},
    Name{ElementType::u16, "unsigned short"},
    Name{ElementType::i32, "int32_t"},
    Name{ElementType::u32, "uint32_t"},
    Name{ElementType::u32, "unsigned int"},
    Name{ElementType::u32, "unsigned"},
    Name{ElementType::i64, "int64_t"},
    Name{ElementType::u64, "uint64_t"},
    Name{ElementType::i64, "long long"},
    Name{ElementType::u64, "unsigned long"},
    Name{ElementType::u64, "unsigned long long"},
};

}  // namespace

std::string to_string(const SourcePosition& position) {
  std::string text = position.file;
  if (position.line <= 0) return text;
  text += text.empty() ? "line " : ":";
  text += std::to_string(position.line);
  if (position.column > 0) {
    text += ':';
    text += std::to_string(position.column);
  }
  return text;
}

std::string_view to_string(Language language) {
  return record::name_of(language_names, language);
}

std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::i8:
    case ElementType::u8:
      return 1;
    case ElementType::i16:
    case ElementType::u16:
    case ElementType::f16:
      return 2;
    case ElementType::i32:
    case ElementType::u32:
    case ElementType::f32:
      return 4;
    case ElementType::i64:
    case ElementType::u64:
    case ElementType::f64:
      return 8;
  }
  return 0;
}

std::optional<ElementType> element_type_from(std::string_view name) {
  return record::value_of(element_names, name);
}
std::string_view to_string(ElementType type) {
  return record::name_of(element_names, type);
}

std::string_view hardware_setting(std::string_view parameter) {
  struct Name {
    std::string_view name;
    std::string_view setting;
  };
  constexpr std::array names = {
      Name{"core_clock_mhz", "core_clock_mhz"},     Name{"nvml_gr_clock", "core_clock_mhz"},
      Name{"memory_clock_mhz", "memory_clock_mhz"}, Name{"nvml_mem_clock", "memory_clock_mhz"},
      Name{"power_limit_w", "power_limit_w"},       Name{"nvml_pwr_limit", "power_limit_w"},
      Name{"compute_units", "compute_units"},       Name{"sm", "compute_units"},
  };
  const auto* const found = std::ranges::find(names, parameter, &Name::name);
  return found == names.end() ? std::string_view() : found->setting;
}

}  // namespace wattune

#include "tune/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/text.hpp"
#include "wattune/error.hpp"
#include "wattune/random.hpp"

namespace wattune::tune {
namespace {

/// IEEE half from a float, rounding to nearest even (the standard bit recipe; overflow becomes infinity).
std::uint16_t half_from(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude >= 0x7f800000U) return static_cast<std::uint16_t>(sign | (magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U));
  if (magnitude >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < 0x38800000U) {  // subnormal half
    const float scaled = std::fabs(value) * 0x1.0p24F;
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::nearbyint(scaled)));
  }
  const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13U) & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13U));
}

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
void store_integer(std::byte* to, double value) {
  const double low = static_cast<double>(std::numeric_limits<T>::min());
  const double high = static_cast<double>(std::numeric_limits<T>::max());
  store(to, value <= low    ? std::numeric_limits<T>::min()
            : value >= high ? std::numeric_limits<T>::max()
                            : static_cast<T>(value));
}

void store_number(std::byte* to, ElementType type, double value) {
  switch (type) {
    case ElementType::i8:
      return store_integer<std::int8_t>(to, value);
    case ElementType::u8:
      return store_integer<std::uint8_t>(to, value);
    case ElementType::i16:
      return store_integer<std::int16_t>(to, value);
    case ElementType::u16:
      return store_integer<std::uint16_t>(to, value);
    case ElementType::i32:
      return store_integer<std::int32_t>(to, value);
    case ElementType::u32:
      return store_integer<std::uint32_t>(to, value);
    case ElementType::i64:
      return store_integer<std::int64_t>(to, value);
    case ElementType::u64:
      return store_integer<std::uint64_t>(to, value);
    case ElementType::f16:
      return store(to, half_from(static_cast<float>(value)));
    case ElementType::f32:
      return store(to, static_cast<float>(value));
    case ElementType::f64:
      return store(to, value);
  }
}

bool is_integral(ElementType type) {
  return type != ElementType::f16 && type != ElementType::f32 && type != ElementType::f64;
}

constexpr std::uint64_t max_buffer_bytes = std::uint64_t{1} << 40U;

/// Largest value of a size expression over all combinations of the parameters that it reads.
std::uint64_t largest_size(const Expression& expression, const Environment& environment,
                           std::span<const std::vector<Value>> values, std::span<const Value> default_configuration) {
  std::vector<Value> configuration(default_configuration.begin(), default_configuration.end());
  std::vector<std::size_t> read;
  double combinations = 1.0;
  for (const std::uint32_t slot : expression.variables()) {
    if (slot >= environment.parameter_count()) continue;
    read.push_back(slot);
    combinations *= static_cast<double>(values[slot].size());
  }
  if (combinations > 1e6) {
    throw Error(ExitCode::bad_input, "the size '" + expression.text() + "' depends on too many parameter combinations",
                expression.origin(), "give a size that covers the largest configuration");
  }
  std::vector<std::size_t> digit(read.size(), 0);
  std::uint64_t largest = 0;
  while (true) {
    for (std::size_t i = 0; i < read.size(); ++i) configuration[read[i]] = values[read[i]][digit[i]];
    largest = std::max(largest, environment.evaluate_size(expression, configuration));
    std::size_t i = 0;
    while (i < read.size() && ++digit[i] == values[read[i]].size()) digit[i++] = 0;
    if (i == read.size()) return largest;
  }
}

std::vector<std::byte> file_contents(const FillSpec& fill, std::uint64_t bytes, const std::string& directory,
                                     const SourcePosition& at) {
  const std::filesystem::path path = std::filesystem::path(fill.path).is_absolute()
                                         ? std::filesystem::path(fill.path)
                                         : std::filesystem::path(directory) / fill.path;
  const std::string text = base::read_file(path.string(), "the contents of a buffer");
  if (text.size() != bytes) {
    throw Error(ExitCode::bad_input,
                path.string() + " has " + std::to_string(text.size()) + " bytes, the buffer " + std::to_string(bytes),
                to_string(at), "raw little-endian elements are expected, as many as the buffer's size");
  }
  std::vector<std::byte> contents(text.size());
  std::memcpy(contents.data(), text.data(), text.size());
  return contents;
}

}  // namespace

std::vector<std::byte> make_contents(const FillSpec& fill, ElementType type, std::uint64_t count,
                                     const std::string& directory, const SourcePosition& at) {
  const std::size_t width = size_of(type);
  if (count > max_buffer_bytes / width)
    throw Error(ExitCode::bad_input, "a buffer of " + std::to_string(count) + " elements is too large", to_string(at));
  if (fill.kind == FillSpec::Kind::file) return file_contents(fill, count * width, directory, at);
  std::vector<std::byte> contents(count * width);
  std::byte* to = contents.data();
  if (fill.kind == FillSpec::Kind::constant) {
    if (fill.value == 0.0) return contents;
    for (std::uint64_t i = 0; i < count; ++i, to += width) store_number(to, type, fill.value);
  } else if (fill.kind == FillSpec::Kind::ramp) {
    for (std::uint64_t i = 0; i < count; ++i, to += width)
      store_number(to, type, fill.value + fill.step * static_cast<double>(i));
  } else {
    Random random(fill.seed);
    const bool whole = is_integral(type);
    for (std::uint64_t i = 0; i < count; ++i, to += width) {
      const double value = random.uniform(fill.low, fill.high);
      store_number(to, type, whole ? std::floor(value) : value);
    }
  }
  return contents;
}

std::vector<std::byte> make_element(ElementType type, const Value& value, const SourcePosition& at) {
  if (value.is_text())
    throw Error(ExitCode::bad_input, "a scalar argument needs a number, not '" + to_string(value) + "'", to_string(at));
  std::vector<std::byte> element(size_of(type));
  if (value.is_integer() && (type == ElementType::i64 || type == ElementType::u64)) {
    store(element.data(), value.as_integer());  // beyond 2^53 a double would round
  } else {
    store_number(element.data(), type, value.as_number());
  }
  return element;
}

Arguments::Arguments(const std::vector<ArgumentSpec>& specs, const Environment& environment,
                     std::span<const std::vector<Value>> parameter_values, const std::string& directory,
                     std::span<const Value> default_configuration)
    : specs_(specs), varying_(specs.size()) {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const ArgumentSpec& spec = specs_[i];
    ArgumentData data;
    data.name = spec.name;
    data.kind = spec.kind;
    data.type = spec.type;
    const std::optional<LocatedText>& text = spec.kind == ArgumentKind::scalar ? spec.value : spec.size;
    if (!text)
      throw Error(ExitCode::bad_input,
                  "argument '" + spec.name + "' has no " + (spec.kind == ArgumentKind::scalar ? "value" : "size"),
                  to_string(spec.at));
    const Expression expression = environment.compile(*text);
    const bool varies = environment.depends_on_parameters(expression);
    if (spec.kind == ArgumentKind::scalar) {
      data.bytes = make_element(spec.type, environment.evaluate(expression, default_configuration), spec.at);
      if (varies) varying_[i] = expression;
    } else if (spec.kind == ArgumentKind::local) {
      data.local_bytes = environment.evaluate_size(expression, default_configuration) * size_of(spec.type);
      if (varies) varying_[i] = expression;
    } else {
      const std::uint64_t count = largest_size(expression, environment, parameter_values, default_configuration);
      if (count == 0)
        throw Error(ExitCode::bad_input, "buffer '" + spec.name + "' has no elements", to_string(spec.at));
      data.bytes = make_contents(spec.fill, spec.type, count, directory, spec.at);
    }
    if (spec.output) outputs_.push_back(i);
    data_.push_back(std::move(data));
  }
}

bool Arguments::varies() const {
  return std::ranges::any_of(varying_, [](const auto& expression) { return expression.has_value(); });
}

void Arguments::adapt(DeviceArguments& device, const Environment& environment,
                      std::span<const Value> configuration) const {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (!varying_[i]) continue;
    if (specs_[i].kind == ArgumentKind::scalar) {
      device.write(i, make_element(specs_[i].type, environment.evaluate(*varying_[i], configuration), specs_[i].at));
    } else {
      device.set_local_bytes(i, environment.evaluate_size(*varying_[i], configuration) * size_of(specs_[i].type));
    }
  }
}

void Arguments::reset_outputs(DeviceArguments& device) const {
  for (const std::size_t i : outputs_) device.write(i, data_[i].bytes);
}

}  // namespace wattune::tune

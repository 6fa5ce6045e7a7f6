// Texts made, read and measured by expressions.
#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "expr/scalar_ops.hpp"

namespace wattune::expr {
namespace {

constexpr std::size_t most_bytes = 1U << 20U;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What int() and float() read: without blanks around, a leading + and underscores between digits. Empty when there is
/// nothing to read.
std::string plain_number(const std::string& text) {
  std::string_view rest = base::trim(text);
  if (rest.starts_with('+')) {
    rest.remove_prefix(1);
    if (rest.starts_with('-')) return {};
  }
  std::string result;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool between = i > 0 && i + 1 < rest.size() && is_digit(rest[i - 1]) && is_digit(rest[i + 1]);
    if (rest[i] == '_' && between) continue;
    result += rest[i];
  }
  return result;
}

template <class Number>
Evaluation read(const std::string& text) {
  const std::string plain = plain_number(text);
  Number value{};
  const char* const end = plain.data() + plain.size();
  const auto [stop, error] = std::from_chars(plain.data(), end, value);
  if (error == std::errc::result_out_of_range) return failed(EvaluationError::overflow);
  return error == std::errc() && stop == end ? ok(value) : failed(EvaluationError::domain);
}

}  // namespace

Evaluation TextStore::keep(std::string text) {
  if (text.size() > most_bytes - bytes_) return failed(EvaluationError::overflow);
  bytes_ += text.size();
  return {Scalar::of(texts_.emplace_back(std::move(text))), EvaluationError::none};
}

void TextStore::clear() {
  texts_.clear();
  bytes_ = 0;
}

Evaluation text_binary(Binary op, const Scalar& a, const Scalar& b, TextStore& store) {
  if (op == Binary::add && is_text(a) && is_text(b)) return store.keep(*a.text + *b.text);
  if (op != Binary::multiply || is_text(a) == is_text(b) || is_real(a) || is_real(b))
    return failed(EvaluationError::type);
  const std::string& text = is_text(a) ? *a.text : *b.text;
  const std::int64_t times = std::max<std::int64_t>(0, integer_of(is_text(a) ? b : a));
  if (text.empty() || times == 0) return store.keep({});
  if (times > static_cast<std::int64_t>(most_bytes / text.size())) return failed(EvaluationError::overflow);
  std::string result;
  for (std::int64_t i = 0; i < times; ++i) result += text;
  return store.keep(std::move(result));
}

Evaluation text_of(const Scalar& value, TextStore& store) {
  return is_text(value) ? Evaluation{value} : store.keep(to_string(value.to_value()));
}

Evaluation integer_from(const std::string& text) {
  return read<std::int64_t>(text);
}

Evaluation real_from(const std::string& text) {
  return read<double>(text);
}

std::int64_t characters(const std::string& text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
}

}  // namespace wattune::expr

// Fuzz target: expressions. What compiles must evaluate or say why not, never crash; where the batch path applies, it
// must agree with the scalar one.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/error.hpp"
#include "wattune/expression.hpp"

namespace {

using namespace wattune;

const std::vector<std::string> names{"x", "y", "z"};
constexpr std::size_t rows = 5;
constexpr std::array<double, rows> xs{0, 1, -3, 32, 1024};
constexpr std::array<double, rows> ys{2, -1, 7, 0, 31};
constexpr std::array<double, rows> zs{0.5, -2.5, 0, 1e300, 3};

void check_batch(const Expression& expression) {
  std::vector<Expression::Column> columns;
  for (const std::uint32_t slot : expression.variables()) {
    columns.push_back({slot == 0 ? xs.data() : slot == 1 ? ys.data() : zs.data(), 1, slot != 2});
  }
  std::array<std::uint8_t, rows> truth{};
  std::array<std::uint8_t, rows> errors{};
  const bool batch = expression.evaluate_truth(columns, rows, truth.data(), errors.data());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::array<Scalar, 3> slots{Scalar::of(static_cast<std::int64_t>(xs[row])),
                                      Scalar::of(static_cast<std::int64_t>(ys[row])), Scalar::of(zs[row])};
    const Evaluation one = expression.evaluate(slots);
    if (!one.ok() && to_string(one.error).empty()) __builtin_trap();
    if (!batch) continue;
    if ((errors[row] != 0) == one.ok()) __builtin_trap();
    if (one.ok() && (truth[row] != 0) != one.value.truthy()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check_batch(Expression::compile(text, names));
  } catch (const Error& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  try {
    static_cast<void>(evaluate_list(text, {}, {}, 4096));
  } catch (const Error& error) {
    if (error.problems().empty()) __builtin_trap();
  }
  return 0;
}

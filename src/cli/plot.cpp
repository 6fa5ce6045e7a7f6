#include "cli/plot.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "base/format.hpp"

namespace wattune::cli {
namespace {

struct Axis {
  double low = 0.0, high = 0.0;
  int cells = 0;
  [[nodiscard]] int cell(double value) const {
    return std::clamp(static_cast<int>(std::lround((value - low) / (high - low) * (cells - 1))), 0, cells - 1);
  }
};

Axis axis_of(const Plot& plot, double std::pair<double, double>::*part, int cells) {
  Axis axis{1e300, -1e300, cells};
  for (const auto* list : {&plot.curve, &plot.points}) {
    for (const auto& point : *list) {
      axis.low = std::min(axis.low, point.*part);
      axis.high = std::max(axis.high, point.*part);
    }
  }
  for (const Plot::Letter& letter : plot.letters) {
    const double value = std::pair(letter.x, letter.y).*part;
    axis.low = std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  }
  return axis;
}

/// Digits after the point that tell a tenth of the axis apart.
int digits_of(const Axis& axis) {
  return std::clamp(-static_cast<int>(std::floor(std::log10((axis.high - axis.low) / 10.0))), 0, 6);
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

}  // namespace

void print_plot(const Plot& plot, std::ostream& out, int width, int height) {
  const Axis x = axis_of(plot, &std::pair<double, double>::first, width);
  const Axis y = axis_of(plot, &std::pair<double, double>::second, height);
  if (!(x.high > x.low) || !(y.high > y.low)) return;
  std::vector<std::string> rows(static_cast<std::size_t>(height), std::string(static_cast<std::size_t>(width), ' '));
  const auto put = [&](double px, double py, char c) {
    rows[static_cast<std::size_t>(height - 1 - y.cell(py))][static_cast<std::size_t>(x.cell(px))] = c;
  };
  std::string foot(static_cast<std::size_t>(width), '-');
  for (const auto& [at, letter] : plot.marks) {
    if (at < x.low || at > x.high) continue;
    for (std::string& row : rows) row[static_cast<std::size_t>(x.cell(at))] = ':';
    foot[static_cast<std::size_t>(x.cell(at))] = letter;
  }
  for (const auto& [px, py] : plot.curve) put(px, py, '.');
  for (const auto& [px, py] : plot.points) put(px, py, 'o');
  for (const Plot::Letter& letter : plot.letters) put(letter.x, letter.y, letter.character);

  out << "  " << plot.title << '\n';
  for (int row = 0; row < height; ++row) {
    const double value = y.high - (y.high - y.low) * row / (height - 1);
    const bool labelled = row % 3 == 0 || row == height - 1;
    std::string line =
        padded(labelled ? base::format_fixed(value, digits_of(y)) : "", 8) + " |" + rows[static_cast<std::size_t>(row)];
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
  const std::string left = base::format_fixed(x.low, digits_of(x));
  std::string right = base::format_fixed(x.high, digits_of(x));
  if (!plot.x_label.empty()) right += " " + plot.x_label;
  out << std::string(9, ' ') << '+' << foot << '\n'
      << std::string(10, ' ') << left << padded(right, static_cast<std::size_t>(width) - left.size()) << '\n';
}

}  // namespace wattune::cli

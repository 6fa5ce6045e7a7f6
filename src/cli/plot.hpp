// A curve with points as characters, for terminals: what a user should see without opening anything.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace wattune::cli {

struct Plot {
  struct Letter {
    double x = 0.0, y = 0.0;
    char character = 'o';
  };
  std::string title, x_label;
  std::vector<std::pair<double, double>> curve;   ///< drawn as '.', below the points
  std::vector<std::pair<double, double>> points;  ///< drawn as 'o'
  std::vector<Letter> letters;                    ///< drawn last
  std::vector<std::pair<double, char>> marks;     ///< vertical lines: x and the letter at their foot
};

/// `width` x `height` characters of drawing area. Draws nothing without at least two different x and y.
void print_plot(const Plot& plot, std::ostream& out, int width = 64, int height = 14);

}  // namespace wattune::cli

#include "search/sobol.hpp"

#include <array>

#include "search/cube.hpp"
#include "search/option.hpp"
#include "search/scripted.hpp"

namespace wattune::search {
namespace {

/// A primitive polynomial and first direction numbers; row d of the file new-joe-kuo-6.21201 (Joe and Kuo 2008,
/// "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30), d = 2 … 21.
struct Row {
  unsigned degree;
  unsigned coefficients;
  std::array<std::uint32_t, 7> first;
};
constexpr std::array<Row, 20> rows = {{{1, 0, {1}},
                                       {2, 1, {1, 3}},
                                       {3, 1, {1, 3, 1}},
                                       {3, 2, {1, 1, 1}},
                                       {4, 1, {1, 1, 3, 3}},
                                       {4, 4, {1, 3, 5, 13}},
                                       {5, 2, {1, 1, 5, 5, 17}},
                                       {5, 4, {1, 1, 5, 5, 5}},
                                       {5, 7, {1, 1, 7, 11, 19}},
                                       {5, 11, {1, 1, 5, 1, 1}},
                                       {5, 13, {1, 1, 1, 3, 11}},
                                       {5, 14, {1, 3, 5, 5, 31}},
                                       {6, 1, {1, 3, 3, 9, 7, 49}},
                                       {6, 13, {1, 1, 1, 15, 21, 21}},
                                       {6, 16, {1, 3, 1, 13, 27, 49}},
                                       {6, 19, {1, 1, 1, 15, 7, 5}},
                                       {6, 22, {1, 3, 1, 15, 13, 25}},
                                       {6, 25, {1, 1, 5, 5, 19, 61}},
                                       {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                       {7, 4, {1, 3, 7, 13, 13, 15, 69}}}};
constexpr unsigned bits = 32;
using Directions = std::array<std::uint32_t, bits>;

Directions directions(std::size_t dimension) {
  Directions v{};
  if (dimension == 0) {
    for (unsigned i = 0; i < bits; ++i) v[i] = 1U << (bits - 1 - i);
    return v;
  }
  const Row& row = rows[dimension - 1];
  for (unsigned i = 0; i < bits; ++i) {
    if (i < row.degree) {
      v[i] = row.first[i] << (bits - 1 - i);
      continue;
    }
    v[i] = v[i - row.degree] ^ (v[i - row.degree] >> row.degree);
    for (unsigned k = 1; k < row.degree; ++k) {
      if (((row.coefficients >> (row.degree - 1 - k)) & 1U) != 0) v[i] ^= v[i - k];
    }
  }
  return v;
}

class Sobol : public Scripted {
 public:
  Sobol(const StrategyTask& task, const StrategyOptions&) : Scripted(task), cube_(*task.space) {
    const std::size_t count = std::min(cube_.dimensions(), rows.size() + 1);
    for (std::size_t d = 0; d < count; ++d) {
      directions_.push_back(directions(d));
      state_.push_back(random().next());  // a random digital shift (Lemieux 2009, section 6.2): unbiased, seed decides
    }
  }

 protected:
  Process run() override {
    std::vector<double> point(cube_.dimensions());
    // On spaces of few configurations most points are known after a while; then whatever is left is drawn at random.
    for (std::size_t known = 0; known < 100;) {
      for (std::size_t d = 0; d < point.size(); ++d) {
        point[d] = d < state_.size() ? state_[d] * 0x1.0p-32 : random().uniform();
      }
      next_point();
      const ConfigurationId id = cube_.at(point);
      known = memory().proposed(id) ? known + 1 : 0;
      co_await evaluate(id);
    }
    while (true) co_await evaluate(fresh());
  }

 private:
  /// Gray-code order (Antonov and Saleev 1979): one exclusive-or a dimension.
  void next_point() {
    ++index_;
    const auto zero = static_cast<unsigned>(__builtin_ctzll(index_));
    for (std::size_t d = 0; d < state_.size(); ++d) state_[d] ^= directions_[d][zero % bits];
  }

  Cube cube_;
  std::vector<Directions> directions_;
  std::vector<std::uint32_t> state_;
  std::uint64_t index_ = 0;
};

}  // namespace

StrategyInfo sobol() {
  StrategyInfo info;
  info.name = "sobol";
  info.summary = "a low-discrepancy sequence that fills the space evenly at every length";
  info.source = "Sobol 1967; direction numbers of Joe and Kuo 2008, SIAM J. Sci. Comput. 30";
  info.make = maker<Sobol>();
  return info;
}

}  // namespace wattune::search

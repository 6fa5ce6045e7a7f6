#include "search/latin_hypercube.hpp"

#include <algorithm>

#include "search/cube.hpp"
#include "search/option.hpp"
#include "search/scripted.hpp"

namespace wattune::search {
namespace {

class LatinHypercube : public Scripted {
 public:
  LatinHypercube(const StrategyTask& task, const StrategyOptions& options)
      : Scripted(task), cube_(*task.space), block_(read_count(options, "block")) {
    if (block_ == 0) block_ = std::clamp<std::size_t>(task.budget.value_or(50), 2, 1000);
  }

 protected:
  Process run() override {
    std::vector<std::vector<std::uint32_t>> strata(cube_.dimensions(), std::vector<std::uint32_t>(block_));
    std::vector<ConfigurationId> block(block_);
    std::vector<double> point(cube_.dimensions());
    for (auto& order : strata) {
      for (std::uint32_t k = 0; k < block_; ++k) order[k] = k;
      random().shuffle(std::span(order));
    }
    for (std::size_t k = 0; k < block_; ++k) {
      for (std::size_t d = 0; d < point.size(); ++d) {
        point[d] = (strata[d][k] + random().uniform()) / static_cast<double>(block_);
      }
      block[k] = cube_.at(point);
      if (memory().proposed(block[k])) block[k] = fresh();
    }
    co_await evaluate_all(block);
  }

 private:
  Cube cube_;
  std::size_t block_;
};

}  // namespace

StrategyInfo latin_hypercube() {
  StrategyInfo info;
  info.name = "latin_hypercube";
  info.summary = "blocks that cover every parameter evenly";
  info.source =
      "McKay, Beckman and Conover 1979, Technometrics 21; Rosenblatt 1952 for the map to valid configurations";
  info.options = {integer_option("block", 0, 0, 100000, "points of a block; 0: the budget, between 2 and 1000",
                                 "McKay et al. 1979")};
  info.make = maker<LatinHypercube>();
  return info;
}

}  // namespace wattune::search

#include "search/brute_force.hpp"

#include <algorithm>

#include "search/option.hpp"

namespace wattune::search {
namespace {

class BruteForce : public Strategy {
 public:
  BruteForce(const StrategyTask& task, const StrategyOptions&) : size_(task.space->size()) {}

  void ask(std::size_t count, std::vector<ConfigurationId>& out) override {
    const std::uint64_t end = next_ + std::min<std::uint64_t>(count, size_ - next_);
    while (next_ < end) out.push_back(next_++);
  }
  void tell(std::span<const Scored>) override {}
  [[nodiscard]] bool done() const override { return next_ == size_; }
  [[nodiscard]] std::string note() const override {
    if (done()) return "brute_force: complete, the best one found is the optimum of the space";
    return "brute_force: incomplete, " + std::to_string(next_) + " of " + std::to_string(size_) + " configurations";
  }

 private:
  std::uint64_t size_;
  std::uint64_t next_ = 0;
};

}  // namespace

StrategyInfo brute_force() {
  StrategyInfo info;
  info.name = "brute_force";
  info.summary = "every configuration once, in order";
  info.source = "exhaustive search";
  info.accepts_start = false;
  info.make = maker<BruteForce>();
  return info;
}

}  // namespace wattune::search

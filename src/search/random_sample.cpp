#include "search/random_sample.hpp"

#include "search/memory.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

/// No coroutine here: nothing depends on scores, so any number may be asked for at once.
class RandomSample : public Strategy {
 public:
  RandomSample(const StrategyTask& task, const StrategyOptions&)
      : memory_(task.memory ? task.memory : std::make_shared<Memory>(*task.space, task.objectives)),
        random_(task.seed),
        start_(task.start) {}

  void ask(std::size_t count, std::vector<ConfigurationId>& out) override {
    for (; count > 0 && !memory_->exhausted(); --count) {
      while (next_start_ < start_.size() && memory_->proposed(start_[next_start_])) ++next_start_;
      const ConfigurationId id =
          next_start_ < start_.size() ? start_[next_start_++] : memory_->random_unvisited(random_);
      memory_->propose(id);
      out.push_back(id);
    }
  }
  void tell(std::span<const Scored> results) override {
    if (memory_.use_count() == 1) return;  // nobody else would read it
    for (const Scored& result : results) memory_->tell(result);
  }
  [[nodiscard]] bool done() const override { return memory_->exhausted(); }

 private:
  std::shared_ptr<Memory> memory_;
  Random random_;
  std::vector<ConfigurationId> start_;
  std::size_t next_start_ = 0;
};

}  // namespace

StrategyInfo random_sample() {
  StrategyInfo info;
  info.name = "random_sample";
  info.summary = "uniform random configurations without repetition";
  info.source = "Bergstra and Bengio 2012, Random search for hyper-parameter optimization, JMLR 13";
  info.make = maker<RandomSample>();
  return info;
}

}  // namespace wattune::search

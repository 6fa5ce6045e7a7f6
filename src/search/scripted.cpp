#include "search/scripted.hpp"

#include <algorithm>

namespace wattune::search {

Scripted::Scripted(const StrategyTask& task)
    : task_(task),
      memory_(task.memory ? task.memory : std::make_shared<Memory>(*task.space, task.objectives)),
      random_(task.seed) {}

bool Scripted::hand_out(std::size_t count, std::vector<ConfigurationId>& out) {
  bool any = false;
  while (count > 0 && next_ < queue_.size()) {
    const ConfigurationId id = queue_[next_++];
    if (known(id)) continue;  // twice in one generation, or proposed by another arm meanwhile
    memory_->propose(id);
    out.push_back(id);
    any = true;
    --count;
  }
  if (next_ == queue_.size()) {
    queue_.clear();
    next_ = 0;
  }
  if (any) idle_ = 0;
  return any;
}

void Scripted::advance() {
  if (!started_) {
    started_ = true;
    queue_ = task_.start;
    return;
  }
  if (restart_ || stack_.empty()) {
    stack_.clear();
    script_ = Process();
    restart_ = false;
    idle_ = 0;
    ++runs_;
    script_ = run();
    stack_.push_back(script_.handle());
  }
  const Process::Handle running = stack_.back();
  running.resume();
  if (running.done()) {
    if (running.promise().failure) std::rethrow_exception(running.promise().failure);
    stack_.pop_back();
  }
}

void Scripted::ask(std::size_t count, std::vector<ConfigurationId>& out) {
  if (count == 0 || done()) return;
  wanted_ = count;
  while (!hand_out(count, out)) advance();
}

void Scripted::tell(std::span<const Scored> results) {
  for (const Scored& result : results) memory_->tell(result);
}

ConfigurationId Scripted::origin() {
  if (runs_ != 1 || task_.start.empty()) return fresh();
  return *std::min_element(task_.start.begin(), task_.start.end(),
                           [&](ConfigurationId a, ConfigurationId b) { return score(a) < score(b); });
}

void Scripted::first_population(std::size_t count, std::vector<ConfigurationId>& out) {
  out.clear();
  if (runs_ == 1)
    out.assign(task_.start.begin(),
               task_.start.begin() + static_cast<std::ptrdiff_t>(std::min(count, task_.start.size())));
  const std::uint64_t left = space().size() - memory_->proposed_count();
  const std::size_t goal = out.size() + static_cast<std::size_t>(std::min<std::uint64_t>(count - out.size(), left));
  while (out.size() < goal) {
    const ConfigurationId id = fresh();
    if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
  }
}

}  // namespace wattune::search

// The base of nearly every strategy: turns an algorithm written as a coroutine into the ask/tell port.
// The algorithm awaits `evaluate(id)` or `evaluate_all(ids)`; a known configuration answers at once from memory and
// costs nothing, a new one is queued, handed out by ask() and answered by tell(). Because the queue is filled by the
// algorithm alone, the trace does not depend on how many are asked at a time. When the algorithm ends (converged) or
// moves for long among known configurations only, it is started again; it begins each time at a fresh random point.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "search/memory.hpp"
#include "search/process.hpp"
#include "wattune/strategy.hpp"

namespace wattune::search {

class Scripted : public Strategy {
 public:
  void ask(std::size_t count, std::vector<ConfigurationId>& out) final;
  void tell(std::span<const Scored> results) final;
  [[nodiscard]] bool done() const final { return memory_->exhausted(); }

 protected:
  explicit Scripted(const StrategyTask& task);

  /// The algorithm. Called again after it returns or is stuck; must propose at least one new configuration each time,
  /// which is sure when it begins with origin() or fresh().
  virtual Process run() = 0;

  class Evaluation;
  class Generation;
  class Call;
  /// `co_await evaluate(id)` gives the first score, infinity for a failure.
  [[nodiscard]] Evaluation evaluate(ConfigurationId id);
  /// `co_await evaluate_all(ids)`: all scores are in memory() afterwards. Known and repeated ids cost nothing.
  [[nodiscard]] Generation evaluate_all(std::span<const ConfigurationId> ids);
  /// `co_await call(process)` runs a sub-algorithm to its end. `process` outlives the call.
  [[nodiscard]] Call call(const Process& process);

  /// A random configuration that was never proposed.
  [[nodiscard]] ConfigurationId fresh() { return memory_->random_unvisited(random_); }
  /// Where a trajectory begins: the best given start on the first run, else fresh().
  [[nodiscard]] ConfigurationId origin();
  /// A first population of up to `count` different configurations: the given starts (on the first run), then random
  /// ones that were never proposed, as far as the space has them.
  void first_population(std::size_t count, std::vector<ConfigurationId>& out);

  [[nodiscard]] const Space& space() const { return *task_.space; }
  [[nodiscard]] const StrategyTask& task() const { return task_; }
  [[nodiscard]] const Memory& memory() const { return *memory_; }
  [[nodiscard]] Random& random() { return random_; }
  [[nodiscard]] double score(ConfigurationId id) const { return memory_->score(id); }
  /// How many configurations the caller asked for and could evaluate at the same time (at least 1).
  [[nodiscard]] std::size_t wanted() const { return wanted_; }
  /// Number of times run() was started, from 1.
  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// Known configurations visited since the last new one after which the search counts as stuck and restarts.
  void set_patience(std::size_t patience) { patience_ = patience; }

 private:
  void advance();
  bool hand_out(std::size_t count, std::vector<ConfigurationId>& out);
  [[nodiscard]] bool known(ConfigurationId id) const { return memory_->proposed(id); }

  StrategyTask task_;
  std::shared_ptr<Memory> memory_;
  Random random_;
  Process script_;
  std::vector<Process::Handle> stack_;  // running process last
  std::vector<ConfigurationId> queue_;  // wanted by the algorithm, not yet handed out from next_ on
  std::size_t next_ = 0;
  std::size_t wanted_ = 1;
  std::size_t runs_ = 0;
  std::size_t idle_ = 0;
  std::size_t patience_ = 1000;
  bool started_ = false;
  bool restart_ = false;
};

class Scripted::Evaluation {
 public:
  Evaluation(Scripted& owner, ConfigurationId id) : owner_(owner), id_(id) {}
  bool await_ready() {
    if (!owner_.known(id_)) return false;
    if (++owner_.idle_ < owner_.patience_) return true;
    owner_.restart_ = true;
    return false;
  }
  void await_suspend(std::coroutine_handle<>) {
    if (!owner_.restart_) owner_.queue_.push_back(id_);
  }
  [[nodiscard]] double await_resume() const { return owner_.score(id_); }

 private:
  Scripted& owner_;
  ConfigurationId id_;
};

class Scripted::Generation {
 public:
  Generation(Scripted& owner, std::span<const ConfigurationId> ids) : owner_(owner), ids_(ids) {}
  bool await_ready() {
    for (const ConfigurationId id : ids_) {
      if (!owner_.known(id)) return false;
    }
    owner_.idle_ += ids_.size() + 1;
    owner_.restart_ = owner_.idle_ >= owner_.patience_;
    return !owner_.restart_;
  }
  void await_suspend(std::coroutine_handle<>) {
    if (!owner_.restart_) owner_.queue_.insert(owner_.queue_.end(), ids_.begin(), ids_.end());
  }
  void await_resume() const {}

 private:
  Scripted& owner_;
  std::span<const ConfigurationId> ids_;
};

class Scripted::Call {
 public:
  Call(Scripted& owner, Process::Handle handle) : owner_(owner), handle_(handle) {}
  [[nodiscard]] bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<>) { owner_.stack_.push_back(handle_); }
  void await_resume() const {}

 private:
  Scripted& owner_;
  Process::Handle handle_;
};

inline Scripted::Evaluation Scripted::evaluate(ConfigurationId id) {
  return {*this, id};
}
inline Scripted::Generation Scripted::evaluate_all(std::span<const ConfigurationId> ids) {
  return {*this, ids};
}
inline Scripted::Call Scripted::call(const Process& process) {
  return {*this, process.handle()};
}

}  // namespace wattune::search

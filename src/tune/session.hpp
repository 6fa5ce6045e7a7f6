// One tuning run on a device from start to result: resume, search, finalists, what is stored when.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tune/evaluator.hpp"
#include "tune/hardware.hpp"
#include "tune/measured_evaluator.hpp"
#include "tune/search_loop.hpp"
#include "tune/task.hpp"
#include "wattune/objective.hpp"
#include "wattune/store.hpp"
#include "wattune/strategy.hpp"
#include "wattune/tune.hpp"

namespace wattune::tune {

/// Owns nothing that outlives the call of tune_kernel(); used once.
class Session final : private Evaluator {
 public:
  Session(const TuneRequest& request, Engine& engine, Store& store, TuneObserver& observer, Clock& clock);
  Run run();

 private:
  using Configuration = std::vector<Value>;

  void begin();
  /// The spec chosen for the device, with the values of its settings.
  Spec resolve(const Spec& given);
  /// Opens the power sensors when the spec needs energy. Throws Error(device) where an objective depends on it.
  void open_energy();
  void resume_or_start();
  void search();
  void evaluate_default();
  /// Baseline when the default configuration fails: the first configuration in enumeration order that succeeds.
  void find_other_baseline();
  void measure_finalists();
  /// Energy of the contestants in turn, where an objective needs it.
  [[nodiscard]] std::vector<std::vector<Joules>> measure_energies(std::span<const Configuration> configurations,
                                                                  std::span<const std::vector<Seconds>> times,
                                                                  const MeasuredEvaluator::Before& before);
  void finish(RunState state, const std::string& note);

  void prepare(std::span<const ConfigurationId> ids) override;
  /// From this run, from the store, or measured now; stored before anyone sees it.
  Outcome evaluate(ConfigurationId id) override;
  [[nodiscard]] std::vector<std::size_t> order(std::span<const ConfigurationId> batch) const override;
  [[nodiscard]] Seconds elapsed() const override;
  [[nodiscard]] std::uint64_t reused() const override { return reused_; }

  /// Brings the device to the configuration's settings and evaluates it there.
  Outcome measure(const Configuration& configuration);
  [[nodiscard]] std::optional<Seconds> hopeless() const;
  /// By the first objective.
  [[nodiscard]] std::optional<double> best_score() const;
  [[nodiscard]] std::size_t batch_size() const;

  const TuneRequest& request_;
  Engine& engine_;
  Store& store_;
  TuneObserver& observer_;
  Clock& clock_;

  std::unique_ptr<Device> opened_;  ///< when the caller gave none
  Device* device_ = nullptr;        ///< null where the run needs none or there is none
  Spec spec_;
  Task task_;
  Space space_;
  MetricSet metrics_;
  ObjectiveSet objectives_;
  std::optional<Hardware> hardware_;
  std::optional<EnergyEvaluation> energy_;
  std::vector<std::unique_ptr<CommandObserver>> commands_;  ///< observers of the spec
  std::set<std::string> complaints_;                        ///< of these, told once
  std::optional<MeasuredEvaluator> evaluator_;
  std::optional<SearchLoop> loop_;

  Run run_;
  bool resumed_ = false;
  std::map<ConfigurationId, Outcome> stored_;     ///< may be taken instead of measuring
  std::map<ConfigurationId, std::uint64_t> own_;  ///< of these, already part of this (resumed) run
  std::vector<std::uint64_t> sequence_;           ///< per outcome: its number in the store
  std::uint64_t reused_ = 0;
  Seconds begin_;
  Seconds earlier_;  ///< device time that reused outcomes of this run have cost before
};

}  // namespace wattune::tune

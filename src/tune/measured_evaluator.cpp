#include "tune/measured_evaluator.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "tune/compare.hpp"
#include "wattune/error.hpp"

namespace wattune::tune {
namespace {

constexpr std::size_t kept_message_lines = 12;

std::string key_of(const std::vector<Value>& configuration) {
  std::string key;
  for (const Value& value : configuration) key += to_string(value) + '\x1f';
  return key;
}

}  // namespace

MeasuredEvaluator::MeasuredEvaluator(Engine& engine, const Task& task, Clock& clock, EnergyEvaluation* energy)
    : engine_(engine),
      task_(task),
      clock_(clock),
      energy_(energy),
      options_(time_options(task.spec().measure)),
      computes_(engine.describe().interface_name != "virtual"),
      arguments_(computes_ ? task.spec().arguments : std::vector<ArgumentSpec>{}, task.environment(),
                 task.parameter_values(), task.spec().directory, task.default_configuration()) {
  if (!engine_.accepts(task_.language())) {
    throw Error(ExitCode::bad_input,
                "a " + std::string(to_string(task_.language())) + " kernel cannot be compiled by " +
                    engine_.describe().interface_name,
                engine_.describe().id, "choose another --device, or write the kernel against wattune/portable.h");
  }
  upload();
  compute_reference();
}

MeasuredEvaluator::~MeasuredEvaluator() {
  drop_prefetched();
}

void MeasuredEvaluator::upload() {
  device_ = engine_.upload(arguments_.data());
}

void MeasuredEvaluator::drop_prefetched() {
  for (auto& [key, future] : prefetched_) {
    if (future.valid()) future.wait();
  }
  prefetched_.clear();
}

/// A lost context is rebuilt before the next configuration, not after the one that lost it: its outcome is stored
/// first, so that a run that must start anew (CUDA: a driver that rebuilds no context in a process that accessed an
/// illegal address) does not meet it again.
void MeasuredEvaluator::mend() {
  if (!lost_) return;
  lost_ = false;
  drop_prefetched();  // kernels of the lost context
  device_.reset();
  engine_.recover();
  upload();
}

void MeasuredEvaluator::compute_reference() {
  const VerificationSpec& spec = task_.spec().verification;
  if (spec.kind == VerificationSpec::Kind::none || !computes_) return;
  if (arguments_.outputs().empty()) {
    throw Error(ExitCode::bad_input, "there is no output to verify", to_string(spec.at),
                "mark at least one argument with output = true");
  }
  switch (spec.kind) {
    case VerificationSpec::Kind::none:
      return;
    case VerificationSpec::Kind::reference_kernel:
      verification_ = Verification::verified;
      return reference_from_run(task_.reference_request(), *task_.reference_launch(),
                                "the reference kernel '" + spec.kernel.name.value + "'");
    case VerificationSpec::Kind::default_configuration:
      verification_ = Verification::consistent;
      return reference_from_run(task_.request(task_.default_configuration()), task_.launch(),
                                "the default configuration, which serves as reference,");
    case VerificationSpec::Kind::reference_file:
      verification_ = Verification::verified;
      return reference_from_files();
  }
}

void MeasuredEvaluator::reference_from_run(const CompileRequest& request, const Launch& launch,
                                           const std::string& what) {
  const std::string where = to_string(task_.spec().verification.at);
  CompileResult compiled = engine_.compile(request);
  if (compiled.status != Status::correct) {
    throw Error(ExitCode::bad_input,
                what + " does not compile:\n" + base::first_lines(compiled.message, kept_message_lines), where);
  }
  const std::vector<Value> configuration = task_.default_configuration();
  arguments_.adapt(*device_, task_.environment(), configuration);
  const RunResult run =
      engine_.run(*compiled.kernel, *device_, launch.geometry(task_.environment(), configuration), {});
  if (run.status != Status::correct) throw Error(ExitCode::bad_input, what + " does not run: " + run.message, where);
  for (const std::size_t output : arguments_.outputs()) {
    std::vector<std::byte> bytes(arguments_.data()[output].bytes.size());
    device_->read(output, bytes);
    reference_.push_back(std::move(bytes));
  }
}

void MeasuredEvaluator::reference_from_files() {
  const VerificationSpec& spec = task_.spec().verification;
  for (const std::size_t output : arguments_.outputs()) {
    const ArgumentData& data = arguments_.data()[output];
    const auto file = spec.files.find(data.name);
    if (file == spec.files.end()) {
      throw Error(ExitCode::bad_input, "no reference file for the output '" + data.name + "'", to_string(spec.at),
                  "add it to verify.files");
    }
    FillSpec fill;
    fill.kind = FillSpec::Kind::file;
    fill.path = file->second;
    reference_.push_back(
        make_contents(fill, data.type, data.bytes.size() / size_of(data.type), task_.spec().directory, spec.at));
  }
}

MeasuredEvaluator::Compiled MeasuredEvaluator::compile(const std::vector<Value>& configuration) {
  const Seconds begin = clock_.monotonic();
  Compiled compiled;
  compiled.result = engine_.compile(task_.request(configuration));
  compiled.seconds = clock_.monotonic() - begin;
  return compiled;
}

void MeasuredEvaluator::prefetch(std::span<const std::vector<Value>> configurations) {
  mend();
  if (!engine_.compiles_concurrently() || configurations.size() < 2) return;
  for (const std::vector<Value>& configuration : configurations) {
    std::future<Compiled>& slot = prefetched_[key_of(configuration)];
    if (!slot.valid()) slot = std::async(std::launch::async, [this, configuration] { return compile(configuration); });
  }
}

MeasuredEvaluator::Compiled MeasuredEvaluator::take(const std::vector<Value>& configuration) {
  const auto found = prefetched_.find(key_of(configuration));
  if (found == prefetched_.end()) return compile(configuration);
  std::future<Compiled> future = std::move(found->second);
  prefetched_.erase(found);
  return future.get();
}

std::string MeasuredEvaluator::check(RunResult& run, CompiledKernel& kernel, const Geometry& geometry) {
  arguments_.reset_outputs(*device_);
  run = engine_.run(kernel, *device_, geometry, {});
  if (run.status != Status::correct) return {};
  const VerificationSpec& spec = task_.spec().verification;
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    const std::size_t output = arguments_.outputs()[i];
    const ArgumentData& data = arguments_.data()[output];
    read_back_.resize(data.bytes.size());
    device_->read(output, read_back_);
    const std::string wrong =
        difference(data.type, read_back_, reference_[i], spec.absolute_tolerance, spec.relative_tolerance);
    if (!wrong.empty()) return "output '" + data.name + "': " + wrong;
  }
  return {};
}

Outcome MeasuredEvaluator::evaluate(const std::vector<Value>& configuration, std::optional<Seconds> hopeless) {
  mend();
  const Seconds begin = clock_.monotonic();
  Outcome outcome;
  outcome.configuration = configuration;
  outcome.provenance = computes_ ? Provenance::measured : Provenance::simulated;
  const auto finish = [&](Status status, const std::string& message, bool fatal) {
    outcome.status = status;
    outcome.message = base::first_lines(message, kept_message_lines);
    lost_ = lost_ || fatal;
    outcome.finished_at = clock_.system();
    outcome.overhead = clock_.monotonic() - begin - outcome.compile_time - outcome.verify_time - outcome.benchmark_time;
    outcome.overhead = std::max(Seconds(0.0), outcome.overhead);
    return outcome;
  };

  const Seconds compile_begin = clock_.monotonic();
  Compiled compiled = take(configuration);
  outcome.compile_time = clock_.monotonic() - compile_begin;
  if (compiled.result.status != Status::correct) return finish(compiled.result.status, compiled.result.message, false);
  CompiledKernel& kernel = *compiled.result.kernel;
  if (kernel.registers() > 0) outcome.observed["registers"] = kernel.registers();
  if (kernel.local_bytes() > 0) outcome.observed["local_bytes"] = static_cast<double>(kernel.local_bytes());

  arguments_.adapt(*device_, task_.environment(), configuration);
  const Geometry geometry = task_.launch().geometry(task_.environment(), configuration);
  if (verification_ != Verification::none) {
    const Seconds verify_begin = clock_.monotonic();
    RunResult run;
    const std::string wrong = check(run, kernel, geometry);
    outcome.verify_time = clock_.monotonic() - verify_begin;
    if (run.status != Status::correct) {
      compiled.result.kernel.reset();
      return finish(run.status, run.message, run.fatal);
    }
    if (!wrong.empty()) return finish(Status::correctness, wrong, false);
    outcome.verification = verification_;
  }

  const Seconds benchmark_begin = clock_.monotonic();
  TimeOptions options = options_;
  options.hopeless = hopeless;
  const std::vector<std::string> names = task_.parameter_names();
  const Benchmark benchmark{task_.spec().kernel.name.value, names, configuration};
  for (BenchmarkObserver* observer : observers_) observer->before(benchmark);
  if (!observers_.empty()) {
    options.during = [&] {
      for (BenchmarkObserver* observer : observers_) observer->during(benchmark);
    };
  }
  TimedKernel timed = measure_time(engine_, kernel, *device_, geometry, options);
  outcome.benchmark_time = clock_.monotonic() - benchmark_begin;
  if (timed.status != Status::correct) {
    if (timed.fatal) compiled.result.kernel.reset();
    return finish(timed.status, timed.message, timed.fatal);
  }
  outcome.time = std::move(timed.time);
  const bool fatal = energy_ != nullptr && energy_->measure(engine_, kernel, *device_, geometry, outcome);
  for (BenchmarkObserver* observer : observers_) {
    for (const auto& [name, value] : observer->after(benchmark, outcome)) outcome.observed[name] = value;
  }
  outcome.benchmark_time = clock_.monotonic() - benchmark_begin;
  if (fatal) compiled.result.kernel.reset();
  return finish(outcome.status, outcome.message, fatal);
}

/// One set of arguments serves all contestants that need no scalar or local size of their own; others get a set each.
MeasuredEvaluator::Field MeasuredEvaluator::make_field(std::span<const std::vector<Value>> configurations) {
  Field field;
  mend();
  prefetch(configurations);
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    Compiled compiled = take(configurations[i]);
    if (compiled.result.status != Status::correct) continue;
    DeviceArguments* own = device_.get();
    if (arguments_.varies()) {
      field.arguments.push_back(engine_.upload(arguments_.data()));
      own = field.arguments.back().get();
      arguments_.adapt(*own, task_.environment(), configurations[i]);
    }
    field.kernels.push_back(std::move(compiled.result.kernel));
    field.contestants.push_back(
        {field.kernels.back().get(), own, task_.launch().geometry(task_.environment(), configurations[i])});
    field.position.push_back(i);
  }
  return field;
}

std::vector<std::vector<Seconds>> MeasuredEvaluator::interleave(std::span<const std::vector<Value>> configurations,
                                                                std::uint32_t rounds, Seconds time_limit,
                                                                const Before& before) {
  constexpr std::uint32_t launches_a_round = 3;
  std::vector<std::vector<Seconds>> rows(configurations.size());
  const Field field = make_field(configurations);
  const auto samples =
      measure_interleaved(engine_, field.contestants, rounds, launches_a_round, time_limit, options_.cold, clock_,
                          [&](std::size_t i) { return !before || before(field.position[i]); });
  for (std::size_t i = 0; i < samples.size(); ++i) rows[field.position[i]] = samples[i];
  return rows;
}

std::vector<std::vector<Joules>> MeasuredEvaluator::interleave_energy(
    std::span<const std::vector<Value>> configurations, std::span<const Seconds> times, std::uint32_t rounds,
    const Before& before) {
  std::vector<std::vector<Joules>> rows(configurations.size());
  if (energy_ == nullptr) return rows;
  const Field field = make_field(configurations);
  std::vector<bool> failed(field.contestants.size(), false);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < field.contestants.size(); ++turn) {
      const std::size_t i = (turn + round) % field.contestants.size();
      const Contestant& contestant = field.contestants[i];
      const std::size_t row = field.position[i];
      if (failed[i]) continue;
      std::optional<Joules> energy;
      if (!before || before(row)) {
        energy =
            energy_->measure_again(engine_, *contestant.kernel, *contestant.arguments, contestant.geometry, times[row]);
      }
      failed[i] = !energy;
      if (failed[i]) rows[row].clear();
      if (energy) rows[row].push_back(*energy);
    }
  }
  return rows;
}

}  // namespace wattune::tune

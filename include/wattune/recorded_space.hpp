// A tuning space that was measured before, by us or by another tool: the answer to every configuration, ready for
// replay. Room `record` holds the data; `io` reads it from files (import_recording). Stored by columns, since a
// recording may hold millions of entries. Everything is in SI units except `numbers`, which keep name, value and unit
// as recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/run.hpp"
#include "wattune/status.hpp"
#include "wattune/units.hpp"
#include "wattune/value.hpp"

namespace wattune {

/// One further quantity of the entries under its recorded name: "nvml_energy", "GFLOP/s", "temperature".
struct RecordedNumbers {
  std::string name;
  std::string unit;                   ///< as recorded, or by the name; may be empty
  std::vector<double> values;         ///< one per entry; 0 where missing
  std::vector<std::uint8_t> present;  ///< one per entry: 1 where there is a value; empty when all have one
  [[nodiscard]] std::optional<double> at(std::size_t entry) const;
};

/// Lists of samples of the entries under their recorded name, one after the other.
struct RecordedSamples {
  std::string name;
  std::vector<std::uint64_t> ends;  ///< end of entry i's samples in `values`; they begin where those of i-1 end
  std::vector<double> values;
  [[nodiscard]] std::span<const double> at(std::size_t entry) const;
};

/// A recorded tuning space. Entries keep the order of the file; a configuration that occurs twice counts with its last
/// entry.
struct RecordedSpace {
  std::string source;  ///< file it came from
  std::string format;  ///< "kernel_tuner", "t4", "ktt", "wisdom", "results_store", "csv"
  std::string kernel_name;
  std::string device_name;                  ///< may be empty: some recordings do not say
  std::string problem;                      ///< "4096x4096", "callable", or "" when not recorded
  std::vector<double> problem_size;         ///< numbers of `problem`, where they are known
  std::vector<ObjectiveRecord> objectives;  ///< at least one; "time" when the file names none
  std::vector<RunParameter> parameters;     ///< value lists as recorded, else every value that occurs
  std::string note;  ///< what was left out or repaired while reading, in a sentence; may be empty

  // One element per entry.
  std::vector<std::uint32_t> digits;  ///< value positions, parameters().size() per entry
  std::vector<Status> status;
  std::vector<double> time;            ///< s, as recorded (Kernel Tuner: mean of the samples); 0 when there is none
  std::vector<double> compile_time;    ///< s
  std::vector<double> verify_time;     ///< s
  std::vector<double> benchmark_time;  ///< s
  std::vector<double> overhead;        ///< s, of the recording tool: framework and strategy
  std::vector<double> finished_at;     ///< system time, s since 1970; 0 when not recorded; empty when never

  RecordedSamples times;  ///< s, every timed launch; empty where not recorded
  /// The recorded times are mean or median of their samples. Where they are not (merged recordings), the samples say
  /// nothing about the spread of the times: outcomes then have no interval, and replay refuses to draw from them.
  bool samples_agree = true;
  std::vector<RecordedNumbers> numbers;
  std::vector<RecordedSamples> samples;           ///< lists of samples other than times, as recorded
  std::map<std::uint64_t, std::string> messages;  ///< of failures, where recorded

  [[nodiscard]] std::size_t size() const { return status.size(); }
  [[nodiscard]] std::size_t correct_count() const;
  [[nodiscard]] double cartesian_size() const;
  [[nodiscard]] std::optional<std::size_t> parameter_index(std::string_view name) const;
  [[nodiscard]] const RecordedNumbers* find_numbers(std::string_view name) const;

  [[nodiscard]] std::span<const std::uint32_t> digits_of(std::size_t entry) const;
  [[nodiscard]] const Value& value(std::size_t entry, std::size_t parameter) const;
  [[nodiscard]] std::vector<Value> configuration(std::size_t entry) const;
  /// Compile, verification and benchmark time together: what evaluating the entry cost. The recording tool's own
  /// overhead is not in it, as in the simulated time that Kernel Tuner reports.
  [[nodiscard]] Seconds cost(std::size_t entry) const;

  /// Energy per launch and power of a correct entry, from the first recorded quantity that says so ("energy",
  /// "*_energy" in J, "power", "*_power" in W); energy from power times time where only power is known.
  [[nodiscard]] std::optional<Joules> energy(std::size_t entry) const;
  [[nodiscard]] std::optional<Watts> power(std::size_t entry) const;

  /// The entry as an outcome (provenance replayed): recorded numbers as observed quantities under their own names.
  [[nodiscard]] Outcome outcome(std::size_t entry) const;
  /// Memory held, bytes.
  [[nodiscard]] std::size_t bytes() const;
};

/// Finds entries of a recording by configuration in O(1). Refers to the recording, which must outlive it.
class RecordedIndex {
 public:
  explicit RecordedIndex(const RecordedSpace& space);
  /// By value positions in RecordedSpace::parameters.
  [[nodiscard]] std::optional<std::size_t> find(std::span<const std::uint32_t> digits) const;
  /// By values (Python's equality).
  [[nodiscard]] std::optional<std::size_t> find_values(std::span<const Value> values) const;
  /// Entries that a later entry of the same configuration replaces.
  [[nodiscard]] std::size_t duplicates() const { return duplicates_; }
  [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(std::uint32_t); }

 private:
  const RecordedSpace* space_;
  std::vector<std::uint32_t> slots_;  ///< open addressing: entry + 1, 0 = free
  std::size_t duplicates_ = 0;
};

/// The correct entry that is best by the first objective; nothing when none has it.
std::optional<std::size_t> best_entry(const RecordedSpace& space);
/// The entry that speed-ups refer to: the default configuration, else (it is absent or failed) the first in enumeration
/// order that succeeded.
std::optional<std::size_t> default_entry(const RecordedSpace& space);

/// The recording as a run without outcomes: what it says of itself.
RunRecord head_of(const RecordedSpace& space);
/// The recording as a run, for every command that takes one: parameters, outcomes in file order, the best by the first
/// objective and the default configuration (each parameter's first value; for clocks and power limits the highest),
/// or, where that is absent or failed, the first in enumeration order that succeeded.
Run to_run(const RecordedSpace& space);

/// The other way, for export and replay of our own runs: outcomes in order, observed quantities and metrics as numbers.
RecordedSpace to_recording(const Run& run);

}  // namespace wattune

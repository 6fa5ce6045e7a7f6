// Collects the entries of a recording into columns while a file is being read. Knows the rules that all formats share:
// what counts as a failure, which numbers of a failed entry are stale, how value lists are made where a file has none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/recorded_words.hpp"
#include "io/value_table.hpp"
#include "wattune/recorded_space.hpp"

namespace wattune::io {

class RecordingBuilder {
 public:
  /// Fixes the parameters. Without value lists (`listed` false) lists are made of what occurs, numbers ascending.
  void set_parameters(std::vector<RunParameter> parameters, bool listed);
  [[nodiscard]] bool has_parameters() const { return !tables_.empty(); }
  [[nodiscard]] std::size_t parameter_count() const { return tables_.size(); }
  [[nodiscard]] const std::vector<Value>& listed_values(std::size_t parameter) const {
    return tables_[parameter].values();
  }
  RecordedSpace& head() { return space_; }

  /// Opens the next entry; everything below speaks of it until the next call.
  void begin_entry();
  void set_value(std::size_t parameter, std::int64_t value) {
    put_digit(parameter, tables_[parameter].position(value));
  }
  void set_value(std::size_t parameter, const Value& value) {
    put_digit(parameter, tables_[parameter].position(value));
  }
  [[nodiscard]] bool has_value(std::size_t parameter) const;
  void fail(Status status, std::string_view message = {});
  /// Seconds. Not finite, not positive, or at least 1e17 s (old files wrote 1e20 ms for a failure): the entry failed.
  void set_time(double seconds);
  void add_sample(double seconds) { space_.times.values.push_back(seconds); }
  void set_compile(double seconds) { space_.compile_time.back() = usable(seconds); }
  void set_verify(double seconds) { space_.verify_time.back() = usable(seconds); }
  void set_benchmark(double seconds) { space_.benchmark_time.back() = usable(seconds); }
  void add_overhead(double seconds) { space_.overhead.back() += usable(seconds); }
  void set_finished(Seconds system_time);
  /// Identifies a column for set_number / add_to_list; made on first use.
  std::size_t number_column(std::string_view name, std::string_view unit = {});
  void set_number(std::size_t column, double number);
  std::size_t list_column(std::string_view name);
  void add_to_list(std::size_t column, double number);
  /// Closes the entry. Throws Error(bad_input) at `where` when a parameter has no value.
  void end_entry(std::string_view where);

  [[nodiscard]] std::size_t entries() const { return space_.status.size(); }
  /// Reserves memory for `factor` times as many entries as there are.
  void expect(double factor);
  /// The finished recording. Throws Error(bad_input) when it has no entry.
  RecordedSpace finish();

 private:
  /// A duration; 0 for what cannot be one.
  static double usable(double seconds) { return seconds > 0.0 && seconds < 1e17 ? seconds : 0.0; }
  void put_digit(std::size_t parameter, std::uint32_t digit) {
    space_.digits[space_.digits.size() - tables_.size() + parameter] = digit;
  }
  void sort_values(std::size_t parameter);
  void fill_columns();
  /// Whether the recorded times are those of their samples, up to a few entries.
  [[nodiscard]] bool samples_agree() const;

  RecordedSpace space_;
  std::vector<ValueTable> tables_;
  bool listed_ = false;
  bool failed_ = false;
  bool timed_ = false;
  std::size_t samples_begin_ = 0;
};

}  // namespace wattune::io

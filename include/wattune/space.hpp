// The set of configurations that a tuner may choose from: parameters with value lists, held together by constraints.
// Room `space`. Enumerates once, pruning on partial assignments, and then answers by position: configuration i, its
// values, and back from values to i in O(1). Refuses spaces without a valid configuration, naming the constraint that
// removed the last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wattune/expression.hpp"
#include "wattune/random.hpp"
#include "wattune/value.hpp"

namespace wattune {

namespace space {
struct Access;
}

/// Position of a valid configuration in its Space: 0 .. size()-1, in lexicographic order of value positions, the first
/// parameter slowest.
using ConfigurationId = std::uint64_t;

/// Who a parameter speaks to.
enum class ParameterRole : std::uint8_t {
  kernel,  ///< reaches the kernel's source as a definition
  device,  ///< a setting of the hardware (core_clock_mhz, memory_clock_mhz, power_limit_w, compute_units)
};

/// One tunable parameter. `values` has at least one entry, without repeats.
struct Parameter {
  std::string name;
  std::vector<Value> values;
  std::size_t default_index = 0;  ///< position of the default in `values`
  ParameterRole role = ParameterRole::kernel;
};

/// One condition on configurations, with the place it came from for messages.
struct Constraint {
  std::string text;
  std::string origin;  ///< "gemm.toml:12:3", "device limit", or ""
};

/// How a Space is built.
struct SpaceOptions {
  /// Most configurations to hold in memory (at most 2^32 - 2); more than this: Error, or sampling if `sample` is set.
  /// Independent groups of parameters are held apart, so that size() may well be larger.
  std::uint64_t max_configurations = 50'000'000;
  std::size_t sample =
      0;  ///< > 0: when the space exceeds the limit, hold this many valid configurations drawn uniformly
  std::uint64_t seed = 0;  ///< for `sample`
  /// Further names that constraints may use, each with one value (problem sizes).
  std::vector<std::pair<std::string, Value>> constants;
};

/// A value position per parameter: digits[p] is the index into parameters()[p].values.
using Digits = std::vector<std::uint32_t>;

class Space {
 public:
  /// Enumerates. Throws Error: bad_input for a faulty constraint (with caret; unknown parameter names the nearest; one
  /// that cannot be evaluated, as by division by zero, for a configuration that satisfies all others names both),
  /// for repeated names or values and for empty value lists; nothing_valid for an empty space (says which constraint
  /// removed the last configuration).
  static Space build(std::vector<Parameter> parameters, std::vector<Constraint> constraints,
                     const SpaceOptions& options = {});

  /// The space of the listed configurations, as a recording holds them: `digits` has a value position per parameter,
  /// one configuration after the other, in any order; repeats count once. constraints() is empty. Throws
  /// Error(bad_input) for faulty parameters and for more values than 128 bits tell apart, Error(nothing_valid) for an
  /// empty list.
  static Space of_points(std::vector<Parameter> parameters, std::span<const std::uint32_t> digits);

  Space(Space&&) noexcept;
  Space& operator=(Space&&) noexcept;
  ~Space();

  [[nodiscard]] const std::vector<Parameter>& parameters() const;
  [[nodiscard]] const std::vector<Constraint>& constraints() const;
  /// Position of a parameter by name.
  [[nodiscard]] std::optional<std::size_t> parameter_index(std::string_view name) const;

  /// Number of valid configurations held.
  [[nodiscard]] std::uint64_t size() const;
  /// Product of the lengths of all value lists, as a real since it may exceed 64 bits.
  [[nodiscard]] double cartesian_size() const;
  /// False when only a sample of the valid configurations is held (SpaceOptions::sample).
  [[nodiscard]] bool complete() const;
  /// Memory of packed configurations and lookup index, bytes.
  [[nodiscard]] std::size_t bytes() const;
  /// Time of enumeration and index, seconds, without parsing of files.
  [[nodiscard]] double build_seconds() const;

  /// Value positions of configuration `id`, written to `digits` (one per parameter). No allocation.
  void digits(ConfigurationId id, std::span<std::uint32_t> digits) const;
  [[nodiscard]] Digits digits(ConfigurationId id) const;
  /// One value position without unpacking the rest.
  [[nodiscard]] std::uint32_t digit(ConfigurationId id, std::size_t parameter) const;
  /// Values of configuration `id`, in parameter order.
  [[nodiscard]] std::vector<Value> values(ConfigurationId id) const;

  /// O(1) lookup; nothing when the combination is not valid (or not held).
  [[nodiscard]] std::optional<ConfigurationId> find(std::span<const std::uint32_t> digits) const;
  /// By values (Python's equality); nothing when a value is not in its list or the combination is not valid.
  [[nodiscard]] std::optional<ConfigurationId> find_values(std::span<const Value> values) const;

  /// The configuration of all defaults, if it is valid.
  [[nodiscard]] std::optional<ConfigurationId> default_configuration() const;

  /// `count` different valid configurations drawn uniformly. Throws Error(bad_input) when count > size().
  [[nodiscard]] std::vector<ConfigurationId> sample(std::size_t count, Random& random) const;
  /// `count` different valid configurations spread over the value lists (Latin hypercube, repaired to validity by the
  /// nearest valid configuration). Throws Error(bad_input) when count > size().
  [[nodiscard]] std::vector<ConfigurationId> latin_hypercube(std::size_t count, Random& random) const;

  struct Data;  ///< implementation; opaque

 private:
  friend struct space::Access;
  explicit Space(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

/// "block_size_x=32, block_size_y=4" of one configuration.
std::string describe(const Space& space, ConfigurationId id);

}  // namespace wattune

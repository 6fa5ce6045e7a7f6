// A tuning task as its user wrote it: plain data with the place of every part, still unresolved.
// Room `record`. Read by `io` from TOML or T1; resolved against devices, strategies and the space by `tune`, so that
// each error names file, line and column. Times are seconds, sizes are elements unless stated.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wattune/value.hpp"

namespace wattune {

/// A place in a user's file; line and column count from 1, 0 when unknown.
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;
};
/// "gemm.toml:12:3", "gemm.toml", or "".
std::string to_string(const SourcePosition& position);

/// A value with its place.
template <class T>
struct Located {
  T value{};
  SourcePosition at;
};
using LocatedText = Located<std::string>;

/// `portable`: written against share/wattune/portable.h, compiled as CUDA or OpenCL as the device wants.
enum class Language : std::uint8_t { automatic, cuda, opencl, hip, portable };
std::string_view to_string(Language language);

enum class ElementType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };
std::size_t size_of(ElementType type);
/// Accepts "float", "float32", "f32", "int", "int32", "uint", "double", "half", "char", … ; nothing otherwise.
std::optional<ElementType> element_type_from(std::string_view name);
std::string_view to_string(ElementType type);

/// How a buffer is filled before the first launch.
struct FillSpec {
  enum class Kind : std::uint8_t { constant, random, ramp, file };
  Kind kind = Kind::constant;
  double value = 0.0;      ///< constant: the value; ramp: first value
  double step = 1.0;       ///< ramp: difference of neighbours
  double low = -1.0;       ///< random: lower bound
  double high = 1.0;       ///< random: upper bound (excluded)
  std::uint64_t seed = 1;  ///< random: same seed, same data
  std::string path;        ///< file: raw little-endian elements, absolute or relative to the spec
};

enum class ArgumentKind : std::uint8_t {
  buffer,    ///< global memory
  scalar,    ///< by value
  local,     ///< OpenCL __local pointer; size in elements
  constant,  ///< constant memory: CUDA __constant__ symbol of this name, OpenCL __constant pointer argument
};

struct ArgumentSpec {
  std::string name;
  ArgumentKind kind = ArgumentKind::buffer;
  ElementType type = ElementType::f32;
  std::optional<LocatedText>
      size;  ///< buffer, local, constant: number of elements, an expression of problem and parameters
  std::optional<LocatedText> value;  ///< scalar: an expression
  FillSpec fill;
  bool output = false;  ///< compared when verifying, and refilled before each verified launch
  SourcePosition at;
};

/// One dimension of the launch: either `divide` (problem size divided, rounded up, by the product of the divisors) or
/// `blocks` (the number of blocks itself).
struct GridDimension {
  std::optional<LocatedText> size;    ///< extent to divide; default: the problem's size in this dimension
  std::vector<LocatedText> divisors;  ///< expressions; empty with no `blocks`: one block per element
  std::optional<LocatedText> blocks;  ///< expression for the number of blocks
};

struct LaunchSpec {
  std::vector<GridDimension> grid;  ///< up to 3, x first
  std::vector<LocatedText> block;   ///< threads per block, up to 3 expressions; default block_size_x, _y, _z where such
                                    ///< parameters exist, else 1
  std::optional<LocatedText> shared_bytes;  ///< dynamic local/shared memory, bytes
};

struct KernelSpec {
  LocatedText
      name;  ///< function name, or a CUDA name expression such as "gemm<MWG, float>" with parameters substituted
  std::vector<LocatedText> files;  ///< absolute, or relative to the spec
  std::string source;              ///< inline source, instead of files
  Language language = Language::automatic;
  std::vector<std::string> options;  ///< compiler options for every language
  std::vector<std::string> cuda_options;
  std::vector<std::string> opencl_options;
  std::map<std::string, std::string> defines;  ///< extra definitions: name -> expression of problem and parameters
};

/// The setting of the hardware that a parameter of this name stands for: "core_clock_mhz", "memory_clock_mhz",
/// "power_limit_w" or "compute_units" (also for their aliases nvml_gr_clock, nvml_mem_clock, nvml_pwr_limit, sm); ""
/// for a kernel's own parameter.
std::string_view hardware_setting(std::string_view parameter);

struct ParameterSpec {
  std::string name;
  std::vector<Value> values;
  std::optional<Value> default_value;
  SourcePosition at;
  std::optional<LocatedText> supported = std::nullopt;  ///< instead of values, for a setting: which of the values that
                                                        ///< the device supports, e.g. "equidistant(7)"
};

struct MetricSpec {
  std::string name;
  LocatedText expression;
  std::string unit;
};

struct ObjectiveSpec {
  LocatedText name;  ///< "time", "energy", "edp", or a metric's name
  bool maximize = false;
};

struct VerificationSpec {
  enum class Kind : std::uint8_t { none, reference_kernel, reference_file, default_configuration };
  Kind kind = Kind::none;
  KernelSpec kernel;                         ///< reference_kernel: files empty = the same files
  LaunchSpec launch;                         ///< reference_kernel
  std::map<std::string, std::string> files;  ///< reference_file: output argument -> raw file
  double absolute_tolerance = 1e-6;
  double relative_tolerance = 1e-4;  ///< relative to the largest magnitude of the reference buffer's element
  SourcePosition at;
};

struct BudgetSpec {
  std::optional<std::uint64_t> evaluations;
  std::optional<double> seconds;
  std::optional<double> fraction;               ///< of the valid configurations, 0..1
  std::optional<std::uint64_t> no_improvement;  ///< stop after so many evaluations without a better one
  std::optional<double> target;                 ///< stop when the objective reaches this
};

struct MeasureSpec {
  double interval_percent = 1.0;  ///< target half width of the 95 % interval of the median time
  std::uint32_t min_repeats = 7;
  std::uint32_t max_repeats = 1000;
  std::uint32_t warmup = 1;     ///< launches before the first that counts
  double time_limit = 2.0;      ///< seconds of launches per configuration
  double timeout = 10.0;        ///< a single launch longer than this: Status timeout (seen after it ends)
  std::string cache = "warm";   ///< "warm", or "cold": the last-level cache is flushed before each launch
  std::uint32_t finalists = 5;  ///< re-measured interleaved before a winner is named
};

/// How energy is measured ([energy]); see EnergyOptions. Empty numbers: the defaults there.
struct EnergySpec {
  enum class When : std::uint8_t {
    automatic,  ///< when an objective or a metric needs power or energy
    always,
    never,
  };
  When measure = When::automatic;
  std::string method = "automatic";
  std::optional<double> interval_percent;
  std::optional<double> min_window;  ///< s
  std::optional<double> max_window;  ///< s
  bool subtract_idle = false;        ///< report energy above that of the idle device
  bool steady_temperature = false;
  bool skip_hopeless = true;  ///< no energy for a configuration that is too slow to win at idle power
  SourcePosition at;
};

/// An external command that observes benchmarks ([[observer]]); see wattune/observer.hpp.
struct ObserverSpec {
  enum class When : std::uint8_t { before, during, after };
  LocatedText command;  ///< for `sh -c`
  When when = When::after;
};

struct StrategySpec {
  LocatedText name{"auto", {}};
  std::map<std::string, Located<Value>> options;
};

/// What a launch asks of a device ([profile]), for virtual GPUs: expressions of problem and parameters. See
/// wattune/kernel_profile.hpp for the fields.
struct ProfileSpec {
  using Entry = std::pair<std::string, LocatedText>;
  std::vector<Entry> names;   ///< [profile.let], in file order: each may use those before it
  std::vector<Entry> fields;  ///< name of a field -> expression; may use `names`
  SourcePosition at;
};

/// A name with a value, e.g. one problem size.
struct NamedValue {
  std::string name;
  Value value;
  SourcePosition at;
};

/// The whole task.
struct Spec {
  std::string name;
  SourcePosition at;      ///< the file
  std::string directory;  ///< of the spec, for relative paths
  KernelSpec kernel;
  std::vector<NamedValue>
      problem;  ///< in file order: names and sizes usable in every expression (and defined in the source)
  std::map<std::string, std::vector<NamedValue>> problem_for;  ///< overrides by device kind: "cpu", "gpu"
  LaunchSpec launch;
  std::vector<ArgumentSpec> arguments;
  std::vector<ParameterSpec> parameters;
  std::vector<LocatedText> constraints;
  std::vector<MetricSpec> metrics;
  std::vector<ObjectiveSpec> objectives;  ///< empty: minimise time
  VerificationSpec verification;
  BudgetSpec budget;
  std::map<std::string, BudgetSpec> budget_for;  ///< overrides by device kind: "cpu", "gpu"
  MeasureSpec measure;
  EnergySpec energy;
  std::vector<ObserverSpec> observers;
  std::optional<ProfileSpec> profile;
  StrategySpec strategy;
  std::optional<std::uint64_t> seed;
};

}  // namespace wattune

// The kernel's arguments on the host: sizes, contents, and the scalars that follow the configuration.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tune/environment.hpp"
#include "wattune/engine.hpp"
#include "wattune/spec.hpp"

namespace wattune::tune {

/// Bytes of `count` elements of `type`, filled as the spec says. Random numbers come from Random(seed): the same data
/// on every machine. Throws Error(bad_input) when a file is missing or has the wrong size.
std::vector<std::byte> make_contents(const FillSpec& fill, ElementType type, std::uint64_t count,
                                     const std::string& directory, const SourcePosition& at);

/// One element of `type` holding `value`. Throws Error(bad_input) when it does not fit.
std::vector<std::byte> make_element(ElementType type, const Value& value, const SourcePosition& at);

/// Arguments of a task. A buffer whose size depends on tunable parameters is as large as its largest size over all
/// combinations of the parameters that it names.
class Arguments {
 public:
  Arguments(const std::vector<ArgumentSpec>& specs, const Environment& environment,
            std::span<const std::vector<Value>> parameter_values, const std::string& directory,
            std::span<const Value> default_configuration);

  /// What to upload at the start (scalars for the default configuration).
  [[nodiscard]] std::span<const ArgumentData> data() const { return data_; }
  [[nodiscard]] std::span<const ArgumentSpec> specs() const { return specs_; }
  /// Positions of the buffers to compare.
  [[nodiscard]] const std::vector<std::size_t>& outputs() const { return outputs_; }

  /// True when a scalar or local size follows the configuration.
  [[nodiscard]] bool varies() const;
  /// Writes the scalars and local sizes of a configuration where they depend on it.
  void adapt(DeviceArguments& device, const Environment& environment, std::span<const Value> configuration) const;
  /// Restores the contents of all output buffers.
  void reset_outputs(DeviceArguments& device) const;

 private:
  std::vector<ArgumentSpec> specs_;
  std::vector<ArgumentData> data_;
  std::vector<std::optional<Expression>>
      varying_;  ///< per argument: scalar value or local size that follows the configuration
  std::vector<std::size_t> outputs_;
};

}  // namespace wattune::tune

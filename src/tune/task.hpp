// A spec resolved for one device: problem sizes, names, launch, source text and definitions. No device call is made
// here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tune/environment.hpp"
#include "tune/launch.hpp"
#include "wattune/engine.hpp"
#include "wattune/objective.hpp"
#include "wattune/run.hpp"
#include "wattune/space.hpp"
#include "wattune/spec.hpp"
#include "wattune/spec_profile.hpp"

namespace wattune::tune {

/// Everything about a task that does not need an open device.
class Task {
 public:
  /// `spec` must already be chosen for the device's kind. Reads the source files. Throws Error(bad_input).
  Task(Spec spec, const DeviceDescription& device);

  [[nodiscard]] const Spec& spec() const { return spec_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] std::vector<Value> default_configuration() const;
  [[nodiscard]] std::vector<std::vector<Value>> parameter_values() const;
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  [[nodiscard]] const MeasurementKey& key() const { return key_; }
  [[nodiscard]] Language language() const { return language_; }

  /// What to compile for a configuration (or, for the reference kernel, for the default configuration).
  [[nodiscard]] CompileRequest request(std::span<const Value> configuration) const;
  [[nodiscard]] CompileRequest reference_request() const;
  [[nodiscard]] std::optional<Launch> reference_launch() const;

 private:
  [[nodiscard]] CompileRequest make_request(const KernelSpec& kernel, const std::string& source, Language language,
                                            std::span<const Value> configuration) const;
  void make_key(const DeviceDescription& device);

  Spec spec_;
  Environment environment_;
  Launch launch_;
  std::string source_, reference_source_;
  Language language_ = Language::automatic, reference_language_ = Language::automatic;
  std::vector<std::pair<std::string, Expression>> defines_;
  std::vector<std::string> options_;
  std::optional<SpecProfile> profile_;  ///< for a virtual device
  MeasurementKey key_;
};

}  // namespace wattune::tune

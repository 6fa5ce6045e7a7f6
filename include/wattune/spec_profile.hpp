// What a configuration of a spec asks of a device, from the spec's [profile]: the input of virtual GPUs.
// Room `tune`. Evaluates expressions; what a device makes of the numbers is the business of wattune/virtual_gpu.hpp.
#pragma once

#include <memory>
#include <span>

#include "wattune/kernel_profile.hpp"
#include "wattune/spec.hpp"
#include "wattune/value.hpp"

namespace wattune {

/// Compiled once, evaluated for each configuration. Cheap to copy; evaluation is safe from several threads.
class SpecProfile {
 public:
  /// `spec` must already be chosen for the device's kind (for_device_kind). Throws Error(bad_input) when it has no
  /// [profile] or an expression is faulty.
  explicit SpecProfile(const Spec& spec);

  /// `configuration`: values in the order of the spec's parameters. Blocks, threads and local memory that the profile
  /// does not give are those of the launch. Throws Error(bad_input), with the place in the spec, where an expression
  /// has no value or one outside its field's range.
  [[nodiscard]] KernelProfile evaluate(std::span<const Value> configuration) const;

 private:
  class Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wattune

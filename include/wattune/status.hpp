// How the evaluation of a configuration ended. Expected failure is data, never an exception.
// Room `record`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wattune {

enum class Status : std::uint8_t {
  correct,        ///< ran, and its result was right (or not checked)
  constraints,    ///< does not satisfy the constraints
  compile,        ///< the compiler refused it
  runtime,        ///< did not launch or failed while running (too many resources included)
  correctness,    ///< ran, wrong result
  timeout,        ///< took longer than allowed
  throttled,      ///< only throttled measurements were possible
  clock_refused,  ///< the device did not go to the clock that was asked for
  sensor_lost,    ///< the power sensor stopped answering
};

inline constexpr std::array all_statuses = {Status::correct,   Status::constraints,   Status::compile,
                                            Status::runtime,   Status::correctness,   Status::timeout,
                                            Status::throttled, Status::clock_refused, Status::sensor_lost};

/// The name in files and output: "correct", "compile", …
std::string_view to_string(Status status);
std::optional<Status> status_from(std::string_view name);

/// How an outcome came about.
enum class Provenance : std::uint8_t { measured, replayed, simulated, predicted };
std::string_view to_string(Provenance provenance);
std::optional<Provenance> provenance_from(std::string_view name);

/// What is known about the correctness of a result.
enum class Verification : std::uint8_t {
  none,        ///< not checked
  consistent,  ///< agrees with the default configuration of the same kernel only
  verified,    ///< agrees with an independent reference
};
std::string_view to_string(Verification verification);
std::optional<Verification> verification_from(std::string_view name);

}  // namespace wattune

// Names of statuses, provenances and verifications: the words used in files and output. Never renamed.
#include "wattune/status.hpp"

#include "record/names.hpp"

namespace wattune {

namespace {

using record::Name;

constexpr std::array status_names = {
    Name{Status::correct, "correct"},         Name{Status::constraints, "constraints"},
    Name{Status::compile, "compile"},         Name{Status::runtime, "runtime"},
    Name{Status::correctness, "correctness"}, Name{Status::timeout, "timeout"},
    Name{Status::throttled, "throttled"},     Name{Status::clock_refused, "clock_refused"},
    Name{Status::sensor_lost, "sensor_lost"},
};
static_assert(status_names.size() == all_statuses.size());

constexpr std::array provenance_names = {
    Name{Provenance::measured, "measured"},
    Name{Provenance::replayed, "replayed"},
    Name{Provenance::simulated, "simulated"},
    Name{Provenance::predicted, "predicted"},
};

constexpr std::array verification_names = {
    Name{Verification::none, "none"},
    Name{Verification::consistent, "consistent"},
    Name{Verification::verified, "verified"},
};

}  // namespace

std::string_view to_string(Status status) {
  return record::name_of(status_names, status);
}
std::optional<Status> status_from(std::string_view name) {
  return record::value_of(status_names, name);
}

std::string_view to_string(Provenance provenance) {
  return record::name_of(provenance_names, provenance);
}
std::optional<Provenance> provenance_from(std::string_view name) {
  return record::value_of(provenance_names, name);
}

std::string_view to_string(Verification verification) {
  return record::name_of(verification_names, verification);
}
std::optional<Verification> verification_from(std::string_view name) {
  return record::value_of(verification_names, name);
}

}  // namespace wattune

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "wattune/error.hpp"
#include "wattune/pareto.hpp"

namespace wattune {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw Error(ExitCode::bad_input, fmt::format("unknown intent '{}'", text), {},
              "time, energy, edp, ed2p, energy-within:5%, time-under:200W, ES_50 (half of the possible saving) or "
              "PL_10 (10 % performance loss)");
}

/// The number after a prefix, with its unit.
double number(std::string_view rest, std::string_view unit, std::string_view whole) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  const std::string_view left = base::trim(rest.substr(static_cast<std::size_t>(end - rest.data())));
  if (error != std::errc() || !(value >= 0.0) || !std::isfinite(value) || (!left.empty() && left != unit))
    refuse(whole);
  return value;
}

}  // namespace

Intent intent_from(std::string_view text) {
  std::string word = base::lower(base::trim(text));
  std::erase(word, ' ');
  using Kind = Intent::Kind;
  if (word == "time") return {Kind::time};
  if (word == "energy") return {Kind::energy};
  if (word == "edp") return {Kind::edp};
  if (word == "ed2p") return {Kind::ed2p};
  struct Prefix {
    std::string_view text;
    Kind kind;
    std::string_view unit;
  };
  for (const Prefix& prefix :
       {Prefix{"energy-within:", Kind::energy_within, "%"}, Prefix{"time-under:", Kind::time_under, "w"},
        Prefix{"es_", Kind::energy_saving, "%"}, Prefix{"pl_", Kind::performance_loss, "%"}}) {
    if (!word.starts_with(prefix.text)) continue;
    const double value = number(std::string_view(word).substr(prefix.text.size()), prefix.unit, text);
    if (prefix.kind == Kind::time_under) return {prefix.kind, 0.0, value};
    if (prefix.kind != Kind::energy_within && value > 100.0) refuse(text);
    return {prefix.kind, value, 0.0};
  }
  refuse(text);
}

std::string to_string(const Intent& intent) {
  switch (intent.kind) {
    case Intent::Kind::time:
      return "time";
    case Intent::Kind::energy:
      break;
    case Intent::Kind::edp:
      return "edp";
    case Intent::Kind::ed2p:
      return "ed2p";
    case Intent::Kind::energy_within:
      return fmt::format("energy-within:{}%", intent.percent);
    case Intent::Kind::time_under:
      return fmt::format("time-under:{}W", intent.watts);
    case Intent::Kind::energy_saving:
      return fmt::format("ES_{}", intent.percent);
    case Intent::Kind::performance_loss:
      return fmt::format("PL_{}", intent.percent);
  }
  return "energy";
}

std::optional<std::size_t> choose(std::span<const TimeAndEnergy> candidates, const Intent& intent) {
  if (candidates.empty()) return std::nullopt;
  const auto by_time = [](const auto& a, const auto& b) { return a.time < b.time; };
  const auto by_energy = [](const auto& a, const auto& b) { return a.energy < b.energy; };
  const TimeAndEnergy fastest = *std::min_element(candidates.begin(), candidates.end(), by_time);
  const double least = std::min_element(candidates.begin(), candidates.end(), by_energy)->energy;
  const double possible = fastest.energy - least;
  using Kind = Intent::Kind;
  constexpr double rounding = 1.0 + 1e-12;
  const auto allowed = [&](const TimeAndEnergy& c) {
    switch (intent.kind) {
      case Kind::energy_within:
        return c.time <= fastest.time * (1.0 + intent.percent / 100.0) * rounding;
      case Kind::time_under:
        return c.energy / c.time <= intent.watts * rounding;
      case Kind::energy_saving:
        return fastest.energy - c.energy >= possible * intent.percent / 100.0 / rounding;
      case Kind::performance_loss:
        return fastest.time / c.time >= (1.0 - intent.percent / 100.0) / rounding;
      default:
        return true;
    }
  };
  const auto cost = [&](const TimeAndEnergy& c) {
    switch (intent.kind) {
      case Kind::time:
      case Kind::time_under:
      case Kind::energy_saving:
        return c.time;
      case Kind::edp:
        return c.energy * c.time;
      case Kind::ed2p:
        return c.energy * c.time * c.time;
      default:
        return c.energy;
    }
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!allowed(candidates[i])) continue;
    const double mine = cost(candidates[i]);
    const bool better = !best || mine < cost(candidates[*best]) ||
                        (mine == cost(candidates[*best]) && candidates[i].time < candidates[*best].time);
    if (better) best = i;
  }
  return best;
}

}  // namespace wattune

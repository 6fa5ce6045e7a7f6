// GEMM on virtual GPUs: its profile ranks a recording of a real device, and the policies of Schoonhoven et al. (PMBS
// 2022) part on the A100 and nearly agree on the RTX A4000, as the paper measured. Frozen: searches are compared on
// these numbers over time, so presets and profile do not change any more without need, and then all of it anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "wattune/formats.hpp"
#include "wattune/simulated_space.hpp"
#include "wattune/spec_profile.hpp"
#include "wattune/tune.hpp"
#include "wattune/virtual_gpu.hpp"

namespace wattune {
namespace {

const std::string examples = WATTUNE_SOURCE_DIR "/examples/01_gemm/";
const std::string recording = WATTUNE_SOURCE_DIR "/../shared/data/gemm_energy/A100_gemm_898_energy.json";

/// Spearman's rank correlation; equal values share their mean rank.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto ranks = [](const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> rank(values.size());
    for (std::size_t i = 0; i < order.size();) {
      std::size_t end = i;
      while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
      for (std::size_t k = i; k < end; ++k) rank[order[k]] = static_cast<double>(i + end - 1) / 2.0;
      i = end;
    }
    return rank;
  };
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double mean = static_cast<double>(x.size() - 1) / 2.0;
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xy / std::sqrt(xx * yy);
}

/// The recorded kernel (CLBlast's) has our tiles, threads and vectors, but not our loaders, and reads another layout of
/// A where A does not pass through local memory.
TEST(VirtualGemm, RanksARecordingOfAnA100) {
  if (!std::filesystem::exists(recording)) GTEST_SKIP() << "skipped: no data";
  std::ifstream file(recording);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto cache = nlohmann::json::parse(text.substr(0, text.find_last_of('}') + 1) + "}}")["cache"];
  ASSERT_EQ(cache.size(), 898U);
  const Spec spec = for_device_kind(read_spec(examples + "gemm.toml"), "gpu");
  const SpecProfile profile(spec);
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  std::vector<double> measured, simulated, measured_energy, simulated_energy, measured_staged, simulated_staged;
  double logarithm = 0.0;
  for (const auto& [key, entry] : cache.items()) {
    std::vector<Value> configuration;
    for (const ParameterSpec& parameter : spec.parameters) {
      const std::string& name = parameter.name;
      const std::int64_t value = name == "PADA" || name == "PREFETCH" ? 0
                                 : name == "NDIMW"                    ? 32 / entry["MDIMC"].get<std::int64_t>()
                                                                      : entry[name].get<std::int64_t>();
      configuration.emplace_back(value);
    }
    const ExactResult exact = evaluate_exact(gpu, profile.evaluate(configuration));
    ASSERT_EQ(exact.limit, LaunchLimit::none);
    measured.push_back(entry["time"]);
    measured_energy.push_back(entry["nvml_energy"]);
    simulated.push_back(exact.time.value() * 1e3);
    simulated_energy.push_back(exact.energy.value());
    if (entry["SA"] == 0) continue;
    measured_staged.push_back(measured.back());
    simulated_staged.push_back(simulated.back());
    logarithm += std::log(simulated.back() / measured.back());
  }
  // 0.5 is what a profile must reach to count as more than an illustration.
  EXPECT_GT(rank_correlation(measured, simulated), 0.65);
  EXPECT_GT(rank_correlation(measured_energy, simulated_energy), 0.65);
  EXPECT_GT(rank_correlation(measured_staged, simulated_staged), 0.8);
  // Nobody fitted the times: they follow from the counts. On average they are 13 % too short.
  EXPECT_NEAR(logarithm / static_cast<double>(measured_staged.size()), 0.0, 0.2);
}

TEST(VirtualGemm, HasOneProfile) {
  const Spec one = read_spec(examples + "gemm.toml"), other = read_spec(examples + "gemm_virtual.toml");
  const auto texts = [](const Spec& spec) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto* entries : {&spec.profile->names, &spec.profile->fields}) {
      for (const auto& [name, text] : *entries) all.emplace_back(name, text.value);
    }
    return all;
  };
  EXPECT_EQ(texts(one), texts(other));
  const auto constraints = [](const Spec& spec) {
    std::vector<std::string> all;
    for (const LocatedText& text : spec.constraints) all.push_back(text.value);
    return all;
  };
  EXPECT_EQ(constraints(one), constraints(other));
}

/// The five policies, each as the entry that it ends at.
struct Policies {
  std::size_t race_to_idle, least_at_maximum, race_and_clocks, base_and_clocks, global;
};

class Truth {
 public:
  explicit Truth(const char* id)
      : gpu_(*find_virtual_gpu(id)),
        space_(simulate_space(read_spec(examples + "gemm_virtual.toml"), std::string("virtual:") + id)),
        clocks_(gpu_.core_clock.supported.size()) {}

  [[nodiscard]] std::size_t configurations() const { return space_.size() / clocks_; }
  [[nodiscard]] double time(std::size_t entry) const { return space_.time[entry]; }
  [[nodiscard]] double energy(std::size_t entry) const { return space_.numbers[0].values[entry]; }
  [[nodiscard]] double clock(std::size_t entry) const {
    return in_megahertz(gpu_.core_clock.supported[entry % clocks_]);
  }
  [[nodiscard]] const RecordedSpace& space() const { return space_; }

  [[nodiscard]] Policies policies() const {
    const auto energy_of = [this](std::size_t i) { return energy(i); };
    const auto time_of = [this](std::size_t i) { return time(i); };
    const auto all = [](std::size_t) { return true; };
    const auto at_clock = [this](double mhz) { return [this, mhz](std::size_t i) { return clock(i) == mhz; }; };
    const auto same_kernel = [this](std::size_t i) {
      return [this, i](std::size_t k) { return k / clocks_ == i / clocks_; };
    };
    const double highest = in_megahertz(gpu_.core_clock.supported.back());
    const double base = in_megahertz(gpu_.core_clock.base);
    Policies found{};
    found.race_to_idle = least(time_of, all);
    found.least_at_maximum = least(energy_of, at_clock(highest));
    found.race_and_clocks = least(energy_of, same_kernel(least(time_of, at_clock(highest))));
    found.base_and_clocks = least(energy_of, same_kernel(least(energy_of, at_clock(base))));
    found.global = least(energy_of, all);
    return found;
  }

 private:
  /// First entry with the smallest value.
  [[nodiscard]] std::size_t least(const std::function<double(std::size_t)>& value,
                                  const std::function<bool(std::size_t)>& among) const {
    std::size_t best = space_.size();
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (space_.status[i] == Status::correct && among(i) && (best == space_.size() || value(i) < value(best)))
        best = i;
    }
    return best;
  }

  const VirtualGpuPreset& gpu_;
  RecordedSpace space_;
  std::size_t clocks_;
};

struct Frozen {
  double time, energy, clock;
};

/// 2e-4: the clock at a power limit is found to 1e-4, and every request above it ends there: which of them comes out as
/// fastest is left open.
void is_frozen(const Truth& truth, const Policies& p, const std::vector<Frozen>& expected) {
  const std::size_t entries[] = {p.race_to_idle, p.least_at_maximum, p.race_and_clocks, p.base_and_clocks, p.global};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(truth.time(entries[i]) / expected[i].time, 1.0, 2e-4) << i;
    EXPECT_NEAR(truth.energy(entries[i]) / expected[i].energy, 1.0, 2e-4) << i;
    if (i > 0) {
      EXPECT_EQ(truth.clock(entries[i]), expected[i].clock) << i;
    }
  }
}

TEST(VirtualGemm, FivePoliciesPartOnTheA100) {
  const Truth truth("a100");
  EXPECT_EQ(truth.configurations(), 5198U) << "between 2,000 and 20,000, and each at all 81 clocks";
  EXPECT_EQ(truth.space().size(), 5198U * 81U);
  const Policies p = truth.policies();
  std::vector<double> energies;
  for (const std::size_t i : {p.race_to_idle, p.least_at_maximum, p.race_and_clocks, p.base_and_clocks, p.global})
    energies.push_back(truth.energy(i) / truth.energy(p.global));
  std::ranges::sort(energies);
  for (std::size_t i = 1; i < energies.size(); ++i)
    EXPECT_GT(energies[i] - energies[i - 1], 0.005) << "no two policies end at the same energy";
  EXPECT_GE(truth.energy(p.race_and_clocks) / truth.energy(p.global), 1.03);

  // Frozen: race to idle, least energy at the highest clock, race to idle + clocks, base clock + clocks, global.
  const std::vector<Frozen> frozen = {{0.00313047151, 0.769577385, 1410},
                                      {0.00353531897, 0.720893789, 1410},
                                      {0.0043258215, 0.502638218, 1020},
                                      {0.00434962069, 0.488800094, 1020},
                                      {0.00488276287, 0.483618373, 1020}};
  is_frozen(truth, p, frozen);
}

TEST(VirtualGemm, PoliciesNearlyAgreeOnTheRtxA4000) {
  const Truth truth("rtx_a4000");
  const Policies p = truth.policies();
  EXPECT_LE(truth.energy(p.race_and_clocks) / truth.energy(p.global), 1.015);
  const std::vector<Frozen> frozen = {{0.00372374751, 0.521375707, 1740},
                                      {0.00372390598, 0.521346627, 2100},
                                      {0.00420672681, 0.454495655, 1350},
                                      {0.00420672681, 0.454495655, 1350},
                                      {0.0044379757, 0.450504891, 1350}};
  is_frozen(truth, p, frozen);
}

}  // namespace
}  // namespace wattune

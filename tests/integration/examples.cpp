// Every example is sound: its spec resolves, its space is worth a search, and on an OpenCL device (PoCL on the CPU) the
// default and some random configurations give the reference's results. How fast they are is not looked at.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "engine_fixture.hpp"
#include "wattune/formats.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

constexpr std::uint64_t seed = 20;
constexpr std::uint64_t least_configurations = 150;

std::vector<std::string> example_specs() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WATTUNE_SOURCE_DIR "/examples")) {
    // Those for virtual GPUs need settings of the hardware; virtual_gemm.cpp has them.
    const bool simulated = entry.path().stem().string().ends_with("_virtual");
    if (entry.path().extension() == ".toml" && !simulated) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Example : public ::testing::TestWithParam<std::string> {};

TEST_P(Example, ResolvesForBothKindsOfDevice) {
  const Spec spec = read_spec(GetParam());
  for (const char* kind : {"cpu", "gpu"}) {
    const Spec chosen = for_device_kind(spec, kind);
    EXPECT_NO_THROW(check_resolved(chosen)) << kind;
    EXPECT_GE(build_space(chosen).size(), least_configurations) << kind;
    EXPECT_EQ(chosen.verification.kind, VerificationSpec::Kind::reference_kernel);
    EXPECT_FALSE(chosen.metrics.empty());
  }
}

TEST_P(Example, GivesTheReferencesResults) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  std::cout << "seed " << seed << '\n';
  TuneRequest request;
  request.spec = read_spec(GetParam());
  request.spec.measure.min_repeats = 1;
  request.spec.measure.max_repeats = 1;
  request.spec.measure.warmup = 0;
  request.spec.measure.finalists = 0;
  request.strategy = "random_sample";
  request.seed = seed;
  request.jobs = 1;
  request.budget.emplace().evaluations = 3;
  Store store = Store::open(":memory:");
  TuneObserver silent;
  const wattune::Run run = tune_kernel(request, *engine, store, silent);
  EXPECT_GE(run.outcomes.size(), 3U);
  for (const Outcome& outcome : run.outcomes) {
    EXPECT_EQ(outcome.status, Status::correct) << outcome.message;
    EXPECT_EQ(outcome.verification, Verification::verified);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Example, ::testing::ValuesIn(example_specs()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

}  // namespace
}  // namespace wattune

#include <gtest/gtest.h>

#include "study_spaces.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

TEST(StudySpace, FractionsAreOfTheOptimumAndFailuresZero) {
  const StudySpace space = square_space(2, {4.0, 0.0, 2.0, 8.0});
  EXPECT_EQ(space.space.size(), 4U);
  EXPECT_EQ(space.failures(), 1U);
  EXPECT_EQ(space.fractions, (std::vector<double>{0.5, 0.0, 1.0, 0.25}));
  EXPECT_EQ(space.scores[3], 8.0);
}

TEST(StudySpace, MoreMayBeBetter) {
  RecordedSpace recording = square_recording(2, {4.0, 0.0, 2.0, 8.0});
  recording.numbers = {{"GFLOP/s", "GFLOP/s", {10.0, 0.0, 40.0, 20.0}, {1, 0, 1, 1}}};
  Spec spec = spec_of(recording);
  spec.objectives = {{{"GFLOP/s", {}}, true}};
  const StudySpace space = study_space(recording, spec, "");
  EXPECT_EQ(space.fractions, (std::vector<double>{0.25, 0.0, 1.0, 0.5}));
  EXPECT_EQ(space.scores[2], -40.0);
}

TEST(StudySpace, ConstraintsOnParametersShapeItAndOthersFail) {
  const RecordedSpace recording = square_recording(2, {4.0, 3.0, 2.0, 8.0});
  Spec spec = spec_of(recording);
  spec.constraints = {{"x == 1 or y == 1", {}}, {"time < 5", {}}};
  const StudySpace space = study_space(recording, spec, "");
  EXPECT_EQ(space.space.size(), 3U);
  EXPECT_EQ(space.failures(), 1U);
}

TEST(StudySpace, RefusesWhatHasNoFractions) {
  RecordedSpace recording = square_recording(2, {4.0, 3.0, 2.0, 8.0});
  recording.numbers = {{"balance", "", {1.0, -1.0, 0.5, 2.0}, {}}};
  Spec spec = spec_of(recording);
  spec.objectives = {{{"balance", {}}, false}};
  try {
    study_space(recording, spec, "");
    FAIL() << "no Error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("'balance' is not positive"), std::string::npos);
  }
  const RecordedSpace failed = square_recording(2, {0.0, 0.0, 0.0, 0.0});
  EXPECT_THROW(study_space(failed, spec_of(failed), ""), Error);
}

}  // namespace
}  // namespace wattune

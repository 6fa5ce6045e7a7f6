// The words of files and output, both ways.
#include <gtest/gtest.h>

#include "wattune/run.hpp"
#include "wattune/spec.hpp"
#include "wattune/status.hpp"

namespace wattune {
namespace {

TEST(Names, EveryStatusReadsBack) {
  for (Status status : all_statuses) {
    EXPECT_FALSE(to_string(status).empty());
    EXPECT_EQ(status_from(to_string(status)), status);
  }
  EXPECT_EQ(to_string(Status::clock_refused), "clock_refused");
  EXPECT_EQ(status_from("Correct"), std::nullopt);
  EXPECT_EQ(status_from(""), std::nullopt);
}

TEST(Names, ProvenanceVerificationAndStateReadBack) {
  for (auto value : {Provenance::measured, Provenance::replayed, Provenance::simulated, Provenance::predicted}) {
    EXPECT_EQ(provenance_from(to_string(value)), value);
  }
  for (auto value : {Verification::none, Verification::consistent, Verification::verified}) {
    EXPECT_EQ(verification_from(to_string(value)), value);
  }
  for (auto value : {RunState::running, RunState::finished, RunState::interrupted, RunState::failed}) {
    EXPECT_EQ(run_state_from(to_string(value)), value);
  }
  EXPECT_EQ(provenance_from("guessed"), std::nullopt);
  EXPECT_EQ(verification_from("yes"), std::nullopt);
  EXPECT_EQ(run_state_from("done"), std::nullopt);
}

TEST(Names, ElementTypesAcceptUsualSpellings) {
  EXPECT_EQ(element_type_from("float"), ElementType::f32);
  EXPECT_EQ(element_type_from("float32"), ElementType::f32);
  EXPECT_EQ(element_type_from("f32"), ElementType::f32);
  EXPECT_EQ(element_type_from("int"), ElementType::i32);
  EXPECT_EQ(element_type_from("unsigned int"), ElementType::u32);
  EXPECT_EQ(element_type_from("uint64_t"), ElementType::u64);
  EXPECT_EQ(element_type_from("double"), ElementType::f64);
  EXPECT_EQ(element_type_from("half"), ElementType::f16);
  EXPECT_EQ(element_type_from("char"), ElementType::i8);
  EXPECT_EQ(element_type_from("float4"), std::nullopt);
}

TEST(Names, ElementTypesReadBackAndHaveTheirSize) {
  const ElementType types[] = {ElementType::i8,  ElementType::u8,  ElementType::i16, ElementType::u16,
                               ElementType::i32, ElementType::u32, ElementType::i64, ElementType::u64,
                               ElementType::f16, ElementType::f32, ElementType::f64};
  const std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  for (std::size_t i = 0; i < std::size(types); ++i) {
    EXPECT_EQ(element_type_from(to_string(types[i])), types[i]);
    EXPECT_EQ(size_of(types[i]), sizes[i]);
  }
}

TEST(Names, LanguagesAndPositions) {
  EXPECT_EQ(to_string(Language::automatic), "auto");
  EXPECT_EQ(to_string(Language::portable), "portable");
  EXPECT_EQ(to_string(SourcePosition{"gemm.toml", 12, 3}), "gemm.toml:12:3");
  EXPECT_EQ(to_string(SourcePosition{"gemm.toml", 12, 0}), "gemm.toml:12");
  EXPECT_EQ(to_string(SourcePosition{"gemm.toml", 0, 0}), "gemm.toml");
  EXPECT_EQ(to_string(SourcePosition{}), "");
}

}  // namespace
}  // namespace wattune

// [profile] of a TOML spec: read with places, faults named, and known to the schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"
#include "wattune/kernel_profile.hpp"

namespace wattune {
namespace {

using testing::HasSubstr;

const std::string rest =
    "[kernel]\nname = 'k'\nfile = 'k.cl'\n[problem]\nN = 64\n[tune.parameters]\nwork = [1, 2]\n"
    "[metrics]\nrate = 'N/time'\n";

std::string faults(const std::string& profile) {
  try {
    static_cast<void>(parse_toml_spec(rest + profile, "k.toml"));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(SpecProfileSection, IsReadInOrderWithItsPlaces) {
  const Spec spec = parse_toml_spec(rest +
                                        "[profile]\nregisters = '24 + 2*work'\nfp32 = 'twice * N'\nint = 5\n"
                                        "[profile.let]\nz = 'N // work'\ntwice = '2*z'\n",
                                    "k.toml");
  ASSERT_TRUE(spec.profile);
  ASSERT_EQ(spec.profile->names.size(), 2U);
  EXPECT_EQ(spec.profile->names[0].first, "z");
  EXPECT_EQ(spec.profile->names[1].second.value, "2*z");
  ASSERT_EQ(spec.profile->fields.size(), 3U);
  EXPECT_EQ(spec.profile->fields[0].first, "registers");
  EXPECT_EQ(to_string(spec.profile->fields[0].second.at), "k.toml:11:13");
  EXPECT_EQ(spec.profile->fields[2].first, "int");
  EXPECT_EQ(spec.profile->fields[2].second.value, "5");
}

TEST(SpecProfileSection, IsOptional) {
  EXPECT_FALSE(parse_toml_spec(rest, "k.toml").profile);
}

TEST(SpecProfileSection, FaultsAreNamed) {
  EXPECT_THAT(faults("[profile]\nfp23 = 'N'\n"), HasSubstr("did you mean 'fp32'"));
  EXPECT_THAT(faults("[profile]\nfp32 = 'M'\n"), HasSubstr("k.toml:11:8"));
  EXPECT_THAT(faults("[profile]\nfp32 = 'time'\n"), HasSubstr("'time'"));
  EXPECT_THAT(faults("[profile]\nfp32 = []\n"), HasSubstr("k.toml:11"));
  EXPECT_THAT(faults("[profile.let]\nwork = 3\n"), HasSubstr("taken"));
  EXPECT_THAT(faults("[profile.let]\na = 'b'\nb = 2\n"), HasSubstr("'b'")) << "a name may use only those before it";
  EXPECT_EQ(faults("[profile]\nfp32 = 'b'\n[profile.let]\nb = 2\n"), "") << "fields may use all of them";
}

TEST(SpecProfileSection, EveryFieldIsInTheSchemaAndTheDocumentation) {
  std::ifstream file(WATTUNE_SOURCE_DIR "/schemas/spec/1/spec.schema.json");
  const auto properties = nlohmann::json::parse(file)["properties"]["profile"]["properties"];
  EXPECT_EQ(properties.size(), profile_fields().size() + 1) << "and `let`";
  std::ifstream text(WATTUNE_SOURCE_DIR "/docs/virtual-gpu.md");
  const std::string document((std::istreambuf_iterator<char>(text)), {});
  for (const ProfileField& field : profile_fields()) {
    EXPECT_TRUE(properties.contains(std::string(field.name))) << field.name;
    EXPECT_THAT(document, HasSubstr("| `" + std::string(field.name) + "` |"));
  }
}

}  // namespace
}  // namespace wattune

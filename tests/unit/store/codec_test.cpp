// The bytes of BLOB columns: exact both ways, canonical, and safe against bytes that no encoder made.
#include "store/codec.hpp"

#include <limits>

#include "fixture.hpp"

namespace wattune::store {
namespace {

std::string encoded(const std::vector<Value>& values) {
  std::string bytes;
  for (const Value& value : values) encode_value(bytes, value);
  return bytes;
}

TEST(StoreCodec, ValuesComeBackInKindAndContent) {
  const std::vector<Value> values = {0,
                                     1,
                                     -1,
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min(),
                                     0.1,
                                     -0.0,
                                     std::numeric_limits<double>::infinity(),
                                     5e-324,
                                     true,
                                     false,
                                     "",
                                     "größe",
                                     std::string("a\0b", 3)};
  EXPECT_TRUE(store_test::identical(decode_values(encoded(values), "f"), values));
  EXPECT_TRUE(decode_values("", "f").empty());
}

TEST(StoreCodec, OneAndOnePointZeroAndTrueDiffer) {
  EXPECT_NE(encoded({1}), encoded({1.0}));
  EXPECT_NE(encoded({1}), encoded({true}));
  EXPECT_NE(encoded({1.0}), encoded({true}));
  EXPECT_NE(encoded({"1"}), encoded({1}));
  EXPECT_NE(encoded({"ab", "c"}), encoded({"a", "bc"}));
}

TEST(StoreCodec, IntegersAreShort) {
  EXPECT_EQ(encoded({63}), std::string("i\x7e"));
  EXPECT_EQ(encoded({-64}), std::string("i\x7f"));
  EXPECT_EQ(encoded({64}), std::string("i\x80\x01"));
}

TEST(StoreCodec, MapsAndSecondsComeBack) {
  const std::map<std::string, double> map = {{"", 1}, {"a", -2.5}, {"µ", std::numeric_limits<double>::max()}};
  EXPECT_EQ(decode_map(encode_map(map), "f"), map);
  EXPECT_TRUE(decode_map(encode_map({}), "f").empty());
  const std::vector<Seconds> seconds = {Seconds(1e-9), Seconds(0), Seconds(1.0 / 3)};
  EXPECT_EQ(decode_seconds(encode_seconds(seconds), "f"), seconds);
}

TEST(StoreCodec, ForeignBytesAreAStorageError) {
  const std::string overlong(11, '\xff');
  for (const std::string& bytes :
       {std::string("x"), std::string("i"), std::string("i\x80"), "i" + overlong, std::string("r1234567"),
        std::string("s\x05"
                    "four")}) {
    EXPECT_EQ(store_test::error_of([&] { decode_values(bytes, "f.db"); }).code(), ExitCode::storage) << bytes;
  }
  EXPECT_EQ(store_test::error_of([] { decode_seconds("1234567", "f.db"); }).problems().front().where, "f.db");
  EXPECT_EQ(store_test::error_of([] { decode_map("\x01z123", "f.db"); }).code(), ExitCode::storage);
}

}  // namespace
}  // namespace wattune::store

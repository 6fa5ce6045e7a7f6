#include "wattune/space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "wattune/error.hpp"
#include "wattune/neighbourhood.hpp"

namespace wattune {
namespace {

Parameter parameter(std::string name, std::vector<Value> values) {
  return {std::move(name), std::move(values), 0, ParameterRole::kernel};
}

std::vector<Value> whole(std::int64_t first, std::int64_t last) {
  std::vector<Value> values;
  for (std::int64_t v = first; v <= last; ++v) values.emplace_back(v);
  return values;
}

Space space_of(std::vector<Parameter> parameters, const std::vector<std::string>& constraints) {
  std::vector<Constraint> all;
  for (const std::string& text : constraints) all.push_back({text, "spec.toml:1:1"});
  return Space::build(std::move(parameters), std::move(all));
}

std::uint64_t count_xy(const std::string& constraint) {
  return space_of({parameter("x", whole(1, 3)), parameter("y", whole(1, 3))}, {constraint}).size();
}

/// The space of the field's own examples: x, y, z with y % x == 1.
Space example() {
  return space_of({parameter("x", {Value(1), Value(1.5), Value(2), Value(3)}), parameter("y", {Value(4), Value(5.5)}),
                   parameter("z", {Value("string_1"), Value("string_2")})},
                  {"y % x == 1"});
}

TEST(Space, KnownCounts) {
  EXPECT_EQ(example().size(), 6U);
  EXPECT_DOUBLE_EQ(example().cartesian_size(), 16.0);
  EXPECT_EQ(space_of({parameter("a", whole(0, 41)), parameter("b", whole(0, 41)), parameter("c", whole(0, 41)),
                      parameter("d", whole(0, 41))},
                     {"a + b + c + d == 42", "a >= 1 and b >= 1 and c >= 1 and d >= 1"})
                .size(),
            10660U);
  EXPECT_EQ(space_of({parameter("int_param", whole(1, 3)),
                      parameter("float_param", {Value(1.0), Value(2.0), Value(3.0), Value(-4.4)}),
                      parameter("string_param", {Value("a"), Value("b"), Value("c")}),
                      parameter("bool_param", {Value(true), Value(false)})},
                     {"int_param + float_param > 3", "bool_param == False"})
                .size(),
            18U);
  EXPECT_EQ(
      space_of({parameter("int_param", whole(1, 3)), parameter("float_param", {Value(3.0), Value(4.0), Value(5.0)})},
               {"int_param >= 3"})
          .size(),
      3U);
}

TEST(Space, EveryFormOfConstraint) {
  const std::vector<std::pair<std::string, std::uint64_t>> cases{
      {"x*y<=4", 6},    {"1 < x < 3", 3},     {"x==1 or y==2", 5},
      {"x/y >= 2", 2},  {"x-y >= 0", 6},      {"not (x==1 and y==1)", 8},
      {"x**2 <= 4", 6}, {"min(x,y)>=2", 4},   {"x in [1,3]", 6},
      {"x<2.0", 3},     {"x!=y", 6},          {"2 <= x+y", 9},
      {"y//x==1", 4},   {"x if y else 0", 9},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(count_xy(text), expected) << text;
}

TEST(Space, RealsAreComparedAsTheyAre) {
  const std::vector<Value> tenths{Value(0.1), Value(0.2), Value(0.3)};
  const Space sum = space_of({parameter("x", tenths), parameter("y", whole(1, 3))}, {"x+y == 1.3"});
  ASSERT_EQ(sum.size(), 1U);
  EXPECT_EQ(sum.values(0), (std::vector<Value>{Value(0.3), Value(1)}));
  EXPECT_EQ(space_of({parameter("x", tenths), parameter("y", whole(1, 2))}, {"x*y <= 0.3"}).size(), 4U);
}

TEST(Space, IdsAreInOrderAndFoundAgain) {
  const Space space = example();
  const std::vector<std::vector<Value>> expected{
      {Value(1.5), Value(4), Value("string_1")},   {Value(1.5), Value(4), Value("string_2")},
      {Value(1.5), Value(5.5), Value("string_1")}, {Value(1.5), Value(5.5), Value("string_2")},
      {Value(3), Value(4), Value("string_1")},     {Value(3), Value(4), Value("string_2")}};
  for (ConfigurationId id = 0; id < space.size(); ++id) {
    EXPECT_EQ(space.values(id), expected[id]);
    EXPECT_EQ(space.find_values(expected[id]), std::optional(id));
    EXPECT_EQ(space.find(space.digits(id)), std::optional(id));
  }
  EXPECT_FALSE(space.find_values(std::vector<Value>{Value(1), Value(4), Value("string_1")}).has_value());
  EXPECT_FALSE(space.find_values(std::vector<Value>{Value(7), Value(4), Value("string_1")}).has_value());
}

TEST(Space, AgreesWithBruteForceOnRandomSpaces) {
  Random random(99);
  static const std::vector<std::string> forms{"{} * {} <= 40",
                                              "{} % {} == 0",
                                              "{} + {} >= 5",
                                              "({} // {}) % 2 == 0",
                                              "{} != {} or p0 > 3",
                                              "{} <= {}",
                                              "not ({} == 2 and {} == 3)",
                                              "({} * p0) % ({} + 1) != 1"};
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 2 + random.below(4);
    std::vector<Parameter> parameters;
    std::vector<std::string> names;
    for (std::size_t p = 0; p < count; ++p) {
      names.push_back("p" + std::to_string(p));
      parameters.push_back(parameter(names.back(), whole(1, 2 + static_cast<std::int64_t>(random.below(6)))));
    }
    std::vector<std::string> constraints;
    for (std::size_t c = 0; c < 1 + random.below(3); ++c) {
      std::string text = forms[random.below(forms.size())];
      while (text.find("{}") != std::string::npos) text.replace(text.find("{}"), 2, names[random.below(count)]);
      constraints.push_back(text);
    }
    std::vector<std::vector<std::uint32_t>> expected;
    std::vector<Expression> compiled;
    for (const std::string& text : constraints) compiled.push_back(Expression::compile(text, names));
    std::vector<std::uint32_t> digits(count, 0);
    std::function<void(std::size_t)> fill = [&](std::size_t p) {
      if (p == count) {
        std::vector<Scalar> slots;
        for (std::size_t i = 0; i < count; ++i) slots.push_back(Scalar::of(parameters[i].values[digits[i]]));
        if (std::ranges::all_of(compiled, [&](const Expression& e) { return e.evaluate(slots).value.truthy(); }))
          expected.push_back(digits);
        return;
      }
      for (digits[p] = 0; digits[p] < parameters[p].values.size(); ++digits[p]) fill(p + 1);
    };
    fill(0);
    if (expected.empty()) {
      EXPECT_THROW(space_of(parameters, constraints), Error);
      continue;
    }
    const Space space = space_of(parameters, constraints);
    ASSERT_EQ(space.size(), expected.size());
    for (ConfigurationId id = 0; id < space.size(); ++id)
      ASSERT_EQ(space.digits(id), expected[id]) << constraints.front();
  }
}

TEST(Space, BeyondMemoryASampleIsHeld) {
  std::vector<Parameter> parameters;
  for (int p = 0; p < 10; ++p) parameters.push_back(parameter("p" + std::to_string(p), whole(0, 15)));
  std::vector<Constraint> constraints{{"(p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9) % 7 == 0", ""}};
  SpaceOptions options;
  options.max_configurations = 1'000'000;
  options.sample = 500;
  options.seed = 3;
  const Space space = Space::build(parameters, constraints, options);
  EXPECT_FALSE(space.complete());
  ASSERT_EQ(space.size(), 500U);
  for (ConfigurationId id = 0; id < space.size(); ++id) {
    const Digits d = space.digits(id);
    ASSERT_EQ(std::accumulate(d.begin(), d.end(), 0U) % 7, 0U);
    ASSERT_EQ(space.find(d), std::optional(id));
  }
}

TEST(Space, StrongConstraintsOnATrillionPoints) {
  std::vector<Parameter> parameters;
  for (int p = 0; p < 12; ++p) parameters.push_back(parameter("p" + std::to_string(p), whole(1, 10)));
  std::vector<Constraint> constraints;
  for (int p = 0; p + 1 < 12; ++p)
    constraints.push_back({"p" + std::to_string(p + 1) + " >= p" + std::to_string(p), ""});
  constraints.push_back({"p0 * p11 <= 6", ""});
  const Space space = Space::build(parameters, constraints);
  EXPECT_DOUBLE_EQ(space.cartesian_size(), 1e12);
  std::uint64_t expected =
      0;  // non-decreasing sequences from a to b of 12 values: C(10 + b - a, b - a) with both ends fixed
  const auto binomial = [](std::uint64_t n, std::uint64_t k) {
    double result = 1.0;
    for (std::uint64_t i = 1; i <= k; ++i) result = result * static_cast<double>(n - k + i) / static_cast<double>(i);
    return static_cast<std::uint64_t>(result + 0.5);
  };
  for (std::uint64_t a = 1; a <= 10; ++a) {
    for (std::uint64_t b = a; b <= 10 && a * b <= 6; ++b) expected += binomial(10 + b - a, b - a);
  }
  EXPECT_EQ(space.size(), expected);
}

TEST(Space, BoundsPruneProductsAndSumsOfManyParameters) {
  std::vector<Parameter> parameters;
  std::string product = "p0";
  std::string sum = "p0";
  for (int p = 0; p < 6; ++p) {
    parameters.push_back(parameter("p" + std::to_string(p), whole(1, 100)));
    if (p == 0) continue;
    product += " * p" + std::to_string(p);
    sum += " + p" + std::to_string(p);
  }
  // Compositions of 12 into 6 positive parts: C(11, 5).
  EXPECT_EQ(space_of(parameters, {sum + " == 12"}).size(), 462U);
  // The number of ordered factorisations into 6 factors, summed over products up to 60.
  std::vector<std::uint64_t> ways(61, 1);
  ways[0] = 0;
  for (int factor = 1; factor < 6; ++factor) {
    std::vector<std::uint64_t> next(61, 0);
    for (std::size_t n = 1; n <= 60; ++n) {
      for (std::size_t d = 1; d * n <= 60; ++d) next[d * n] += ways[n];
    }
    ways = next;
  }
  EXPECT_EQ(space_of(parameters, {product + " <= 60"}).size(),
            std::accumulate(ways.begin(), ways.end(), std::uint64_t{0}));
}

TEST(Space, ConfigurationsOfMoreThan64Bits) {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  for (int p = 0; p < 30; ++p) {
    parameters.push_back(parameter("p" + std::to_string(p), whole(0, 15)));
    if (p > 0) constraints.push_back({"p" + std::to_string(p) + " == (p" + std::to_string(p - 1) + " + 1) % 16", ""});
  }
  const Space space = Space::build(parameters, constraints);
  ASSERT_EQ(space.size(), 16U);
  for (ConfigurationId id = 0; id < 16; ++id) {
    EXPECT_EQ(space.digit(id, 0), id);
    EXPECT_EQ(space.digit(id, 29), (id + 29) % 16);
    EXPECT_EQ(space.find(space.digits(id)), std::optional(id));
  }
  Digits invalid = space.digits(3);
  invalid[12] = (invalid[12] + 1) % 16;
  EXPECT_FALSE(space.find(invalid).has_value());
}

TEST(Space, FaultsThatAnotherConstraintExcludesAreNone) {
  const std::vector<Parameter> parameters{parameter("a", whole(0, 6)), parameter("b", whole(0, 3))};
  const std::uint64_t guarded = space_of(parameters, {"b != 0", "a % b == 0"}).size();
  EXPECT_EQ(guarded, 7U + 4U + 3U);
  EXPECT_EQ(space_of(parameters, {"a % b == 0", "b != 0"}).size(), guarded);
  EXPECT_EQ(space_of(parameters, {"b == 0 or a % b == 0"}).size(), guarded + 7U);
  EXPECT_THROW(space_of(parameters, {"a % b == 0"}), Error);
}

TEST(SpaceFaults, AreErrorsThatSayWhat) {
  const auto text = [](const std::function<void()>& build) -> std::string {
    try {
      build();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string unknown = text([] { space_of({parameter("block_size", whole(1, 2))}, {"blok_size > 1"}); });
  EXPECT_NE(unknown.find("did you mean 'block_size'?"), std::string::npos) << unknown;
  const std::string zero = text([] { space_of({parameter("x", whole(0, 2))}, {"4 % x == 0"}); });
  EXPECT_NE(zero.find("division by zero"), std::string::npos) << zero;
  EXPECT_NE(zero.find("4 % x == 0"), std::string::npos) << zero;
  EXPECT_NE(zero.find("x=0"), std::string::npos) << zero;
  const std::string empty = text([] { space_of({parameter("x", whole(1, 4))}, {"x > 2", "x % 2 == 1", "x < 3"}); });
  EXPECT_NE(empty.find("x < 3"), std::string::npos) << empty;
  EXPECT_NE(text([] { space_of({parameter("x", {Value(1), Value(1)})}, {}); }), "no error");
  EXPECT_NE(text([] { space_of({parameter("x", {})}, {}); }), "no error");
  EXPECT_NE(text([] { space_of({parameter("x", whole(1, 2)), parameter("x", whole(1, 2))}, {}); }), "no error");
}

TEST(SpaceSamples, AreUniqueAndValid) {
  const Space space = space_of({parameter("a", whole(1, 4)), parameter("b", whole(1, 6))}, {});
  ASSERT_EQ(space.size(), 24U);
  Random random(5);
  const auto sample = space.sample(10, random);
  EXPECT_EQ(std::set<ConfigurationId>(sample.begin(), sample.end()).size(), 10U);
  EXPECT_EQ(space.sample(24, random).size(), 24U);
  EXPECT_THROW(space.sample(25, random), Error);
  const auto spread = space.latin_hypercube(10, random);
  EXPECT_EQ(std::set<ConfigurationId>(spread.begin(), spread.end()).size(), 10U);
  for (const ConfigurationId id : spread) EXPECT_LT(id, space.size());
  EXPECT_THROW(space.latin_hypercube(25, random), Error);
}

TEST(Neighbours, OfAnInvalidPointAsInTheField) {
  const Space space = example();
  const Neighbourhood neighbourhood(space);
  const std::vector<std::uint32_t> point{0, 0, 0};  // (1, 4, string_1)
  const auto named = [&](NeighbourhoodKind kind) {
    std::vector<ConfigurationId> out;
    neighbourhood.neighbours(point, kind, out);
    std::sort(out.begin(), out.end());
    return out;
  };
  EXPECT_EQ(named(NeighbourhoodKind::hamming), (std::vector<ConfigurationId>{0, 4}));
  EXPECT_EQ(named(NeighbourhoodKind::hamming_adjacent), (std::vector<ConfigurationId>{0}));
  EXPECT_EQ(named(NeighbourhoodKind::strictly_adjacent), (std::vector<ConfigurationId>{0, 1, 2, 3}));
  EXPECT_EQ(named(NeighbourhoodKind::adjacent), (std::vector<ConfigurationId>{0, 1, 2, 3}));
}

/// Neighbours by their definition, over all configurations.
TEST(Neighbours, AgreeWithTheirDefinition) {
  const Space space = space_of({parameter("a", whole(1, 6)), parameter("b", whole(1, 5)), parameter("c", whole(1, 4)),
                                parameter("d", whole(1, 3)), parameter("e", whole(0, 1))},
                               {"a * b % 3 != 1", "c != 2", "d * c <= 9 or a == 1"});
  const Neighbourhood neighbourhood(space);
  Random random(17);
  std::vector<ConfigurationId> out;
  for (int trial = 0; trial < 200; ++trial) {
    Digits point;
    for (const Parameter& p : space.parameters())
      point.push_back(static_cast<std::uint32_t>(random.below(p.values.size())));
    std::set<ConfigurationId> hamming, bounded, strict, adjacent, closest;
    std::vector<std::int64_t> below(5, -1000), above(5, 1000);
    for (ConfigurationId id = 0; id < space.size(); ++id) {
      for (std::size_t p = 0; p < 5; ++p) {
        const std::int64_t step = std::int64_t{space.digit(id, p)} - point[p];
        if (step < 0) below[p] = std::max(below[p], step);
        if (step > 0) above[p] = std::min(above[p], step);
      }
    }
    double best = 1e9;
    for (ConfigurationId id = 0; id < space.size(); ++id) {
      int differing = 0;
      std::int64_t largest = 0;
      bool within = true;
      double distance = 0.0;
      for (std::size_t p = 0; p < 5; ++p) {
        const std::int64_t step = std::int64_t{space.digit(id, p)} - point[p];
        differing += step != 0 ? 1 : 0;
        largest = std::max(largest, std::abs(step));
        within = within && step >= below[p] && step <= above[p];
        const double scaled = static_cast<double>(step) / static_cast<double>(space.parameters()[p].values.size() - 1);
        distance += scaled * scaled;
      }
      if (differing == 0) continue;
      if (differing == 1) hamming.insert(id);
      if (differing == 1 && largest == 1) bounded.insert(id);
      if (largest <= 1) strict.insert(id);
      if (within) adjacent.insert(id);
      if (distance < best - 1e-9) closest.clear();
      if (distance < best + 1e-9) closest.insert(id);
      best = std::min(best, distance);
    }
    const auto check = [&](NeighbourhoodKind kind, const std::set<ConfigurationId>& expected) {
      neighbourhood.neighbours(point, kind, out);
      EXPECT_EQ(std::set<ConfigurationId>(out.begin(), out.end()), expected) << to_string(kind);
      EXPECT_EQ(out.size(), expected.size()) << to_string(kind);
    };
    check(NeighbourhoodKind::hamming, hamming);
    check(NeighbourhoodKind::hamming_adjacent, bounded);
    check(NeighbourhoodKind::strictly_adjacent, strict);
    check(NeighbourhoodKind::adjacent, adjacent);
    check(NeighbourhoodKind::closest, closest);
    if (const auto own = space.find(point)) {
      EXPECT_EQ(neighbourhood.nearest(point), *own);
    } else {
      EXPECT_TRUE(closest.contains(neighbourhood.nearest(point)));
    }
  }
}

}  // namespace
}  // namespace wattune

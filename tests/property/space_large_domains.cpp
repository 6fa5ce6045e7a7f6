// Enumeration against brute force where value lists are long: rules are then evaluated in blocks, masks take several
// words, bounds prune, and codes are looked up by hash. Values are integers, reals and texts.
#include <gtest/gtest.h>

#include <iostream>

#include "wattune/random.hpp"
#include "wattune/space.hpp"

namespace wattune {
namespace {

std::vector<Parameter> random_parameters(Random& random, std::size_t count) {
  std::vector<Parameter> parameters;
  for (std::size_t p = 0; p < count; ++p) {
    Parameter parameter;
    parameter.name = "p" + std::to_string(p);
    const std::size_t length = p + 1 == count ? 90 + random.below(60) : 5 + random.below(30);
    const double scale = random.below(4) == 0 ? 0.5 : 1.0;
    for (std::size_t v = 1; v <= length; ++v) {
      if (scale == 1.0) {
        parameter.values.emplace_back(static_cast<std::int64_t>(v));
      } else {
        parameter.values.emplace_back(scale * static_cast<double>(v));
      }
    }
    parameters.push_back(std::move(parameter));
  }
  parameters.push_back({"layout", {Value("row"), Value("column"), Value("tile")}, 0, ParameterRole::kernel});
  return parameters;
}

std::string filled(std::string text, Random& random, std::size_t count) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#')) {
    text.replace(at, 1, "p" + std::to_string(random.below(count)));
  }
  return text;
}

std::vector<Digits> by_brute_force(const std::vector<Parameter>& parameters, const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  std::vector<Expression> rules;
  for (const std::string& text : texts) rules.push_back(Expression::compile(text, names));
  std::vector<Digits> valid;
  Digits digits(parameters.size(), 0);
  std::vector<Scalar> slots;
  for (const Parameter& parameter : parameters) slots.push_back(Scalar::of(parameter.values[0]));
  while (true) {
    bool holds = true;
    for (const Expression& rule : rules) holds = holds && rule.evaluate(slots).value.truthy();
    if (holds) valid.push_back(digits);
    std::size_t p = parameters.size();
    while (p-- > 0) {
      if (++digits[p] == parameters[p].values.size()) digits[p] = 0;
      slots[p] = Scalar::of(parameters[p].values[digits[p]]);
      if (digits[p] != 0) break;
    }
    if (p > parameters.size()) return valid;
  }
}

TEST(SpaceOfLongLists, AgreesWithBruteForce) {
  constexpr std::uint64_t seed = 20240611;
  std::cout << "seed " << seed << '\n';
  Random random(seed);
  const std::vector<std::string> forms{"# * # <= 40",
                                       "(# + 1) % (# + 2) == 0",
                                       "# + # + # == 30",
                                       "# * # * # < 90 or layout == 'tile'",
                                       "4 < # - # <= 20",
                                       "not (# > 3 and layout == 'row')",
                                       "min(#, #) * 2 >= max(#, 3)",
                                       "(# // 3) % 2 == 0 and # != #",
                                       "# ** 2 - # > 5",
                                       "-# < # / (# + 1) - 2"};
  for (int trial = 0; trial < 150; ++trial) {
    const std::size_t count = 2 + random.below(2);
    const std::vector<Parameter> parameters = random_parameters(random, count);
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < 1 + random.below(3); ++c) {
      texts.push_back(filled(forms[random.below(forms.size())], random, count));
    }
    const std::vector<Digits> expected = by_brute_force(parameters, texts);
    if (expected.empty()) continue;
    std::vector<Constraint> constraints;
    std::string shown;
    for (const std::string& text : texts) {
      constraints.push_back({text, ""});
      shown += text + "; ";
    }
    const Space space = Space::build(parameters, constraints);
    ASSERT_EQ(space.size(), expected.size()) << shown;
    for (ConfigurationId id = 0; id < space.size(); ++id) {
      ASSERT_EQ(space.digits(id), expected[id]) << shown;
      ASSERT_EQ(space.find(expected[id]), std::optional(id)) << shown;
    }
  }
}

}  // namespace
}  // namespace wattune

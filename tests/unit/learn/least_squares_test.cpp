// Bounded Levenberg-Marquardt against the certified values of NIST's Statistical Reference Datasets, and what bounds,
// missing values and several starts do to it.
#include "learn/least_squares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

namespace wattune::learn {
namespace {

struct Certified {
  std::string name;
  std::vector<double> start1, start2, value, deviation;
  double sum_of_squares = 0.0;
  std::vector<double> x, y;
};

std::vector<Certified> certified_sets() {
  std::ifstream file(WATTUNE_SOURCE_DIR "/tests/unit/learn/nist_strd.txt");
  std::vector<Certified> sets;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    if (line.starts_with("set ")) {
      Certified& set = sets.emplace_back();
      words >> word >> set.name >> word >> word >> word >> set.sum_of_squares;
    } else if (line.starts_with("b ")) {
      double start1 = 0, start2 = 0, value = 0, deviation = 0;
      words >> word >> start1 >> start2 >> value >> deviation;
      sets.back().start1.push_back(start1);
      sets.back().start2.push_back(start2);
      sets.back().value.push_back(value);
      sets.back().deviation.push_back(deviation);
    } else if (!line.empty() && line[0] != '#') {
      while (words >> word) {
        const std::size_t comma = word.find(',');
        sets.back().x.push_back(std::stod(word.substr(0, comma)));
        sets.back().y.push_back(std::stod(word.substr(comma + 1)));
      }
    }
  }
  return sets;
}

using Model = double (*)(std::span<const double> b, double x);

double chirp(std::span<const double> b, double x) {
  const double year = 2.0 * std::numbers::pi * x;
  return b[0] + b[1] * std::cos(year / 12.0) + b[2] * std::sin(year / 12.0) + b[4] * std::cos(year / b[3]) +
         b[5] * std::sin(year / b[3]) + b[7] * std::cos(year / b[6]) + b[8] * std::sin(year / b[6]);
}
double peaks(std::span<const double> b, double x) {
  return b[0] * std::exp(-b[1] * x) + b[2] * std::exp(-std::pow((x - b[3]) / b[4], 2)) +
         b[5] * std::exp(-std::pow((x - b[6]) / b[7], 2));
}
double decays(std::span<const double> b, double x) {
  return b[0] * std::exp(-b[1] * x) + b[2] * std::exp(-b[3] * x) + b[4] * std::exp(-b[5] * x);
}
double cubics(std::span<const double> b, double x) {
  return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1.0 + x * (b[4] + x * (b[5] + x * b[6])));
}
double saturating(std::span<const double> b, double x) {
  return b[0] * (1.0 - std::exp(-b[1] * x));
}

const std::map<std::string, Model>& models() {
  static const std::map<std::string, Model> table = {
      {"Misra1a", saturating},
      {"BoxBOD", saturating},
      {"Chwirut2", [](auto b, double x) { return std::exp(-b[0] * x) / (b[1] + b[2] * x); }},
      {"DanWood", [](auto b, double x) { return b[0] * std::pow(x, b[1]); }},
      {"Misra1b", [](auto b, double x) { return b[0] * (1.0 - std::pow(1.0 + b[1] * x / 2.0, -2.0)); }},
      {"Misra1c", [](auto b, double x) { return b[0] * (1.0 - std::pow(1.0 + 2.0 * b[1] * x, -0.5)); }},
      {"Misra1d", [](auto b, double x) { return b[0] * b[1] * x / (1.0 + b[1] * x); }},
      {"Gauss1", peaks},
      {"Kirby2", [](auto b, double x) { return (b[0] + x * (b[1] + x * b[2])) / (1.0 + x * (b[3] + x * b[4])); }},
      {"Hahn1", cubics},
      {"Thurber", cubics},
      {"MGH17", [](auto b, double x) { return b[0] + b[1] * std::exp(-x * b[3]) + b[2] * std::exp(-x * b[4]); }},
      {"Lanczos1", decays},
      {"Lanczos2", decays},
      {"Lanczos3", decays},
      {"Roszman1", [](auto b, double x) { return b[0] - b[1] * x - std::atan2(b[2], x - b[3]) / std::numbers::pi; }},
      {"ENSO", chirp},
      {"MGH09", [](auto b, double x) { return b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]); }},
      {"Rat42", [](auto b, double x) { return b[0] / (1.0 + std::exp(b[1] - b[2] * x)); }},
      {"Rat43", [](auto b, double x) { return b[0] / std::pow(1.0 + std::exp(b[1] - b[2] * x), 1.0 / b[3]); }},
      {"MGH10", [](auto b, double x) { return b[0] * std::exp(b[1] / (x + b[2])); }},
      {"Eckerle4", [](auto b, double x) { return b[0] / b[1] * std::exp(-0.5 * std::pow((x - b[2]) / b[1], 2)); }},
      {"Bennett5", [](auto b, double x) { return b[0] * std::pow(b[1] + x, -1.0 / b[2]); }},
  };
  return table;
}

LeastSquaresProblem problem_of(const Certified& set) {
  LeastSquaresProblem problem;
  problem.parameters = set.value.size();
  problem.residuals = set.x.size();
  problem.evaluate = [&set, model = models().at(set.name)](std::span<const double> b, std::span<double> r) {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = model(b, set.x[i]) - set.y[i];
    return true;
  };
  return problem;
}

/// Digits that agree with the certified ones, as NIST scores software; 11 are certified.
double digits(double value, double certified) {
  return value == certified ? 11.0 : std::min(11.0, -std::log10(std::abs(value - certified) / std::abs(certified)));
}

double worst_digits(const std::vector<double>& values, const std::vector<double>& certified) {
  double worst = 11.0;
  for (std::size_t i = 0; i < values.size(); ++i) worst = std::min(worst, digits(values[i], certified[i]));
  return worst;
}

class Nist : public testing::TestWithParam<std::size_t> {};

// From the start that is near every set is met, from the far one all but two: BoxBOD and MGH10 end in the well-known
// local minimum and creep along a valley, as other solvers of this kind do, which is what several starts are for.
// Lanczos1 is exact to the last printed digit, so its certified sum of squares (1e-25) is rounding of the data.
TEST_P(Nist, CertifiedDigits) {
  static const std::vector<Certified> sets = certified_sets();
  ASSERT_EQ(sets.size(), models().size());
  const Certified& set = sets[GetParam()];
  const LeastSquaresProblem problem = problem_of(set);
  const LeastSquaresResult near = least_squares(problem, std::span<const double>(set.start2));
  EXPECT_TRUE(near.converged()) << set.name;
  EXPECT_EQ(near.degrees, set.x.size() - set.value.size());
  EXPECT_GE(worst_digits(near.point, set.value), 6.0) << set.name;
  if (set.name != "Lanczos1") {
    std::vector<double> errors;
    for (std::size_t i = 0; i < set.value.size(); ++i) errors.push_back(near.error(i));
    EXPECT_GE(worst_digits(errors, set.deviation), 6.0) << set.name;
    EXPECT_GE(digits(near.sum_of_squares, set.sum_of_squares), 9.0) << set.name;
  }
  LeastSquaresOptions patient;
  patient.max_iterations = 1000;
  const LeastSquaresResult far = least_squares(problem, std::span<const double>(set.start1), patient);
  if (set.name != "BoxBOD" && set.name != "MGH10") {
    EXPECT_GE(worst_digits(far.point, set.value), 5.5) << set.name << " from the far start";
  }
  const std::vector<std::vector<double>> starts = {set.start1, set.start2};
  EXPECT_GE(worst_digits(least_squares(problem, starts, patient).point, set.value), 5.5) << set.name;
}

INSTANTIATE_TEST_SUITE_P(AllSets, Nist, testing::Range<std::size_t>(0, 23));

Certified certified(const std::string& name) {
  const std::vector<Certified> sets = certified_sets();
  return *std::find_if(sets.begin(), sets.end(), [&](const Certified& set) { return set.name == name; });
}

TEST(LeastSquares, GivenDerivativesLeadToTheSameMinimum) {
  const Certified set = certified("Misra1a");
  LeastSquaresProblem problem = problem_of(set);
  problem.derivatives = [&set](std::span<const double> b, std::span<double> j) {
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      j[2 * i] = 1.0 - std::exp(-b[1] * set.x[i]);
      j[2 * i + 1] = b[0] * set.x[i] * std::exp(-b[1] * set.x[i]);
    }
  };
  const LeastSquaresResult result = least_squares(problem, std::span<const double>(set.start1));
  EXPECT_GE(worst_digits(result.point, set.value), 9.0);
}

// The certified optimum of b1 is 238.9; held at 200, the other parameter has the minimum of a problem in one variable,
// found here by bisection of the derivative.
TEST(LeastSquares, BoundHoldsAParameterAndTheOthersAreOptimal) {
  const Certified set = certified("Misra1a");
  LeastSquaresProblem problem = problem_of(set);
  problem.lower = {0.0, 0.0};
  problem.upper = {200.0, 1.0};
  const LeastSquaresResult result = least_squares(problem, std::span<const double>(set.start2));
  EXPECT_EQ(result.point[0], 200.0);
  EXPECT_TRUE(result.at_bound[0]);
  EXPECT_FALSE(result.at_bound[1]);
  EXPECT_EQ(result.degrees, set.x.size() - 1);
  EXPECT_EQ(result.error(0), 0.0);
  const auto slope = [&](double rate) {
    double sum = 0.0;
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      const double decay = std::exp(-rate * set.x[i]);
      sum += (200.0 * (1.0 - decay) - set.y[i]) * 200.0 * set.x[i] * decay;
    }
    return sum;
  };
  double low = 1e-5;
  double high = 1e-2;
  for (int i = 0; i < 100; ++i) (slope(0.5 * (low + high)) < 0.0 ? low : high) = 0.5 * (low + high);
  EXPECT_NEAR(result.point[1], low, 1e-8 * low);
}

TEST(LeastSquares, BoundsThatDoNotBindChangeNothing) {
  const Certified set = certified("MGH09");
  LeastSquaresProblem problem = problem_of(set);
  problem.lower = {0.0, 0.0, 0.0, 0.0};
  problem.upper = {1.0, 1.0, 1.0, 1.0};
  const LeastSquaresResult result = least_squares(problem, std::span<const double>(set.start2));
  EXPECT_GE(worst_digits(result.point, set.value), 6.0);
  EXPECT_GE(digits(result.error(0), set.deviation[0]), 5.0);
}

// Differences are taken to one side at a bound and at the edge of where the model has a value.
TEST(LeastSquares, StartAtABoundAndModelWithoutValueBeyond) {
  LeastSquaresProblem problem;
  problem.parameters = 1;
  problem.residuals = 1;
  problem.evaluate = [](std::span<const double> b, std::span<double> r) {
    if (b[0] < 0.0) return false;
    r[0] = std::sqrt(b[0]) - 2.0;
    return true;
  };
  problem.lower = {1e-6};
  const LeastSquaresResult result = least_squares(problem, std::span<const double>(std::vector<double>{-5.0}));
  EXPECT_TRUE(result.converged());
  EXPECT_NEAR(result.point[0], 4.0, 1e-9);
  EXPECT_TRUE(result.covariance.empty());  // one residual, one parameter: nothing is left to estimate an error from
  EXPECT_TRUE(std::isinf(result.error(0)));
}

TEST(LeastSquares, StartWithoutValueIsSaid) {
  LeastSquaresProblem problem;
  problem.parameters = 1;
  problem.residuals = 1;
  problem.evaluate = [](std::span<const double>, std::span<double>) { return false; };
  const LeastSquaresResult result = least_squares(problem, std::span<const double>(std::vector<double>{1.0}));
  EXPECT_EQ(result.termination, Termination::no_value);
  EXPECT_FALSE(result.converged());
  EXPECT_EQ(to_string(result.termination), "no value");
}

// Two parameters of which only the sum shows: the minimum is found, and that their errors are unknown is said.
TEST(LeastSquares, ParametersThatTheDataCannotTellApart) {
  LeastSquaresProblem problem;
  problem.parameters = 2;
  problem.residuals = 5;
  problem.evaluate = [](std::span<const double> b, std::span<double> r) {
    for (std::size_t i = 0; i < 5; ++i)
      r[i] = (b[0] + b[1]) * static_cast<double>(i) - (i % 2 == 0 ? 3.1 : 2.9) * static_cast<double>(i);
    return true;
  };
  const LeastSquaresResult result = least_squares(problem, std::span<const double>(std::vector<double>{0.5, 0.2}));
  EXPECT_TRUE(result.converged());
  EXPECT_NEAR(result.point[0] + result.point[1], (3.1 * 20.0 + 2.9 * 10.0) / 30.0, 1e-9);
  EXPECT_TRUE(result.covariance.empty());
}

// A kink with a plateau behind it: from a start on the plateau nothing moves, from several starts it is found.
TEST(LeastSquares, SeveralStartsFindAKink) {
  LeastSquaresProblem problem;
  problem.parameters = 1;
  problem.residuals = 20;
  problem.evaluate = [](std::span<const double> b, std::span<double> r) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const double x = static_cast<double>(i);
      r[i] = std::max(0.0, x - b[0]) - std::max(0.0, x - 12.0);
    }
    return true;
  };
  const std::vector<std::vector<double>> starts = {{25.0}, {5.0}};
  EXPECT_GT(least_squares(problem, std::span<const double>(starts[0])).sum_of_squares, 1.0);
  EXPECT_NEAR(least_squares(problem, starts).point[0], 12.0, 1e-9);
}

}  // namespace
}  // namespace wattune::learn

// The measures of error against values worked out by hand and by a public tool.
#include "wattune/error_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace wattune {
namespace {

TEST(ErrorMetrics, WorkedExample) {
  const std::vector<double> measured = {0, 1, 2, 3};
  const std::vector<double> predicted = {1, 1, 2, 5};
  const ErrorMetrics metrics = error_metrics(measured, predicted, 0.1);
  EXPECT_DOUBLE_EQ(metrics.mse, 1.25);
  EXPECT_NEAR(metrics.rmse, 1.11803, 5e-6);
  EXPECT_DOUBLE_EQ(metrics.nrmse, std::sqrt(1.25 / 3.5));
  EXPECT_DOUBLE_EQ(metrics.mae, 0.75);
  EXPECT_NEAR(metrics.mre, 2.6667, 5e-5);
  EXPECT_NEAR(metrics.rmsre, 5.0111, 5e-5);
  EXPECT_NEAR(metrics.male, 0.31440, 5e-6);
  EXPECT_NEAR(metrics.rmsle, 0.53180, 5e-6);
  EXPECT_DOUBLE_EQ(metrics.max_absolute, 2.0);
  EXPECT_DOUBLE_EQ(metrics.max_relative, 10.0);
}

TEST(ErrorMetrics, APerfectPredictionHasNone) {
  const std::vector<double> values = {0.0, 2.5, 1e6};
  const ErrorMetrics metrics = error_metrics(values, values);
  EXPECT_EQ(metrics.rmse, 0.0);
  EXPECT_EQ(metrics.rmsle, 0.0);
  EXPECT_EQ(metrics.max_relative, 0.0);
}

}  // namespace
}  // namespace wattune

// Other programs, started and listened to.
#include "base/process.hpp"

#include <gtest/gtest.h>

#include "wattune/clock.hpp"

namespace wattune::base {
namespace {

TEST(RunProcess, GivesOutputAndExitCode) {
  const ProcessOutput run = run_process({"sh", "-c", "echo out; echo dropped >&2; exit 3"}, Seconds(20.0));
  EXPECT_EQ(run.exit_code, 3) << run.why;
  EXPECT_EQ(run.output, "out\n");
}

TEST(RunProcess, SaysWhyThereIsNone) {
  const ProcessOutput missing = run_process({"no-such-program-anywhere"}, Seconds(20.0));
  EXPECT_EQ(missing.exit_code, -1);
  EXPECT_NE(missing.why.find("no-such-program-anywhere"), std::string::npos);
  const ProcessOutput killed = run_process({"sh", "-c", "kill -9 $$"}, Seconds(20.0));
  EXPECT_EQ(killed.exit_code, -1);
  EXPECT_NE(killed.why.find("signal"), std::string::npos);
}

TEST(RunProcess, EndsWhatTakesTooLong) {
  const Seconds begin = real_clock().monotonic();
  const ProcessOutput run = run_process({"sleep", "60"}, Seconds(0.05));
  EXPECT_EQ(run.exit_code, -1);
  EXPECT_NE(run.why.find("too long"), std::string::npos);
  EXPECT_LT((real_clock().monotonic() - begin).value(), 30.0);
}

}  // namespace
}  // namespace wattune::base

// The lock on settings holds whatever the privileges are.
#include "device/control_lock.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace wattune::device {
namespace {

const char* const without_admin = "Name:\ttest\nCapEff:\t00000000a80425fb\n";
const char* const with_admin = "Name:\ttest\nCapEff:\t000001ffffffffff\n";

TEST(ControlLock, FollowsTheEnvironment) {
  unsetenv("WATTUNE_NO_CONTROL");
  EXPECT_FALSE(controls_forbidden());
  setenv("WATTUNE_NO_CONTROL", "1", 1);
  EXPECT_TRUE(controls_forbidden());
  EXPECT_FALSE(control_permission().allowed);
  setenv("WATTUNE_NO_CONTROL", "0", 1);
  EXPECT_FALSE(controls_forbidden());
  setenv("WATTUNE_NO_CONTROL", "", 1);
  EXPECT_FALSE(controls_forbidden());
  unsetenv("WATTUNE_NO_CONTROL");
}

TEST(ControlLock, BeatsRoot) {
  const Permission permission = control_permission(true, true, with_admin);
  EXPECT_FALSE(permission.allowed);
  EXPECT_NE(permission.why.find("WATTUNE_NO_CONTROL"), std::string::npos);
}

TEST(ControlPermission, NeedsRootOrTheCapability) {
  EXPECT_TRUE(control_permission(false, true, without_admin).allowed);
  EXPECT_TRUE(control_permission(false, false, with_admin).allowed);
  const Permission refused = control_permission(false, false, without_admin);
  EXPECT_FALSE(refused.allowed);
  EXPECT_NE(refused.why.find("CAP_SYS_ADMIN"), std::string::npos);
  EXPECT_FALSE(control_permission(false, false, "").allowed);
}

}  // namespace
}  // namespace wattune::device

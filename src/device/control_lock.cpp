#include "device/control_lock.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace wattune::device {
namespace {

constexpr unsigned cap_sys_admin = 21;  // linux/capability.h

bool has_admin_capability(const std::string& status) {
  constexpr std::string_view key = "CapEff:";
  const std::size_t at = status.find(key);
  if (at == std::string::npos) return false;
  const unsigned long long mask = std::strtoull(status.c_str() + at + key.size(), nullptr, 16);
  return ((mask >> cap_sys_admin) & 1U) != 0;
}

}  // namespace

bool controls_forbidden() {
  const char* value = std::getenv("WATTUNE_NO_CONTROL");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

Permission control_permission() {
  std::ifstream file("/proc/self/status");
  std::ostringstream status;
  status << file.rdbuf();
  return control_permission(controls_forbidden(), geteuid() == 0, status.str());
}

Permission control_permission(bool forbidden, bool is_root, const std::string& status) {
  if (forbidden)
    return {false, "WATTUNE_NO_CONTROL is set: no setting of any device is changed; unset it to allow that"};
  if (is_root || has_admin_capability(status)) return {true, {}};
  return {false, "needs root or CAP_SYS_ADMIN: run as root, e.g. with sudo"};
}

}  // namespace wattune::device

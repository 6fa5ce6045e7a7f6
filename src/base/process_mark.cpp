#include "base/process_mark.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace wattune::base {
namespace {

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

/// Field 22 of /proc/PID/stat, clock ticks since boot; "" when there is no such process.
std::string starting_time(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t name_end = text.rfind(')');  // the name of the program may contain anything
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  return field;
}

std::string mark_of(const std::string& pid) {
  return boot_id() + ' ' + pid + ' ' + starting_time(pid);
}

}  // namespace

const std::string& this_process() {
  thread_local pid_t pid = 0;
  thread_local std::string mark;
  if (pid != getpid()) {  // also after a fork
    pid = getpid();
    mark = mark_of(std::to_string(pid));
  }
  return mark;
}

bool runs_elsewhere(const std::string& mark) {
  std::istringstream words(mark);
  std::string boot;
  std::string pid;
  words >> boot >> pid;
  return !pid.empty() && mark != this_process() && mark == mark_of(pid);
}

std::string process_id(const std::string& mark) {
  std::istringstream words(mark);
  std::string boot;
  std::string pid;
  words >> boot >> pid;
  return pid;
}

}  // namespace wattune::base

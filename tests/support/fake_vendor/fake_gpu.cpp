#include "fake_gpu.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace wattune::fake {
namespace {

constexpr std::size_t page = 4096;
constexpr unsigned boost_mhz = 1980;
constexpr unsigned idle_mhz = 345;
constexpr unsigned throttled_mhz = 1200;
constexpr unsigned memory_default_mhz = 3201;
constexpr long long counter_step_us = 100000;
constexpr std::size_t history_kept = 16;

constexpr const char* fresh =
    "name NVIDIA H200\nuuid GPU-00000000-fake-0000-0000-000000000001\nbus 00000000:3B:00.0\ndriver 580.00\n"
    "architecture 9\ncore_lock 0\nmemory_lock 0\napp_core 1980\napp_memory 3201\npower_limit_mw 700000\nbusy 0\n"
    "now_us 0\ndeny 0\nunsupported \nlost 0\nlost_after -1\nrefuse_clock 0\nfail \nignore \nthrottle 0\nenergy_back_mj "
    "0\n"
    "set_delay_us 0\nsets 0\nenergy_base_mj 1000000\nhistory \n";

std::vector<std::string> paths(const std::string& vendor) {
  std::vector<std::string> found;
  const char* list = std::getenv("WATTUNE_FAKE_GPUS");
  std::istringstream words(list != nullptr ? list : "");
  for (std::string path; std::getline(words, path, ':');) {
    if (path.empty()) continue;
    const std::string maker = Gpu(path).text("vendor");
    if ((maker.empty() ? "nvidia" : maker) == vendor) found.push_back(path);
  }
  return found;
}

}  // namespace

std::string gpu_path(unsigned index, const std::string& vendor) {
  const std::vector<std::string> all = paths(vendor);
  return index < all.size() ? all[index] : std::string();
}

unsigned gpu_count(const std::string& vendor) {
  return static_cast<unsigned>(paths(vendor).size());
}

void Gpu::create(const std::string& path) {
  std::array<char, page> block{};
  block.fill('\n');
  const std::string text = fresh;
  std::copy(text.begin(), text.end(), block.begin());
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || pwrite(file, block.data(), block.size(), 0) != static_cast<ssize_t>(block.size()))
    throw std::runtime_error("cannot write " + path);
  ::close(file);
}

Gpu::Gpu(const std::string& path) : file_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (file_ < 0) return;
  while (flock(file_, LOCK_EX) != 0) {
  }
  std::array<char, page + 1> block{};
  if (pread(file_, block.data(), page, 0) <= 0) return;
  std::istringstream lines(block.data());
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    if (space != std::string::npos) values_[line.substr(0, space)] = line.substr(space + 1);
  }
}

Gpu::~Gpu() {
  if (file_ < 0) return;
  if (changed_) save();
  ::close(file_);
}

void Gpu::save() {
  std::string text;
  for (const auto& [key, value] : values_) text.append(key).append(" ").append(value).append("\n");
  if (text.size() >= page) std::abort();
  std::array<char, page> block{};
  block.fill('\n');
  std::copy(text.begin(), text.end(), block.begin());
  if (pwrite(file_, block.data(), block.size(), 0) != static_cast<ssize_t>(block.size())) std::abort();
}

std::string Gpu::text(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::string() : found->second;
}

long long Gpu::number(const std::string& key) const {
  return std::strtoll(text(key).c_str(), nullptr, 10);
}

bool Gpu::listed(const std::string& key, const std::string& word) const {
  return ("," + text(key) + ",").find("," + word + ",") != std::string::npos;
}

void Gpu::set(const std::string& key, const std::string& value) {
  const long long fixed = number("now_us");
  if (key == "now_us" && fixed > 0 && std::strtoll(value.c_str(), nullptr, 10) >= fixed) {  // time goes on
    values_[key] = value;
    changed_ = true;
    return;
  }
  if (key == "now_us") {  // another clock: its history starts anew
    values_["energy_base_mj"] = std::to_string(energy_mj());
    values_[key] = value;
    values_["history"] = std::to_string(now_us()) + ":" + std::to_string(power_now_mw());
    changed_ = true;
    return;
  }
  const long long before = power_now_mw();
  values_[key] = value;
  changed_ = true;
  const long long after = power_now_mw();
  std::map<long long, long long> past = history();
  if (after == before && !past.empty()) return;
  if (past.empty()) past[now_us() - 10000000] = before;
  past[now_us()] = after;
  std::string text;
  while (past.size() > history_kept) {
    const auto first = past.begin();
    const auto second = std::next(first);
    values_["energy_base_mj"] =
        std::to_string(number("energy_base_mj") + first->second * (second->first - first->first) / 1000000);
    past.erase(first);
  }
  for (const auto& [at, power] : past)
    text.append(text.empty() ? "" : ",").append(std::to_string(at)).append(":").append(std::to_string(power));
  values_["history"] = text;
}

std::map<long long, long long> Gpu::history() const {
  std::map<long long, long long> past;
  std::istringstream entries(text("history"));
  for (std::string entry; std::getline(entries, entry, ',');) {
    const std::size_t colon = entry.find(':');
    if (colon == std::string::npos) continue;
    past[std::strtoll(entry.c_str(), nullptr, 10)] = std::strtoll(entry.c_str() + colon + 1, nullptr, 10);
  }
  return past;
}

long long Gpu::now_us() const {
  if (const long long fixed = number("now_us"); fixed > 0) return fixed;
  using std::chrono::microseconds;
  return std::chrono::duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool Gpu::lost_on_read() {
  if (number("lost") != 0) return true;
  const long long left = number("lost_after");
  if (left < 0) return false;
  if (left == 0) {
    set("lost", 1);
    return true;
  }
  set("lost_after", left - 1);
  return false;
}

unsigned Gpu::core_mhz() const {
  const bool locks = number("architecture") >= 5;
  unsigned mhz = number("busy") != 0 ? boost_mhz : idle_mhz;
  if (!locks) mhz = static_cast<unsigned>(number("app_core"));
  const long long lock = number("core_lock");
  if (locks && lock > 0 && number("refuse_clock") == 0) mhz = static_cast<unsigned>(lock);
  return number("throttle") != 0 ? std::min(mhz, throttled_mhz) : mhz;
}

unsigned Gpu::memory_mhz() const {
  if (number("architecture") < 7) return static_cast<unsigned>(number("app_memory"));
  const long long lock = number("memory_lock");
  return lock > 0 && number("refuse_clock") == 0 ? static_cast<unsigned>(lock) : memory_default_mhz;
}

unsigned Gpu::reasons() const {
  const auto forced = static_cast<unsigned>(number("throttle"));
  return forced != 0 ? forced : number("busy") != 0 ? 0U : 1U;
}

long long Gpu::power_now_mw() const {
  if (number("busy") == 0) return 85000;
  const double ratio = static_cast<double>(core_mhz()) / boost_mhz;
  return std::min(100000 + static_cast<long long>(400000 * ratio * ratio), number("power_limit_mw"));
}

long long Gpu::power_mw(long long at_us) const {
  const std::map<long long, long long> past = history();
  const auto after = past.upper_bound(at_us);
  if (past.empty()) return power_now_mw();
  return after == past.begin() ? past.begin()->second : std::prev(after)->second;
}

long long Gpu::energy_mj() {
  const long long fall = number("energy_back_mj");
  if (fall > 0) {
    values_["energy_base_mj"] = std::to_string(number("energy_base_mj") - fall);
    values_["energy_back_mj"] = "0";
    changed_ = true;
  }
  const std::map<long long, long long> past = history();
  if (past.empty()) {
    values_["history"] = std::to_string(now_us() - 10000000) + ":" + std::to_string(power_now_mw());
    changed_ = true;
    return energy_mj();
  }
  const long long end = now_us() / counter_step_us * counter_step_us;
  long long nanojoules = 0;  // mW x us
  for (auto entry = past.begin(); entry != past.end(); ++entry) {
    const long long until = std::next(entry) == past.end() ? end : std::min(std::next(entry)->first, end);
    nanojoules += entry->second * std::max(0LL, until - entry->first);
  }
  return number("energy_base_mj") + nanojoules / 1000000;
}

}  // namespace wattune::fake

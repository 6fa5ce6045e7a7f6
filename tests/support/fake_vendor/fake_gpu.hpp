// A simulated GPU whose whole state is a small text file, so that it outlives every process that touches it, as the
// settings of a real one do. The fake vendor libraries (fake_nvml.cpp, fake_amdsmi.cpp) answer from it; tests write it.
// A change is one write of one page under a lock: a process killed at any moment leaves the old state or the new one.
//
// Identity: vendor (nvidia, also when absent; amd), name, uuid, bus, driver, architecture (nvmlDeviceArchitecture_t).
// Settings, what a guard must restore: core_lock, memory_lock (MHz, 0 = unlocked), app_core, app_memory (MHz),
//   power_limit_mw; on an AMD GPU core_low, core_high, memory_low, memory_high (MHz) instead of the locks.
// Load: busy (0 or 1). now_us: the time in microseconds; 0 = the machine's clock.
// Faults: deny (1: setters want privileges), unsupported (comma list: power_samples, power_instant, power_average,
//   energy_counter, temperature, …), lost (1: fallen off the bus), lost_after (reads left until then; -1 = never),
//   refuse_clock (1: a lock is taken but the clock does not follow), fail (comma list of setters that fail: core,
//   memory, power), ignore (the same for setters that say yes and do nothing), throttle (bits of the clock event
//   reasons), energy_back_mj (the counter falls by this once), set_delay_us (a setter takes so long), sets (counts
//   successful setter calls).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace wattune::fake {

class Gpu {
 public:
  /// Opens and locks the file; until destroyed nobody else sees or changes the state.
  explicit Gpu(const std::string& path);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// Writes a fresh GPU (an H200's ranges) to the file.
  static void create(const std::string& path);

  [[nodiscard]] bool ok() const { return file_ >= 0; }
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] long long number(const std::string& key) const;
  [[nodiscard]] bool listed(const std::string& key, const std::string& word) const;
  /// Keeps energy and power history right when the change moves the power.
  void set(const std::string& key, const std::string& value);
  void set(const std::string& key, long long value) { set(key, std::to_string(value)); }
  [[nodiscard]] const std::map<std::string, std::string>& all() const { return values_; }

  [[nodiscard]] long long now_us() const;
  /// Counts a read towards lost_after; true when the device is lost.
  bool lost_on_read();
  [[nodiscard]] unsigned core_mhz() const;
  [[nodiscard]] unsigned memory_mhz() const;
  [[nodiscard]] unsigned reasons() const;
  /// At a time (now and back to the oldest change kept).
  [[nodiscard]] long long power_mw(long long at_us) const;
  /// Since the driver was loaded, in steps of 100 ms; falls once by energy_back_mj.
  long long energy_mj();

 private:
  [[nodiscard]] long long power_now_mw() const;
  [[nodiscard]] std::map<long long, long long> history() const;
  void save();

  int file_ = -1;
  bool changed_ = false;
  std::map<std::string, std::string> values_;
};

/// Files of the simulated GPUs of a vendor: of $WATTUNE_FAKE_GPUS, separated by colons.
std::string gpu_path(unsigned index, const std::string& vendor = "nvidia");
unsigned gpu_count(const std::string& vendor = "nvidia");

}  // namespace wattune::fake

// The settings of a device as they were found, on disk before any of them is changed. A journal is replaced as a whole
// (written beside it, fsync, rename, fsync of the directory): after a crash it is the old one or the new one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/units.hpp"

namespace wattune::device::guard {

struct Entry {
  std::string control;
  std::string state;     ///< found, as the control's restore() takes it
  bool assumed = false;  ///< the driver could not tell: `state` gives the setting back to it
  bool touched = false;  ///< set since then, or about to be
  std::string failure;   ///< why it could not be restored, when that was tried
};

struct Journal {
  std::string device;
  std::string device_name;
  std::string process;  ///< mark of the process (base/process_mark.hpp)
  Seconds since;        ///< system time
  std::vector<Entry> entries;

  [[nodiscard]] Entry* find(std::string_view control);
};

/// Durable when it returns. Throws Error(storage).
void write_journal(const std::string& path, const Journal& journal);
/// Nothing when there is none. Throws Error(storage) for one that is damaged or of a newer version.
std::optional<Journal> read_journal(const std::string& path);
/// Durable when it returns; nothing when there is none. Throws Error(storage).
void remove_journal(const std::string& path);

}  // namespace wattune::device::guard

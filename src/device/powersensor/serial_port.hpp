// A serial line in raw mode that nobody else uses meanwhile.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "wattune/units.hpp"

namespace wattune::device::powersensor {

class SerialPort {
 public:
  /// Throws Error(no_device): not there, not permitted (with the remedy), in use, or no serial line.
  explicit SerialPort(std::string path);
  ~SerialPort();
  SerialPort(const SerialPort&) = delete;
  SerialPort& operator=(const SerialPort&) = delete;

  void write(char command) const;
  /// What is there, waiting for it at most so long; 0 bytes when nothing came. Nothing at all when the line is gone.
  std::optional<std::size_t> read(std::span<unsigned char> bytes, Seconds limit) const;
  /// Waits until something came (true) or `wake` became readable (false).
  [[nodiscard]] bool wait(int wake) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace wattune::device::powersensor

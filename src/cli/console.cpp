#include "cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace wattune::cli {
namespace {

constexpr Seconds terminal_period{0.1};
constexpr Seconds log_period{10.0};

/// Cuts to the width of the terminal, so that the line can be rewritten; counts UTF-8 characters, not bytes.
std::string fitted(const std::string& text) {
  winsize size{};
  const std::size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 120U;
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U && ++characters >= width) return text.substr(0, i);
  }
  return text;
}

}  // namespace

Console::Console(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), last_(-1e9) {}

std::ostream& Console::out() const {
  return std::cout;
}

void Console::notice(const std::string& text) {
  clear();
  std::cerr << text << '\n';
}

void Console::progress(const std::string& text, bool important) {
  if (quiet_) return;
  const Seconds now = real_clock().monotonic();
  if (now - last_ < (terminal_ ? terminal_period : log_period) && !important) return;
  last_ = now;
  if (terminal_) {
    std::cerr << "\r\033[K" << fitted(text) << std::flush;
    line_open_ = true;
  } else {
    std::cerr << text << '\n';
  }
}

void Console::clear() {
  if (!line_open_) return;
  std::cerr << "\r\033[K" << std::flush;
  line_open_ = false;
}

}  // namespace wattune::cli

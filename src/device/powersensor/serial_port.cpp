#include "device/powersensor/serial_port.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "wattune/error.hpp"

namespace wattune::device::powersensor {
namespace {

std::string remedy(int code) {
  if (code == EACCES) return "serial lines belong to a group: sudo usermod -aG dialout $USER, then log in again";
  if (code == EWOULDBLOCK) return "end the other program that reads it";
  return "check WATTUNE_POWERSENSOR, e.g. /dev/ttyACM0";
}

}  // namespace

SerialPort::SerialPort(std::string path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
  const auto refuse = [this](const std::string& what) {
    const int code = errno;
    if (file_ >= 0) ::close(file_);
    throw Error(ExitCode::no_device, what + ": " + std::strerror(code), path_, remedy(code));
  };
  if (file_ < 0) refuse("the power meter cannot be opened");
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) refuse("another program reads the power meter");
  termios settings{};
  if (::tcgetattr(file_, &settings) != 0) refuse("it is no serial line");
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  if (::tcsetattr(file_, TCSANOW, &settings) != 0) refuse("the serial line cannot be set");
}

SerialPort::~SerialPort() {
  ::close(file_);
}

void SerialPort::write(char command) const {
  pollfd waiting{file_, POLLOUT, 0};
  while (::write(file_, &command, 1) < 0) {
    if (errno != EINTR && errno != EAGAIN) return;  // gone: reading tells it
    if (errno == EAGAIN && ::poll(&waiting, 1, 1000) == 0) return;
  }
}

std::optional<std::size_t> SerialPort::read(std::span<unsigned char> bytes, Seconds limit) const {
  pollfd waiting{file_, POLLIN, 0};
  const int ready = ::poll(&waiting, 1, static_cast<int>(std::ceil(limit.value() * 1e3)));
  if (ready == 0 || (ready < 0 && errno == EINTR)) return 0;
  const ssize_t got = ::read(file_, bytes.data(), bytes.size());
  if (got > 0) return static_cast<std::size_t>(got);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
  return std::nullopt;
}

bool SerialPort::wait(int wake) const {
  std::array<pollfd, 2> waiting = {pollfd{file_, POLLIN, 0}, pollfd{wake, POLLIN, 0}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
  return waiting[1].revents == 0;
}

}  // namespace wattune::device::powersensor

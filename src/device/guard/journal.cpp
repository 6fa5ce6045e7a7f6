#include "device/guard/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/format.hpp"
#include "wattune/error.hpp"

namespace wattune::device::guard {
namespace {

constexpr std::string_view first_line = "wattune-journal 1";

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Error(ExitCode::storage, what + ": " + std::strerror(errno), path,
              "nothing is set without a journal: set WATTUNE_STATE_DIR to a directory where you may write");
}

/// A value is the rest of a line.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string text_of(const Journal& journal) {
  std::string text(first_line);
  const auto line = [&](std::string_view key, const std::string& value) {
    text.append("\n").append(key).append(" ").append(one_line(value));
  };
  line("device", journal.device);
  line("name", journal.device_name);
  line("process", journal.process);
  line("since", base::format_fixed(journal.since.value(), 3));
  for (const Entry& entry : journal.entries) {
    line("found", entry.control + " " + entry.state);
    if (entry.assumed) line("assumed", entry.control);
    if (entry.touched) line("touched", entry.control);
    if (!entry.failure.empty()) line("failed", entry.control + " " + entry.failure);
  }
  return text + "\nend\n";
}

void write_whole(int file, const std::string& text, const std::string& path) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) fail("the journal cannot be written", path);
    done += static_cast<std::size_t>(wrote);
  }
}

void sync_directory(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) fail("the directory of journals cannot be opened", directory);
  const bool synced = ::fsync(file) == 0 || errno == EINVAL;  // some file systems have no such thing
  ::close(file);
  if (!synced) fail("the directory of journals cannot be written to disk", directory);
}

void apply(Journal& journal, const std::string& key, const std::string& value) {
  const std::size_t space = value.find(' ');
  const std::string head = value.substr(0, space);
  const std::string rest = space == std::string::npos ? std::string() : value.substr(space + 1);
  if (key == "device") journal.device = value;
  if (key == "name") journal.device_name = value;
  if (key == "process") journal.process = value;
  if (key == "since") journal.since = Seconds(std::strtod(value.c_str(), nullptr));
  if (key == "found") journal.entries.push_back({head, rest, false, false, {}});
  Entry* const entry = journal.find(head);
  if (entry == nullptr) return;
  if (key == "assumed") entry->assumed = true;
  if (key == "touched") entry->touched = true;
  if (key == "failed") entry->failure = rest;
}

}  // namespace

Entry* Journal::find(std::string_view control) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.control == control; });
  return found == entries.end() ? nullptr : &*found;
}

void write_journal(const std::string& path, const Journal& journal) {
  const std::string beside = path + ".new";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) fail("the journal cannot be written", beside);
  try {
    write_whole(file, text_of(journal), beside);
    if (::fsync(file) != 0) fail("the journal cannot be written to disk", beside);
  } catch (...) {
    ::close(file);
    throw;
  }
  ::close(file);
  if (std::rename(beside.c_str(), path.c_str()) != 0) fail("the journal cannot be put in place", path);
  sync_directory(path);
}

std::optional<Journal> read_journal(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    if (errno == ENOENT) return std::nullopt;
    fail("the journal cannot be read", path);
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::istringstream lines(text);
  std::string line;
  Journal journal;
  const bool known = std::getline(lines, line) && line == first_line;
  bool ended = false;
  while (known && !ended && std::getline(lines, line)) {
    ended = line == "end";
    const std::size_t space = line.find(' ');
    if (!ended && space != std::string::npos) apply(journal, line.substr(0, space), line.substr(space + 1));
  }
  if (!known || !ended || journal.device.empty()) {
    throw Error(ExitCode::storage, "this is no journal of this program, or one that was cut", path,
                "look at it; the settings found stand in it as `found NAME STATE`. Remove it when it is done with");
  }
  return journal;
}

void remove_journal(const std::string& path) {
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return;
    fail("the journal cannot be removed", path);
  }
  sync_directory(path);
}

}  // namespace wattune::device::guard

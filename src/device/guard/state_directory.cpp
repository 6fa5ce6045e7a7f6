#include "device/guard/state_directory.hpp"

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "wattune/error.hpp"

namespace wattune::device::guard {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path default_directory() {
  if (const std::string chosen = variable("WATTUNE_STATE_DIR"); !chosen.empty()) return chosen;
  if (const fs::path state = variable("XDG_STATE_HOME"); state.is_absolute()) return state / "wattune";
  const fs::path home = variable("HOME");
  if (home.empty()) {
    throw Error(ExitCode::storage, "no place for the journal of settings: neither WATTUNE_STATE_DIR nor HOME is set",
                {}, "set WATTUNE_STATE_DIR to a directory that outlives this run");
  }
  return home / ".local" / "state" / "wattune";
}

}  // namespace

std::string state_directory(const std::string& chosen) {
  const fs::path directory = chosen.empty() ? default_directory() : fs::path(chosen);
  std::error_code fault;
  if (fs::is_directory(directory, fault)) return directory.string();
  fs::create_directories(directory, fault);
  if (fault) {
    throw Error(ExitCode::storage, "the directory of journals cannot be created: " + fault.message(),
                directory.string(), "set WATTUNE_STATE_DIR to a directory where you may write");
  }
  fs::permissions(directory, fs::perms::owner_all, fault);  // a directory that cannot be closed still serves
  return directory.string();
}

std::string file_stem(const std::string& device_id) {
  std::string stem;
  for (const char c : device_id) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
    stem += plain ? c : '_';
  }
  return stem;
}

std::string journal_path(const std::string& directory, const std::string& device_id) {
  return directory + "/" + file_stem(device_id) + ".journal";
}

std::string lock_path(const std::string& directory, const std::string& device_id) {
  return directory + "/" + file_stem(device_id) + ".lock";
}

}  // namespace wattune::device::guard

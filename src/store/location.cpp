#include "store/location.hpp"

#include <filesystem>
#include <system_error>

#include "wattune/error.hpp"

namespace wattune::store {

std::string default_location(const Environment& environment) {
  if (std::string chosen = environment("WATTUNE_STORE"); !chosen.empty()) return chosen;
  std::filesystem::path data = environment("XDG_DATA_HOME");
  if (!data.is_absolute()) {
    const std::filesystem::path home = environment("HOME");
    if (home.empty()) {
      throw Error(ExitCode::storage, "no place for the store: neither WATTUNE_STORE nor HOME is set", {},
                  "set WATTUNE_STORE to a file name");
    }
    data = home / ".local" / "share";
  }
  const std::filesystem::path folder = data / "wattune";
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) {
    throw Error(ExitCode::storage, "the folder of the store cannot be created: " + fault.message(), folder.string(),
                "set WATTUNE_STORE to a file in a folder where you may write");
  }
  return (folder / "runs.db").string();
}

}  // namespace wattune::store

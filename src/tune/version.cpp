// The program's version, as the top CMakeLists.txt states it (its only place).
#include "wattune/tune.hpp"

namespace wattune {

std::string version() {
  return WATTUNE_VERSION;
}

}  // namespace wattune

#include "base/library.hpp"

#include <dlfcn.h>

namespace wattune::base {

Library Library::open(std::span<const char* const> names) {
  Library library;
  for (const char* name : names) {
    library.handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library.handle_ != nullptr) {
      library.name_ = name;
      library.error_.clear();
      return library;
    }
    const char* reason = dlerror();
    if (!library.error_.empty()) library.error_ += "; ";
    library.error_ += reason != nullptr ? reason : name;
  }
  return library;
}

void* Library::symbol(const char* name) const {
  return handle_ != nullptr ? dlsym(handle_, name) : nullptr;
}

}  // namespace wattune::base

// Vendor libraries found at run time: nothing of theirs is needed to build, and a missing one is an answer, not a
// crash.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wattune::base {

/// A shared library opened with RTLD_NOW | RTLD_LOCAL; closed never (drivers do not survive it).
class Library {
 public:
  /// Tries the names in order. Check `loaded()`; `error()` then says what was tried and what the loader answered.
  static Library open(std::span<const char* const> names);

  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& error() const { return error_; }

  /// Address of a function, or null.
  [[nodiscard]] void* symbol(const char* name) const;

  /// Fills `function` from `name`; false when the library has no such symbol.
  template <class Function>
  bool load(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(symbol(name));  // NOLINT: this is what dlsym is for
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string name_;
  std::string error_;
};

}  // namespace wattune::base

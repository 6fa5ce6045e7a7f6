# Sourced by the checks: the C++ files that are held to the project's style. Kernel sources (.cl, .cu), what others wrote
# (schemas/) and the inputs of tests of the checks (tests/tools/) are not.

all_sources() {
  find src include tests bench examples -path tests/tools -prune -o \( -name '*.cpp' -o -name '*.hpp' \) -print | LC_ALL=C sort
}

# Different versions of the LLVM tools disagree with each other; the project is held to one of them, Debian 12's.
llvm_major=14
require_llvm() {  # require_llvm clang-format: leaves with 77 (skipped) where this version is not there
  local found
  found=$("$1" --version 2>/dev/null | grep -oE 'version [0-9]+' | grep -oE '[0-9]+' || true)
  [ "$found" = "$llvm_major" ] && return
  echo "skipped: $1 $llvm_major is needed, ${found:-none} is here"
  exit 77
}

// Uses an installed Wattune from outside: reads a spec (TOML, so that a compiled dependency is linked), enumerates its
// space, and prints both counts.
#include <iostream>
#include <wattune/error.hpp>
#include <wattune/formats.hpp>
#include <wattune/tune.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const wattune::Space space = wattune::build_space(wattune::read_spec(argv[1]));
    std::cout << "wattune " << wattune::version() << ": " << space.size() << " of "
              << static_cast<unsigned long long>(space.cartesian_size()) << '\n';
  } catch (const wattune::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

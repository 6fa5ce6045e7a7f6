// Makes, shows and changes a simulated GPU from scripts.
// Usage: fake_gpu create FILE [KEY=VALUE...] | set FILE KEY=VALUE... | get FILE KEY
#include <iostream>
#include <string>

#include "fake_gpu.hpp"

int main(int argc, char** argv) {
  const std::string verb = argc > 2 ? argv[1] : "";
  if (verb != "create" && verb != "set" && verb != "get") {
    std::cerr << "usage: fake_gpu create FILE [KEY=VALUE...] | set FILE KEY=VALUE... | get FILE KEY\n";
    return 2;
  }
  if (verb == "create") wattune::fake::Gpu::create(argv[2]);
  wattune::fake::Gpu gpu(argv[2]);
  if (!gpu.ok()) {
    std::cerr << "cannot open " << argv[2] << '\n';
    return 1;
  }
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    if (verb == "get") {
      std::cout << gpu.text(word) << '\n';
    } else if (equals != std::string::npos) {
      gpu.set(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  return 0;
}

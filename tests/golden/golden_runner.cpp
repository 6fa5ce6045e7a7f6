// Runs the commands of a golden file <name>.cmd (shell, `wattune` is the program under test) and holds what they print,
// stdout and stderr together and the exit code as a last line, to the patterns in <name>.out beside it.
// Usage: golden_runner PROGRAM FILE.cmd [--show]      --show prints what came instead, to write the .out from.
// Each run has its own store, caches and home; the working directory is the caller's (ctest: the project's root).
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "pattern.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();  // CSV ends lines with CR LF (RFC 4180)
    lines.push_back(line);
  }
  return lines;
}

std::string read(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder that is gone when the run ends.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "wattune-golden-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder for the run");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;  // a leftover in the system's folder for such things harms nobody
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// What the script prints, ended by "exit code N".
std::string output_of(const fs::path& program, const fs::path& script) {
  const Scratch scratch;
  fs::create_symlink(fs::absolute(program), scratch.path() / "wattune");
  const std::string here = scratch.path().string();
  setenv("PATH", (here + ":" + std::getenv("PATH")).c_str(), 1);
  for (const auto& [name, value] :
       {std::pair("HOME", here), std::pair("SCRATCH", here), std::pair("XDG_DATA_HOME", here + "/share"),
        std::pair("XDG_CACHE_HOME", here + "/cache"), std::pair("POCL_CACHE_DIR", here + "/pocl"),
        std::pair("WATTUNE_STORE", here + "/runs.db")}) {
    setenv(name, value.c_str(), 1);
  }
  fs::create_directory(scratch.path() / "pocl");
  FILE* pipe = popen(("sh " + fs::absolute(script).string() + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start sh");
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), got);
  const int status = pclose(pipe);
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text + "exit code " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)) + '\n';
}

int compare(const fs::path& expected_path, const std::string& text) {
  const std::vector<std::string> expected = lines_of(read(expected_path));
  const std::vector<std::string> output = lines_of(text);
  const auto differs = wattune::golden::first_mismatch(expected, output);
  if (!differs) return 0;
  const auto line = [](const std::vector<std::string>& lines, std::size_t at) {
    return at < lines.size() ? lines[at] : std::string("(end)");
  };
  std::cout << text << "--\n"
            << expected_path.string() << ':' << differs->pattern_line + 1
            << ": expected: " << line(expected, differs->pattern_line) << "\n  came, as line "
            << differs->output_line + 1 << ": " << line(output, differs->output_line) << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: golden_runner PROGRAM FILE.cmd [--show]\n";
    return 2;
  }
  try {
    const std::string text = output_of(argv[1], argv[2]);
    if (argc > 3) {
      std::cout << text;
      return 0;
    }
    return compare(fs::path(argv[2]).replace_extension(".out"), text);
  } catch (const std::exception& fault) {
    std::cerr << "golden_runner: " << fault.what() << '\n';
    return 2;
  }
}

#include "engine/cuda/nvrtc_api.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/library.hpp"

namespace wattune::engine::cuda {
namespace {

namespace fs = std::filesystem;

struct Name {
  int major;
  const char* file;
};
constexpr std::array names = {Name{14, "libnvrtc.so.14"}, Name{13, "libnvrtc.so.13"}, Name{12, "libnvrtc.so.12"},
                              Name{11, "libnvrtc.so.11.2"}};

/// Folders of toolkits: those of the environment, then /usr/local/cuda and its numbered neighbours, newest first.
std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') folders.emplace_back(value);
  }
  std::vector<std::string> numbered;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored)) {
    if (entry.path().filename().string().starts_with("cuda-")) numbered.push_back(entry.path().string());
  }
  std::sort(numbered.rbegin(), numbered.rend());
  folders.emplace_back("/usr/local/cuda");
  folders.insert(folders.end(), numbered.begin(), numbered.end());
  return folders;
}

/// Every file name to try, in order.
std::vector<std::string> candidates(int driver_major) {
  std::vector<Name> order(names.begin(), names.end());
  std::stable_partition(order.begin(), order.end(),
                        [&](const Name& name) { return driver_major == 0 || name.major <= driver_major; });
  std::vector<std::string> files;
  for (const Name& name : order) {
    files.emplace_back(name.file);
    for (const std::string& folder : toolkit_folders()) {
      for (const char* sub : {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/"}) {
        std::string file = folder + sub + name.file;
        std::error_code ignored;
        if (fs::exists(file, ignored)) files.push_back(std::move(file));
      }
    }
  }
  return files;
}

std::string fill(NvrtcApi& api, const base::Library& library) {
  std::string missing;
  const auto need = [&](auto& function, const char* name) {
    if (!library.load(function, name) && missing.empty()) missing = name;
  };
  need(api.version, "nvrtcVersion");
  need(api.get_error_string, "nvrtcGetErrorString");
  need(api.create_program, "nvrtcCreateProgram");
  need(api.destroy_program, "nvrtcDestroyProgram");
  need(api.compile_program, "nvrtcCompileProgram");
  need(api.add_name_expression, "nvrtcAddNameExpression");
  need(api.get_lowered_name, "nvrtcGetLoweredName");
  need(api.get_log_size, "nvrtcGetProgramLogSize");
  need(api.get_log, "nvrtcGetProgramLog");
  need(api.get_ptx_size, "nvrtcGetPTXSize");
  need(api.get_ptx, "nvrtcGetPTX");
  library.load(api.get_cubin_size, "nvrtcGetCUBINSize");
  library.load(api.get_cubin, "nvrtcGetCUBIN");
  library.load(api.get_architecture_count, "nvrtcGetNumSupportedArchs");
  library.load(api.get_architectures, "nvrtcGetSupportedArchs");
  return missing;
}

/// The folders with cuda_fp16.h and the like that belong to the library in `path`.
std::vector<std::string> include_folders(const std::string& path) {
  std::vector<fs::path> roots;
  const fs::path folder = fs::path(path).parent_path();
  roots.push_back(folder.parent_path());                              // <toolkit>/lib64
  roots.push_back(folder.parent_path().parent_path().parent_path());  // <toolkit>/targets/<machine>/lib
  for (const std::string& toolkit : toolkit_folders()) roots.emplace_back(toolkit);
  for (const fs::path& root : roots) {
    std::error_code ignored;
    if (!fs::exists(root / "include" / "cuda_fp16.h", ignored)) continue;
    std::vector<std::string> found{(root / "include").string()};
    if (fs::exists(root / "include" / "cccl", ignored)) found.push_back((root / "include" / "cccl").string());
    return found;
  }
  return {};
}

LoadedNvrtc load(int driver_major) {
  LoadedNvrtc loaded;
  const std::vector<std::string> files = candidates(driver_major);
  std::vector<const char*> pointers;
  pointers.reserve(files.size());
  for (const std::string& file : files) pointers.push_back(file.c_str());
  const base::Library library = base::Library::open(pointers);
  if (!library.loaded()) {
    loaded.problem = {"cuda", "no NVRTC, the run-time compiler of CUDA: libnvrtc.so.13, .12 or .11.2 were not found",
                      "install it (package cuda-nvrtc-13-0 or nvidia-cuda-toolkit), or set CUDA_HOME to a toolkit"};
    return loaded;
  }
  NvrtcApi api;
  if (const std::string missing = fill(api, library); !missing.empty()) {
    loaded.problem = {"cuda", library.name() + " has no " + missing, "install a newer NVRTC"};
    return loaded;
  }
  Dl_info where{};
  loaded.path = library.name();
  if (dladdr(reinterpret_cast<void*>(api.version), &where) != 0 &&
      where.dli_fname != nullptr) {  // NOLINT: dlfcn's interface
    std::error_code ignored;
    const fs::path real = fs::canonical(where.dli_fname, ignored);
    if (!real.empty()) loaded.path = real.string();
  }
  loaded.include_folders = include_folders(loaded.path);
  loaded.api = api;
  return loaded;
}

}  // namespace

const LoadedNvrtc& load_nvrtc(int driver_major) {
  static const LoadedNvrtc loaded = load(driver_major);
  return loaded;
}

}  // namespace wattune::engine::cuda

// Puts the fake vendor libraries in the loader's place for a test program: once a library of that name is open, opening
// it by name gives the same. Each test has a simulated GPU of its own.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "fake_gpu.hpp"

namespace wattune::fake {

/// Call before the first use of the vendor's library in this process.
inline void* open_fake(const char* file) {
  void* library = dlopen((std::string(WATTUNE_FAKE_VENDOR_DIR) + "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library;
}

/// A fixture with a fresh GPU, a state directory and the fake NVML.
class GpuTest : public ::testing::Test {
 protected:
  GpuTest() : folder_(std::filesystem::temp_directory_path() / ("wattune-fake-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    gpu_file_ = (folder_ / "gpu").string();
    Gpu::create(gpu_file_);
    setenv("WATTUNE_FAKE_GPUS", gpu_file_.c_str(), 1);
    setenv("WATTUNE_STATE_DIR", (folder_ / "state").c_str(), 1);
    unsetenv("WATTUNE_NO_CONTROL");
    static void* const library = open_fake("libnvidia-ml.so.1");
    EXPECT_NE(library, nullptr);
  }
  ~GpuTest() override { std::filesystem::remove_all(folder_); }

  void put(const std::string& key, const std::string& value) const { Gpu(gpu_file_).set(key, value); }
  void put(const std::string& key, long long value) const { Gpu(gpu_file_).set(key, value); }
  [[nodiscard]] std::string get(const std::string& key) const { return Gpu(gpu_file_).text(key); }
  [[nodiscard]] std::filesystem::path state_directory() const { return folder_ / "state"; }

  static constexpr const char* id = "nvml:GPU-00000000-fake-0000-0000-000000000001";
  std::filesystem::path folder_;
  std::string gpu_file_;
};

}  // namespace wattune::fake

// A real engine for tests that need one, and the small conversions such tests share.
// Skips where the machine has no device of the kind; gives each process its own PoCL cache.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wattune/engine.hpp"

namespace wattune::support {

/// A folder for PoCL's compiled kernels that goes away with the process.
class PoclCache {
 public:
  PoclCache() : path_(std::filesystem::temp_directory_path() / ("wattune-pocl-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
    setenv("POCL_CACHE_DIR", path_.c_str(), 1);
  }
  ~PoclCache() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::filesystem::path path_;
};

/// The engine for `device`, or null with the reason in `why`. Opened once a process and device.
inline std::unique_ptr<Engine> try_open(const std::string& device, std::string& why) {
  static const PoclCache cache;
  try {
    return open_engine(device);
  } catch (const Error& error) {
    why = error.what();
    return nullptr;
  }
}

template <class T>
ArgumentData buffer_of(const std::string& name, const std::vector<T>& values, ElementType type,
                       ArgumentKind kind = ArgumentKind::buffer) {
  ArgumentData data;
  data.name = name;
  data.kind = kind;
  data.type = type;
  const auto bytes = std::as_bytes(std::span(values));
  data.bytes.assign(bytes.begin(), bytes.end());
  return data;
}

template <class T>
ArgumentData scalar_of(const std::string& name, T value, ElementType type) {
  return buffer_of(name, std::vector<T>{value}, type, ArgumentKind::scalar);
}

inline ArgumentData local_of(const std::string& name, std::size_t bytes) {
  ArgumentData data;
  data.name = name;
  data.kind = ArgumentKind::local;
  data.local_bytes = bytes;
  return data;
}

template <class T>
std::vector<T> read_back(DeviceArguments& arguments, std::size_t index, std::size_t count) {
  std::vector<T> values(count);
  arguments.read(index, std::as_writable_bytes(std::span<T>(values)));
  return values;
}

inline CompileRequest request_for(const std::string& kernel, const std::string& source, Language language) {
  CompileRequest request;
  request.kernel = kernel;
  request.source = source;
  request.source_name = "test.cl";
  request.language = language;
  return request;
}

}  // namespace wattune::support

/// Opens `engine` or skips the test.
#define WATTUNE_OPEN_OR_SKIP(engine, device)                      \
  std::string engine##_why;                                       \
  auto engine = wattune::support::try_open(device, engine##_why); \
  if (engine == nullptr) GTEST_SKIP() << "skipped: " << engine##_why

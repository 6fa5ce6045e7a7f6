// An engine that runs host functions in place of kernels, with times that a test decides. Deterministic, never waits.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/engine.hpp"

namespace wattune::testing {

using Definitions = std::map<std::string, std::string>;

/// Arguments in host memory.
class FakeArguments final : public DeviceArguments {
 public:
  explicit FakeArguments(std::span<const ArgumentData> data) {
    for (const ArgumentData& item : data) buffers.push_back(item.bytes);
  }
  [[nodiscard]] std::size_t count() const override { return buffers.size(); }
  void write(std::size_t index, std::span<const std::byte> bytes) override {
    buffers.at(index).assign(bytes.begin(), bytes.end());
  }
  void read(std::size_t index, std::span<std::byte> bytes) override {
    std::memcpy(bytes.data(), buffers.at(index).data(), bytes.size());
  }
  void set_local_bytes(std::size_t, std::size_t) override {}

  template <class T>
  T* as(std::size_t index) {
    return reinterpret_cast<T*>(buffers.at(index).data());
  }
  template <class T>
  std::size_t elements(std::size_t index) {
    return buffers.at(index).size() / sizeof(T);
  }
  std::vector<std::vector<std::byte>> buffers;
};

struct FakeKernel final : CompiledKernel {
  std::string name;
  Definitions definitions;
};

/// What the tests decide.
struct FakeBehaviour {
  /// Status and message of compiling a kernel with these definitions.
  std::function<std::pair<Status, std::string>(const std::string& name, const Definitions&)> compile =
      [](const auto&, const auto&) { return std::pair(Status::correct, std::string()); };
  /// Device time of one launch.
  std::function<Seconds(const FakeKernel&, std::uint64_t launch)> time = [](const auto&, std::uint64_t) {
    return Seconds(1e-3);
  };
  /// What the kernel does to its arguments.
  std::function<void(const FakeKernel&, FakeArguments&, const Geometry&)> body = [](const auto&, auto&, const auto&) {};
  /// Failure of a launch; message empty = none. `fatal` loses the context.
  std::function<RunResult(const FakeKernel&)> fail = [](const auto&) { return RunResult{}; };
  /// What rebuilding a lost context comes to; may throw.
  std::function<void()> recover = [] {};
};

class FakeEngine final : public Engine {
 public:
  explicit FakeEngine(FakeBehaviour behaviour, ManualClock& clock) : behaviour_(std::move(behaviour)), clock_(clock) {
    description_.id = "fake:0";
    description_.kind = "gpu";
    description_.interface_name = "fake";
    description_.name = "Fake GPU";
    description_.uuid = "GPU-fake";
    description_.driver = "1.0";
    description_.max_block_threads = 1024;
    description_.max_block = {1024, 1024, 64};
    description_.local_memory_bytes = 49152;
  }

  [[nodiscard]] const DeviceDescription& describe() const override { return description_; }
  [[nodiscard]] bool accepts(Language) const override { return true; }

  CompileResult compile(const CompileRequest& request) override {
    ++compiles;
    auto kernel = std::make_unique<FakeKernel>();
    kernel->name = request.kernel;
    for (const auto& [name, body] : request.definitions) kernel->definitions[name] = body;
    CompileResult result;
    std::tie(result.status, result.message) = behaviour_.compile(request.kernel, kernel->definitions);
    if (result.status == Status::correct) result.kernel = std::move(kernel);
    return result;
  }

  std::unique_ptr<DeviceArguments> upload(std::span<const ArgumentData> arguments) override {
    return std::make_unique<FakeArguments>(arguments);
  }

  RunResult run(CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                const RunOptions& options) override {
    auto& fake = dynamic_cast<FakeKernel&>(kernel);
    RunResult result = behaviour_.fail(fake);
    if (result.status != Status::correct) return result;
    result.window_begin = clock_.monotonic();
    for (std::uint32_t i = 0; i < options.repeats; ++i) {
      behaviour_.body(fake, dynamic_cast<FakeArguments&>(arguments), geometry);
      const Seconds time = behaviour_.time(fake, launches++);
      if (options.timed) result.times.push_back(time);
      clock_.advance(time);
    }
    result.window_end = clock_.monotonic();
    result.system_begin = result.window_begin;
    result.system_end = result.window_end;
    return result;
  }
  void recover() override {
    ++recoveries;
    behaviour_.recover();
  }

  std::uint64_t compiles = 0;
  std::uint64_t launches = 0;
  std::uint64_t recoveries = 0;
  DeviceDescription description_;

 private:
  FakeBehaviour behaviour_;
  ManualClock& clock_;
};

}  // namespace wattune::testing

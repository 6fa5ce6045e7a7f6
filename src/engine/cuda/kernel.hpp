// A compiled CUDA kernel, loaded on its device when it is first asked for, with what the driver says of its needs.
// Compiling may happen on any thread while launches are timed; loading touches the context and therefore waits for the
// engine's own thread.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/compiler.hpp"
#include "engine/cuda/context.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::cuda {

class Kernel final : public CompiledKernel {
 public:
  /// `image` must be correct.
  Kernel(SharedContext context, Image image);
  ~Kernel() override;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// 0 when the driver does not load the kernel.
  [[nodiscard]] std::uint32_t registers() const override;
  [[nodiscard]] std::uint64_t local_bytes() const override;
  [[nodiscard]] std::uint32_t max_block_threads() const override;

  /// Loads on the first call. Status correct, compile (the driver refuses the code) or runtime (too many resources).
  [[nodiscard]] Status load() const;
  /// After a failed load(): why.
  [[nodiscard]] const std::string& message() const { return loaded_.message; }
  /// True when the load failed because the context is spoilt.
  [[nodiscard]] bool fatal() const { return loaded_.fatal; }

  // After a successful load():
  [[nodiscard]] const SharedContext& context() const { return context_; }
  [[nodiscard]] FunctionObject* function() const { return loaded_.function; }
  [[nodiscard]] ModuleObject* module() const { return loaded_.module; }
  /// Sizes of the kernel's parameters; only meaningful when `knows_parameters()`.
  [[nodiscard]] const std::vector<std::size_t>& parameters() const { return loaded_.parameters; }
  [[nodiscard]] bool knows_parameters() const { return loaded_.knows_parameters; }

 private:
  struct Loaded {
    bool tried = false;
    Status status = Status::correct;
    std::string message;
    bool fatal = false;
    ModuleObject* module = nullptr;
    FunctionObject* function = nullptr;
    std::uint32_t registers = 0;
    std::uint32_t max_threads = 0;
    std::uint64_t shared_bytes = 0;
    std::vector<std::size_t> parameters;
    bool knows_parameters = false;
  };

  void load_module() const;
  void ask_attributes() const;
  void ask_parameters() const;

  SharedContext context_;
  mutable Image image_;  ///< its bytes are dropped once loaded
  mutable Loaded loaded_;
};

}  // namespace wattune::engine::cuda

// A CUDA kernel loaded on its device, with what the driver says of its needs.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/compiler.hpp"
#include "engine/cuda/context.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::cuda {

class Kernel final : public CompiledKernel {
 public:
  /// Takes over `module`.
  Kernel(SharedContext context, ModuleObject* module, FunctionObject* function);
  ~Kernel() override;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  [[nodiscard]] std::uint32_t registers() const override { return registers_; }
  [[nodiscard]] std::uint64_t local_bytes() const override { return shared_bytes_; }
  [[nodiscard]] std::uint32_t max_block_threads() const override { return max_threads_; }

  [[nodiscard]] const SharedContext& context() const { return context_; }
  [[nodiscard]] FunctionObject* function() const { return function_; }
  [[nodiscard]] ModuleObject* module() const { return module_; }
  /// Sizes of the kernel's parameters; only meaningful when `knows_parameters()`.
  [[nodiscard]] const std::vector<std::size_t>& parameters() const { return parameters_; }
  [[nodiscard]] bool knows_parameters() const { return knows_parameters_; }

 private:
  void ask_parameters();

  SharedContext context_;
  ModuleObject* module_;
  FunctionObject* function_;
  std::uint32_t registers_ = 0;
  std::uint32_t max_threads_ = 0;
  std::uint64_t shared_bytes_ = 0;
  std::vector<std::size_t> parameters_;
  bool knows_parameters_ = false;
};

/// Loads a compiled image; a failed image is passed on as its status.
CompileResult load_kernel(const SharedContext& context, const Image& image);

}  // namespace wattune::engine::cuda

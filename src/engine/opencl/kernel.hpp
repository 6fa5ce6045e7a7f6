// A kernel built by an OpenCL driver, with what the driver says of its needs.
#pragma once

#include "engine/opencl/session.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::opencl {

class Kernel final : public CompiledKernel {
 public:
  /// Takes over `program` and `kernel`.
  Kernel(SharedSession session, cl_program program, cl_kernel kernel);
  ~Kernel() override;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  [[nodiscard]] std::uint64_t local_bytes() const override { return local_bytes_; }
  [[nodiscard]] std::uint32_t max_block_threads() const override { return max_block_threads_; }

  [[nodiscard]] cl_kernel handle() const { return kernel_; }
  [[nodiscard]] const SharedSession& session() const { return session_; }
  [[nodiscard]] std::uint32_t parameters() const { return parameters_; }

 private:
  SharedSession session_;
  cl_program program_;
  cl_kernel kernel_;
  std::uint64_t local_bytes_ = 0;
  std::uint32_t max_block_threads_ = 0;
  std::uint32_t parameters_ = 0;
};

/// Builds `request` for the session's device. Nothing is thrown for a source that does not compile.
CompileResult build(const SharedSession& session, const CompileRequest& request);

}  // namespace wattune::engine::opencl

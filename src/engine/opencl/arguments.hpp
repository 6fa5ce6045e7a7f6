// A kernel's arguments on an OpenCL device: buffers in global memory, scalars and local sizes kept on the host.
// Constant arguments are read-only buffers; the kernel's __constant qualifier does the rest.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/opencl/session.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::opencl {

class Arguments final : public DeviceArguments {
 public:
  /// Throws Error(device) when the device's memory does not suffice, Error(bad_input) for an empty buffer.
  Arguments(SharedSession session, std::span<const ArgumentData> arguments);
  ~Arguments() override;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  [[nodiscard]] std::size_t count() const override { return entries_.size(); }
  void write(std::size_t index, std::span<const std::byte> bytes) override;
  void read(std::size_t index, std::span<std::byte> bytes) override;
  void set_local_bytes(std::size_t index, std::size_t bytes) override;

  /// Hands all arguments to `kernel`; "" or what was wrong.
  [[nodiscard]] std::string bind(cl_kernel kernel) const;
  /// Sum of the local arguments' sizes.
  [[nodiscard]] std::size_t local_bytes() const;
  [[nodiscard]] const SharedSession& session() const { return session_; }

 private:
  struct Entry {
    std::string name;
    ArgumentKind kind = ArgumentKind::buffer;
    std::vector<std::byte> scalar;
    std::size_t bytes = 0;  ///< size of the buffer, the scalar or the local memory
    cl_mem memory = nullptr;
  };

  Entry& checked(std::size_t index, std::size_t bytes);
  void allocate(Entry& entry, std::span<const std::byte> bytes);
  void release();

  SharedSession session_;
  std::vector<Entry> entries_;
};

}  // namespace wattune::engine::opencl

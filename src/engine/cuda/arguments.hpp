// A kernel's arguments on a CUDA device: buffers in plain device memory (never managed), scalars kept on the host.
// A constant argument fills the __constant__ symbol of its name where the kernel's module has one, and is then no
// parameter; otherwise it is passed as a pointer. A local argument only adds to the dynamic shared memory.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/context.hpp"
#include "engine/cuda/kernel.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::cuda {

class Arguments final : public DeviceArguments {
 public:
  /// Throws Error(device) when the device's memory does not suffice, Error(bad_input) for an empty buffer.
  Arguments(SharedContext context, std::span<const ArgumentData> arguments);
  ~Arguments() override;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  [[nodiscard]] std::size_t count() const override { return entries_.size(); }
  void write(std::size_t index, std::span<const std::byte> bytes) override;
  void read(std::size_t index, std::span<std::byte> bytes) override;
  void set_local_bytes(std::size_t index, std::size_t bytes) override;

  [[nodiscard]] const SharedContext& context() const { return context_; }

  /// What cuLaunchKernel wants: pointers to each parameter, valid until the arguments change.
  struct Bound {
    std::vector<void*> parameters;
    std::uint64_t shared_bytes = 0;
    std::string problem;    ///< not empty: the arguments do not suit the kernel
    Result code = success;  ///< of the driver, when it caused the problem
  };
  /// Fills the kernel's constant symbols and lists its parameters.
  Bound bind(const Kernel& kernel);

 private:
  struct Entry {
    std::string name;
    ArgumentKind kind = ArgumentKind::buffer;
    std::vector<std::byte> scalar;
    std::size_t bytes = 0;
    Address address = 0;
  };

  Entry& checked(std::size_t index, std::size_t bytes);
  void allocate(Entry& entry, std::span<const std::byte> bytes);
  void copy_in(const Entry& entry, std::span<const std::byte> bytes);
  bool fill_symbol(const Kernel& kernel, const Entry& entry, Bound& bound);
  void release();

  SharedContext context_;
  std::vector<Entry> entries_;
};

}  // namespace wattune::engine::cuda

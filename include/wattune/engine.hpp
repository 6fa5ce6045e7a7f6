// The port to a programming interface that compiles and launches kernels (OpenCL, CUDA, …).
// Room `engine`. An engine drives one device. Expected failure of a kernel is a Status with the compiler's or driver's
// first lines; an Error is thrown only when the machine itself is unusable. Nothing about power in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/error.hpp"
#include "wattune/kernel_profile.hpp"
#include "wattune/spec.hpp"
#include "wattune/status.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// What an engine knows of its device. Zero or empty = not known.
struct DeviceDescription {
  std::string id;              ///< what --device accepts: "cuda:0", "opencl:1:0"
  std::string kind;            ///< "gpu", "cpu", "accelerator", "virtual"
  std::string interface_name;  ///< "cuda", "opencl", "virtual"
  std::string name;
  std::string vendor;
  std::string uuid;          ///< "GPU-…" where there is one, else a stable text made of platform and device names
  std::string pci_bus;       ///< "0000:3b:00.0"
  std::string driver;        ///< version of the driver
  std::string architecture;  ///< "sm_90"
  std::uint32_t compute_units = 0;
  std::uint32_t max_block_threads = 0;
  std::array<std::uint32_t, 3> max_block{};
  std::uint64_t local_memory_bytes = 0;        ///< per block without opting in
  std::uint64_t local_memory_optin_bytes = 0;  ///< per block at most
  std::uint64_t last_level_cache_bytes = 0;
  std::uint64_t global_memory_bytes = 0;
  Hertz max_core_clock;
  Hertz max_memory_clock;
};

struct CompileRequest {
  std::string kernel;       ///< function name or CUDA name expression
  std::string source;       ///< whole source text
  std::string source_name;  ///< for messages
  Language language = Language::opencl;
  std::vector<std::string> options;
  std::vector<std::pair<std::string, std::string>> definitions;  ///< macro name -> body, in order
  std::optional<KernelProfile> profile;  ///< what the kernel asks of a device; a virtual GPU runs this instead
};

/// A compiled kernel; belongs to the engine that made it and must not outlive it.
class CompiledKernel {
 public:
  virtual ~CompiledKernel() = default;
  [[nodiscard]] virtual std::uint32_t registers() const { return 0; }          ///< per thread; 0 = not known
  [[nodiscard]] virtual std::uint64_t local_bytes() const { return 0; }        ///< static local/shared memory per block
  [[nodiscard]] virtual std::uint32_t max_block_threads() const { return 0; }  ///< for this kernel; 0 = not known
};

struct CompileResult {
  Status status = Status::correct;         ///< correct, compile or runtime (too many resources)
  std::string message;                     ///< the compiler's first lines on failure
  std::unique_ptr<CompiledKernel> kernel;  ///< on success
};

/// One argument, ready to be uploaded: buffers carry their initial bytes.
struct ArgumentData {
  std::string name;
  ArgumentKind kind = ArgumentKind::buffer;
  ElementType type = ElementType::f32;
  std::vector<std::byte> bytes;  ///< buffer, constant: contents; scalar: one element
  std::size_t local_bytes = 0;   ///< local: size
};

/// Arguments living on the device; belongs to the engine that made it and must not outlive it.
class DeviceArguments {
 public:
  virtual ~DeviceArguments() = default;
  [[nodiscard]] virtual std::size_t count() const = 0;
  /// Overwrites a buffer or scalar; the size must be as uploaded.
  virtual void write(std::size_t index, std::span<const std::byte> bytes) = 0;
  /// Reads a buffer back; the size must be as uploaded.
  virtual void read(std::size_t index, std::span<std::byte> bytes) = 0;
  /// Changes the size of a local argument (it may depend on the configuration).
  virtual void set_local_bytes(std::size_t index, std::size_t bytes) = 0;
};

struct Geometry {
  std::array<std::uint64_t, 3> grid{1, 1, 1};   ///< blocks
  std::array<std::uint32_t, 3> block{1, 1, 1};  ///< threads per block
  std::uint64_t shared_bytes = 0;               ///< dynamic local/shared memory
};

struct RunOptions {
  std::uint32_t repeats = 1;
  bool cold = false;               ///< flush the last-level cache before each launch (outside the timed part)
  std::uint32_t queue_depth = 32;  ///< launches in flight at most
  bool timed = true;               ///< false: launches follow each other as closely as they can, `times` stays empty
};

struct RunResult {
  Status status = Status::correct;  ///< correct, runtime, or compile (drivers may finish compiling at the first launch)
  std::string message;
  bool fatal = false;  ///< the engine's context is lost (e.g. an illegal address): call recover() before going on
  std::vector<Seconds> times;        ///< device time of each launch, in order
  Seconds window_begin, window_end;  ///< monotonic, host clock, around all launches
  Seconds system_begin, system_end;  ///< the same in system time
};

/// Drives one device. Not thread-safe; one thread at a time.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual const DeviceDescription& describe() const = 0;
  /// True when the engine can compile this language (OpenCL C, CUDA C++).
  [[nodiscard]] virtual bool accepts(Language language) const = 0;
  virtual CompileResult compile(const CompileRequest& request) = 0;
  /// True when compile() may be called from several threads at once (and while run() is under way).
  [[nodiscard]] virtual bool compiles_concurrently() const { return false; }
  /// Throws Error(device) when memory is not sufficient.
  virtual std::unique_ptr<DeviceArguments> upload(std::span<const ArgumentData> arguments) = 0;
  virtual RunResult run(CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                        const RunOptions& options) = 0;
  /// Rebuilds the context after a fatal failure; every kernel and argument made before is invalid afterwards.
  virtual void recover() = 0;
  /// Confines later launches to `compute_units` of the device (0: all). False where the device cannot do it.
  virtual bool partition(std::uint32_t compute_units) { return compute_units == 0; }
  /// The core clock at this moment, from a kernel that reads cycle counter and timer; nothing where the interface has
  /// no such timer. Takes well under a millisecond, so that it sees the clock of the launches right before it.
  virtual std::optional<Hertz> probe_core_clock() { return std::nullopt; }
};

/// A device that could be opened, without opening it; or a reason why an interface is absent.
struct EngineListing {
  std::vector<DeviceDescription> devices;  ///< best first: CUDA GPUs, OpenCL GPUs, OpenCL CPUs
  std::vector<Problem> absent;             ///< e.g. {"cuda", "no CUDA driver (libcuda.so.1 not found)", "install …"}
};
EngineListing list_engines();

/// Opens "cuda:0", "opencl:1:0", "cuda", "opencl", "gpu", "cpu", "auto" (best first), a UUID or a part of a name; or a
/// virtual GPU, "virtual:a100?noise=0" (docs/virtual-gpu.md), which nothing else chooses. Throws Error(no_device)
/// listing what there is.
std::unique_ptr<Engine> open_engine(const std::string& device, Clock& clock = real_clock());

/// True for the id of a GPU that is only simulated ("virtual:…"), whatever follows.
bool is_virtual(const std::string& device);

/// The clock on which such a device is used without waiting; null for a device that exists (real_clock() is its clock).
std::unique_ptr<Clock> simulated_clock_for(const std::string& device);

}  // namespace wattune

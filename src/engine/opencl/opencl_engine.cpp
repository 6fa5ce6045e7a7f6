#include "engine/opencl/opencl_engine.hpp"

#include <algorithm>
#include <deque>

#include "engine/opencl/arguments.hpp"
#include "engine/opencl/kernel.hpp"

namespace wattune::engine::opencl {
namespace {

constexpr std::uint64_t default_cache_bytes = 64ULL << 20U;
constexpr std::uint64_t scratch_limit = 1ULL << 30U;

/// Errors that say "the source did not become code", which PoCL reports only when a launch tells it the block size.
bool is_late_compile_failure(cl_int code) {
  return code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_PROGRAM_EXECUTABLE ||
         code == CL_COMPILE_PROGRAM_FAILURE || code == CL_LINK_PROGRAM_FAILURE;
}

void fail_launch(RunResult& result, cl_int code) {
  if (result.status != Status::correct) return;
  result.status = is_late_compile_failure(code) ? Status::compile : Status::runtime;
  result.fatal = code == CL_INVALID_COMMAND_QUEUE || code == CL_INVALID_CONTEXT;
  result.message = "the launch failed: " + error_name(code);
  if (code == CL_INVALID_WORK_GROUP_SIZE) result.message += "; the block size does not suit the kernel or the device";
  if (is_late_compile_failure(code)) result.message += "; the driver could not compile the kernel for this block size";
}

/// A command failed while it ran: the context is not to be trusted afterwards (NVIDIA answers so to a wild pointer).
void fail_run(RunResult& result, cl_int code) {
  if (result.status == Status::correct) {
    result.status = Status::runtime;
    result.message = "the kernel failed while running: " + error_name(code);
  }
  result.fatal = true;
}

/// Waits for one launch and, where it is `timed`, takes its device time.
void collect(const Api& api, cl_event event, bool timed, RunResult& result) {
  cl_int code = api.wait_for_events(1, &event);
  if (code != CL_SUCCESS) {
    fail_run(result, code);
  } else if (timed && result.status == Status::correct) {
    cl_ulong begin = 0;
    cl_ulong end = 0;
    code = api.get_event_profiling_info(event, CL_PROFILING_COMMAND_START, sizeof(begin), &begin, nullptr);
    if (code == CL_SUCCESS)
      code = api.get_event_profiling_info(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr);
    if (code != CL_SUCCESS || end < begin) {
      result.status = Status::runtime;
      result.message = "the driver gave no time for the launch: " + error_name(code);
    } else {
      result.times.emplace_back(static_cast<double>(end - begin) * 1e-9);
    }
  }
  api.release_event(event);
}

}  // namespace

OpenClEngine::OpenClEngine(const Api& api, const FoundDevice& device, Clock& clock)
    : api_(api),
      device_(device.device),
      description_(device.description),
      clock_(clock),
      session_(std::make_shared<Session>(api, device.device)) {}

OpenClEngine::~OpenClEngine() {
  drop_scratch();
}

bool OpenClEngine::accepts(Language language) const {
  return language == Language::opencl || language == Language::portable;
}

CompileResult OpenClEngine::compile(const CompileRequest& request) {
  return build(session_, request);
}

std::unique_ptr<DeviceArguments> OpenClEngine::upload(std::span<const ArgumentData> arguments) {
  return std::make_unique<Arguments>(session_, arguments);
}

std::string OpenClEngine::refusal(const Kernel& kernel, const Arguments& arguments, const Geometry& geometry) const {
  if (kernel.parameters() != arguments.count()) {
    return "the kernel has " + std::to_string(kernel.parameters()) + " parameters, " +
           std::to_string(arguments.count()) + " arguments were given";
  }
  std::uint64_t threads = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (geometry.block[i] == 0 || geometry.grid[i] == 0) return "a grid or block dimension is zero";
    threads *= geometry.block[i];
    if (description_.max_block[i] != 0 && geometry.block[i] > description_.max_block[i]) {
      return "the block has " + std::to_string(geometry.block[i]) + " threads in dimension " + std::to_string(i) +
             ", the device allows " + std::to_string(description_.max_block[i]);
    }
  }
  if (kernel.max_block_threads() != 0 && threads > kernel.max_block_threads()) {
    return "the block has " + std::to_string(threads) + " threads, this kernel allows " +
           std::to_string(kernel.max_block_threads());
  }
  const std::uint64_t local = kernel.local_bytes() + arguments.local_bytes();
  if (local > description_.local_memory_bytes) {
    return "the block needs " + std::to_string(local) + " bytes of local memory, the device has " +
           std::to_string(description_.local_memory_bytes);
  }
  return {};
}

RunResult OpenClEngine::run(CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                            const RunOptions& options) {
  auto& own_kernel = dynamic_cast<Kernel&>(kernel);
  auto& own_arguments = dynamic_cast<Arguments&>(arguments);
  if (own_kernel.session() != session_ || own_arguments.session() != session_) {
    throw Error(ExitCode::internal, "a kernel or its arguments were made before the engine recovered");
  }
  RunResult result;
  result.message = refusal(own_kernel, own_arguments, geometry);
  if (result.message.empty()) result.message = own_arguments.bind(own_kernel.handle());
  if (!result.message.empty()) result.status = Status::runtime;
  result.window_begin = clock_.monotonic();
  result.system_begin = clock_.system();
  if (result.status == Status::correct) launch_all(own_kernel.handle(), geometry, options, result);
  result.window_end = clock_.monotonic();
  result.system_end = clock_.system();
  return result;
}

void OpenClEngine::launch_all(cl_kernel kernel, const Geometry& geometry, const RunOptions& options,
                              RunResult& result) {
  std::array<std::size_t, 3> global{};
  std::array<std::size_t, 3> local{};
  cl_uint dimensions = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    local[i] = geometry.block[i];
    global[i] = static_cast<std::size_t>(geometry.grid[i]) * geometry.block[i];
    if (global[i] > 1) dimensions = static_cast<cl_uint>(i + 1);
  }
  if (options.timed) result.times.reserve(options.repeats);
  const std::size_t depth = std::max<std::size_t>(options.queue_depth, 1);
  // Untimed launches are waited for by two events in turn, half a queue apart: the device never runs dry.
  const auto stride = static_cast<std::uint32_t>(options.timed ? 1 : std::max<std::size_t>(depth / 2, 1));
  const std::size_t most_pending = options.timed ? depth : 2;
  std::deque<cl_event> pending;
  for (std::uint32_t i = 0; i < options.repeats && result.status == Status::correct; ++i) {
    if (pending.size() >= most_pending) {
      collect(api_, pending.front(), options.timed, result);
      pending.pop_front();
      if (result.status != Status::correct) break;
    }
    cl_int code = options.cold ? flush_cache() : CL_SUCCESS;
    cl_event event = nullptr;
    if (code == CL_SUCCESS) {
      code = api_.enqueue_nd_range_kernel(session_->queue, kernel, dimensions, nullptr, global.data(), local.data(), 0,
                                          nullptr, options.timed || (i + 1) % stride == 0 ? &event : nullptr);
    }
    if (code != CL_SUCCESS) {
      fail_launch(result, code);
      break;
    }
    if (event == nullptr) continue;
    pending.push_back(event);
    api_.flush(session_->queue);
  }
  for (cl_event event : pending) collect(api_, event, options.timed, result);
  const cl_int code = api_.finish(session_->queue);
  if (code != CL_SUCCESS) fail_run(result, code);
}

cl_int OpenClEngine::flush_cache() {
  cl_int code = CL_SUCCESS;
  if (scratch_ == nullptr) {
    const std::uint64_t cache =
        description_.last_level_cache_bytes != 0 ? description_.last_level_cache_bytes : default_cache_bytes;
    scratch_bytes_ = std::min(2 * cache, scratch_limit) / sizeof(cl_uint) * sizeof(cl_uint);
    scratch_ = api_.create_buffer(session_->context, CL_MEM_READ_WRITE, scratch_bytes_, nullptr, &code);
    if (code != CL_SUCCESS) return code;
  }
  ++scratch_pattern_;  // another value each time, so that the write cannot be elided
  return api_.enqueue_fill_buffer(session_->queue, scratch_, &scratch_pattern_, sizeof(scratch_pattern_), 0,
                                  scratch_bytes_, 0, nullptr, nullptr);
}

void OpenClEngine::drop_scratch() {
  if (scratch_ != nullptr) api_.release_mem_object(scratch_);
  scratch_ = nullptr;
}

void OpenClEngine::recover() {
  drop_scratch();
  session_.reset();
  session_ = std::make_shared<Session>(api_, device_);
}

}  // namespace wattune::engine::opencl

#include "engine/cuda/cuda_engine.hpp"

#include <algorithm>

#include "engine/cuda/arguments.hpp"
#include "engine/cuda/kernel.hpp"

namespace wattune::engine::cuda {
namespace {

constexpr std::uint64_t default_cache_bytes = 64ULL << 20U;
/// Up to this much dynamic shared memory a launch needs no opting in.
constexpr std::uint64_t shared_without_opting_in = 48ULL << 10U;

}  // namespace

struct CudaEngine::Launch {
  FunctionObject* function = nullptr;
  const Geometry& geometry;
  unsigned shared_bytes = 0;
  std::vector<void*>& parameters;
};

CudaEngine::CudaEngine(const DriverApi& api, FoundDevice device, Compiler compiler, Clock& clock)
    : api_(api),
      device_(std::move(device)),
      compiler_(std::move(compiler)),
      clock_(clock),
      context_(std::make_shared<Context>(api, device_.device)) {
  for (int i = 0; i < 3; ++i) {
    int most = 0;
    if (api_.device_get_attribute(&most, attribute_max_grid_x + i, device_.device) == success && most > 0) {
      max_grid_[static_cast<std::size_t>(i)] = static_cast<std::uint64_t>(most);
    }
  }
}

CudaEngine::~CudaEngine() {
  drop_scratch();
}

bool CudaEngine::accepts(Language language) const {
  return language == Language::cuda || language == Language::portable;
}

CompileResult CudaEngine::compile(const CompileRequest& request) {
  Image image = compiler_.compile(request);
  CompileResult result{image.status, std::move(image.message), nullptr};
  if (result.status == Status::correct) result.kernel = std::make_unique<Kernel>(context_, std::move(image));
  return result;
}

std::unique_ptr<DeviceArguments> CudaEngine::upload(std::span<const ArgumentData> arguments) {
  return std::make_unique<Arguments>(context_, arguments);
}

void CudaEngine::fail(RunResult& result, const std::string& what, Result code) const {
  if (is_sticky(code)) result.fatal = true;
  if (result.status != Status::correct) return;  // the first failure is the cause
  result.status = Status::runtime;
  result.message = what + ": " + error_text(api_, code);
}

std::string CudaEngine::refusal(const Kernel& kernel, const Geometry& geometry, std::uint64_t shared_bytes) const {
  const DeviceDescription& d = device_.description;
  std::uint64_t threads = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (geometry.block[i] == 0 || geometry.grid[i] == 0) return "a grid or block dimension is zero";
    threads *= geometry.block[i];
    if (d.max_block[i] != 0 && geometry.block[i] > d.max_block[i]) {
      return "the block has " + std::to_string(geometry.block[i]) + " threads in dimension " + std::to_string(i) +
             ", the device allows " + std::to_string(d.max_block[i]);
    }
    if (max_grid_[i] != 0 && geometry.grid[i] > max_grid_[i]) {
      return "the grid has " + std::to_string(geometry.grid[i]) + " blocks in dimension " + std::to_string(i) +
             ", the device allows " + std::to_string(max_grid_[i]);
    }
  }
  if (kernel.max_block_threads() != 0 && threads > kernel.max_block_threads()) {
    return "the block has " + std::to_string(threads) + " threads, this kernel (" + std::to_string(kernel.registers()) +
           " registers a thread) allows " + std::to_string(kernel.max_block_threads());
  }
  const std::uint64_t shared = kernel.local_bytes() + shared_bytes;
  if (d.local_memory_optin_bytes != 0 && shared > d.local_memory_optin_bytes) {
    return "the block needs " + std::to_string(shared) + " bytes of shared memory, the device allows " +
           std::to_string(d.local_memory_optin_bytes);
  }
  return {};
}

Result CudaEngine::allow_shared(const Kernel& kernel, std::uint64_t shared_bytes) const {
  if (kernel.local_bytes() + shared_bytes <= shared_without_opting_in || shared_bytes == 0) return success;
  return api_.function_set_attribute(kernel.function(), function_max_dynamic_shared, static_cast<int>(shared_bytes));
}

RunResult CudaEngine::run(CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                          const RunOptions& options) {
  auto& own_kernel = dynamic_cast<Kernel&>(kernel);
  auto& own_arguments = dynamic_cast<Arguments&>(arguments);
  if (own_kernel.context() != context_ || own_arguments.context() != context_) {
    throw Error(ExitCode::internal, "a kernel or its arguments were made before the engine recovered");
  }
  context_->activate();
  RunResult result;
  if (own_kernel.load() != Status::correct) {
    result.status = own_kernel.load();
    result.message = own_kernel.message();
    result.fatal = own_kernel.fatal();
    return result;
  }
  Arguments::Bound bound = own_arguments.bind(own_kernel);
  const std::uint64_t shared = geometry.shared_bytes + bound.shared_bytes;
  result.message = !bound.problem.empty() ? bound.problem : refusal(own_kernel, geometry, shared);
  if (!result.message.empty()) {
    result.status = Status::runtime;
    result.fatal = is_sticky(bound.code);
  } else if (const Result code = allow_shared(own_kernel, shared); code != success) {
    fail(result, std::to_string(shared) + " bytes of dynamic shared memory are refused", code);
  } else if (const Result settled = api_.stream_synchronize(context_->stream()); settled != success) {
    fail(result, "the arguments did not arrive", settled);
  }
  result.window_begin = clock_.monotonic();
  result.system_begin = clock_.system();
  if (result.status == Status::correct) {
    launch_all(Launch{own_kernel.function(), geometry, static_cast<unsigned>(shared), bound.parameters}, options,
               result);
  }
  result.window_end = clock_.monotonic();
  result.system_end = clock_.system();
  return result;
}

void CudaEngine::launch_all(const Launch& launch, const RunOptions& options, RunResult& result) {
  const std::size_t depth = std::min<std::size_t>(std::max<std::uint32_t>(options.queue_depth, 1),
                                                  std::max<std::uint32_t>(options.repeats, 1));
  if (const Result code = context_->reserve_events(depth); code != success) {
    fail(result, "no events", code);
    return;
  }
  if (!options.timed) return launch_untimed(launch, options, depth, result);
  result.times.reserve(options.repeats);
  std::uint32_t launched = 0;
  std::uint32_t collected = 0;
  bool healthy = true;
  while (healthy && launched < options.repeats) {
    if (launched - collected == depth) healthy = collect(context_->events(collected++ % depth), result);
    if (!healthy) break;
    if (const Result code = enqueue(launch, context_->events(launched % depth), options.cold); code != success) {
      fail(result, "the launch failed", code);
      healthy = false;
    } else {
      ++launched;
    }
  }
  while (healthy && collected < launched) healthy = collect(context_->events(collected++ % depth), result);
  const Result code = api_.stream_synchronize(context_->stream());
  if (code != success) fail(result, "the kernel failed while running", code);
}

/// Two events in turn, half a queue apart, bound the launches in flight without letting the device run dry.
void CudaEngine::launch_untimed(const Launch& launch, const RunOptions& options, std::size_t depth, RunResult& result) {
  const auto stride = static_cast<std::uint32_t>(std::max<std::size_t>(depth / 2, 1));
  const std::array marks{context_->events(0).begin, context_->events(0).end};
  Result code = success;
  for (std::uint32_t i = 0; i < options.repeats && code == success; ++i) {
    if (options.cold) code = flush_cache();
    if (code == success) code = enqueue(launch);
    if (code != success || (i + 1) % stride != 0) continue;
    const std::size_t turn = (i / stride) % 2;
    code = api_.event_record(marks[turn], context_->stream());
    if (code == success && i >= stride) code = api_.event_synchronize(marks[1 - turn]);
  }
  if (code != success) fail(result, "the launch failed", code);
  const Result end = api_.stream_synchronize(context_->stream());
  if (end != success) fail(result, "the kernel failed while running", end);
}

Result CudaEngine::enqueue(const Launch& launch) {
  const Geometry& g = launch.geometry;
  return api_.launch_kernel(launch.function, static_cast<unsigned>(g.grid[0]), static_cast<unsigned>(g.grid[1]),
                            static_cast<unsigned>(g.grid[2]), g.block[0], g.block[1], g.block[2], launch.shared_bytes,
                            context_->stream(), launch.parameters.data(), nullptr);
}

Result CudaEngine::enqueue(const Launch& launch, const Context::EventPair& events, bool cold) {
  Result code = cold ? flush_cache() : success;
  if (code == success) code = api_.event_record(events.begin, context_->stream());
  if (code == success) code = enqueue(launch);
  return code == success ? api_.event_record(events.end, context_->stream()) : code;
}

/// Waits for one launch and takes its device time; false when it failed.
bool CudaEngine::collect(const Context::EventPair& events, RunResult& result) const {
  float milliseconds = 0.0F;
  Result code = api_.event_synchronize(events.end);
  if (code == success) code = api_.event_elapsed_ms(&milliseconds, events.begin, events.end);
  if (code != success) {
    fail(result, "the kernel failed while running", code);
    return false;
  }
  result.times.push_back(wattune::milliseconds(static_cast<double>(milliseconds)));
  return true;
}

Result CudaEngine::flush_cache() {
  if (scratch_ == 0) {
    const std::uint64_t cache = device_.description.last_level_cache_bytes != 0
                                    ? device_.description.last_level_cache_bytes
                                    : default_cache_bytes;
    scratch_words_ = 2 * cache / sizeof(unsigned);
    const Result code = api_.memory_allocate(&scratch_, scratch_words_ * sizeof(unsigned));
    if (code != success) {
      scratch_ = 0;
      return code;
    }
  }
  return api_.memory_set_words(scratch_, ++scratch_value_, scratch_words_, context_->stream());
}

void CudaEngine::drop_scratch() {
  if (scratch_ != 0 && !context_->lost()) {
    context_->activate();
    api_.memory_free(scratch_);
  }
  scratch_ = 0;
}

std::optional<Hertz> CudaEngine::probe_core_clock() {
  if (!probe_) probe_.emplace(*this);
  return probe_->read(*this);
}

void CudaEngine::recover() {
  probe_.reset();
  scratch_ = 0;
  context_->abandon();
  context_ = std::make_shared<Context>(api_, device_.device);
  if (compute_units_ != 0 && !context_->partition(compute_units_)) {
    throw Error(ExitCode::device,
                "the partition of " + std::to_string(compute_units_) + " compute units could not be restored", "cuda");
  }
}

bool CudaEngine::partition(std::uint32_t compute_units) {
  if (!context_->partition(compute_units)) return false;
  compute_units_ = compute_units;
  return true;
}

}  // namespace wattune::engine::cuda

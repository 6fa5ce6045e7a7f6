#include "engine/cuda/kernel.hpp"

#include <array>
#include <cstdint>

#include "engine/messages.hpp"

namespace wattune::engine::cuda {
namespace {

constexpr std::size_t log_bytes = 8192;

CompileResult failed(Status status, std::string message) {
  return CompileResult{status, std::move(message), nullptr};
}

std::uint32_t attribute(const DriverApi& api, FunctionObject* function, int which) {
  int value = 0;
  if (api.function_get_attribute(&value, which, function) != success || value < 0) return 0;
  return static_cast<std::uint32_t>(value);
}

}  // namespace

Kernel::Kernel(SharedContext context, ModuleObject* module, FunctionObject* function)
    : context_(std::move(context)), module_(module), function_(function) {
  const DriverApi& api = context_->api();
  registers_ = attribute(api, function_, function_registers);
  max_threads_ = attribute(api, function_, function_max_threads);
  shared_bytes_ = attribute(api, function_, function_shared_bytes);
  ask_parameters();
}

void Kernel::ask_parameters() {
  const DriverApi& api = context_->api();
  if (api.function_get_parameter == nullptr) return;
  constexpr std::size_t most = 4096;
  for (std::size_t index = 0; index < most; ++index) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    const Result code = api.function_get_parameter(function_, index, &offset, &bytes);
    if (code == error_invalid_value) {  // the documented answer to an index beyond the last
      knows_parameters_ = true;
      return;
    }
    if (code != success) return;
    parameters_.push_back(bytes);
  }
}

Kernel::~Kernel() {
  if (context_->lost()) return;
  context_->activate();
  context_->api().module_unload(module_);
}

CompileResult load_kernel(const SharedContext& context, const Image& image) {
  if (image.status != Status::correct) return failed(image.status, image.message);
  const DriverApi& api = context->api();
  context->activate();
  std::array<char, log_bytes> log{};
  std::array<int, 2> options = {jit_error_log_buffer, jit_error_log_bytes};
  std::array<void*, 2> values = {log.data(),
                                 reinterpret_cast<void*>(std::uintptr_t{log_bytes})};  // NOLINT: driver's interface
  ModuleObject* module = nullptr;
  Result code = api.module_load_data(&module, image.bytes.data(), static_cast<unsigned>(options.size()), options.data(),
                                     values.data());
  if (code != success) {
    log.back() = '\0';
    const std::string excerpt = log_excerpt(log.data());
    const bool resources = code == error_out_of_memory || is_sticky(code) || exhausts_resources(log.data());
    return failed(
        resources ? Status::runtime : Status::compile,
        "the driver does not load the kernel: " + error_text(api, code) + (excerpt.empty() ? "" : "\n" + excerpt));
  }
  FunctionObject* function = nullptr;
  code = api.module_get_function(&function, module, image.lowered_name.c_str());
  if (code != success) {
    api.module_unload(module);
    return failed(Status::compile,
                  "no kernel '" + image.lowered_name + "' in the compiled code: " + error_text(api, code));
  }
  CompileResult result;
  result.kernel = std::make_unique<Kernel>(context, module, function);
  return result;
}

}  // namespace wattune::engine::cuda

#include "engine/cuda/kernel.hpp"

#include <array>
#include <cstdint>

#include "engine/messages.hpp"

namespace wattune::engine::cuda {
namespace {

constexpr std::size_t log_bytes = 8192;

std::uint32_t attribute(const DriverApi& api, FunctionObject* function, int which) {
  int value = 0;
  if (api.function_get_attribute(&value, which, function) != success || value < 0) return 0;
  return static_cast<std::uint32_t>(value);
}

}  // namespace

Kernel::Kernel(SharedContext context, Image image) : context_(std::move(context)), image_(std::move(image)) {}

Kernel::~Kernel() {
  if (context_->lost() || loaded_.module == nullptr) return;
  context_->activate();
  context_->api().module_unload(loaded_.module);
}

std::uint32_t Kernel::registers() const {
  return load() == Status::correct ? loaded_.registers : 0;
}

std::uint64_t Kernel::local_bytes() const {
  return load() == Status::correct ? loaded_.shared_bytes : 0;
}

std::uint32_t Kernel::max_block_threads() const {
  return load() == Status::correct ? loaded_.max_threads : 0;
}

Status Kernel::load() const {
  if (!loaded_.tried && !context_->lost()) {
    loaded_.tried = true;
    load_module();
    if (loaded_.status == Status::correct) ask_attributes();
    if (loaded_.status == Status::correct) ask_parameters();
    image_.bytes = {};
  }
  return loaded_.status;
}

void Kernel::load_module() const {
  const DriverApi& api = context_->api();
  context_->activate();
  std::array<char, log_bytes> log{};
  std::array<int, 2> options = {jit_error_log_buffer, jit_error_log_bytes};
  std::array<void*, 2> values = {log.data(),
                                 reinterpret_cast<void*>(std::uintptr_t{log_bytes})};  // NOLINT: driver's interface
  Result code = api.module_load_data(&loaded_.module, image_.bytes.data(), static_cast<unsigned>(options.size()),
                                     options.data(), values.data());
  if (code != success) {
    loaded_.module = nullptr;
    log.back() = '\0';
    const std::string excerpt = log_excerpt(log.data());
    loaded_.fatal = is_sticky(code);
    const bool resources = code == error_out_of_memory || loaded_.fatal || exhausts_resources(log.data());
    loaded_.status = resources ? Status::runtime : Status::compile;
    loaded_.message = "the driver does not load the kernel: " + error_text(api, code);
    if (!excerpt.empty()) loaded_.message += "\n" + excerpt;
    return;
  }
  code = api.module_get_function(&loaded_.function, loaded_.module, image_.lowered_name.c_str());
  if (code != success) {
    loaded_.status = Status::compile;
    loaded_.message = "no kernel '" + image_.lowered_name + "' in the compiled code: " + error_text(api, code);
  }
}

void Kernel::ask_attributes() const {
  const DriverApi& api = context_->api();
  loaded_.registers = attribute(api, loaded_.function, function_registers);
  loaded_.max_threads = attribute(api, loaded_.function, function_max_threads);
  loaded_.shared_bytes = attribute(api, loaded_.function, function_shared_bytes);
}

void Kernel::ask_parameters() const {
  const DriverApi& api = context_->api();
  if (api.function_get_parameter == nullptr) return;
  constexpr std::size_t most = 4096;
  for (std::size_t index = 0; index < most; ++index) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    const Result code = api.function_get_parameter(loaded_.function, index, &offset, &bytes);
    if (code == error_invalid_value) {  // the documented answer to an index beyond the last
      loaded_.knows_parameters = true;
      return;
    }
    if (code != success) return;
    loaded_.parameters.push_back(bytes);
  }
}

}  // namespace wattune::engine::cuda

#include "engine/cuda/compiler.hpp"

#include <algorithm>
#include <memory>

#include "engine/messages.hpp"
#include "engine/portability.hpp"

namespace wattune::engine::cuda {
namespace {

bool has_option(const std::vector<std::string>& options, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return option.starts_with(prefix); });
  });
}

/// "-O3": an nvcc habit.
bool is_optimisation_level(const std::string& option) {
  return option.size() <= 3 && option.starts_with("-O");
}

/// Virtual architectures give PTX only.
bool wants_ptx(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [](const std::string& option) {
    return (option.starts_with("-arch") || option.starts_with("--gpu-architecture") ||
            option.starts_with("compute_")) &&
           option.find("compute_") != std::string::npos;
  });
}

Image failed(Status status, std::string message) {
  Image image;
  image.status = status;
  image.message = std::move(message);
  return image;
}

}  // namespace

Compiler::Compiler(const NvrtcApi& api, int capability, std::vector<std::string> include_folders)
    : api_(api), capability_(capability), include_folders_(std::move(include_folders)) {
  int count = 0;
  if (api_.get_architecture_count == nullptr || api_.get_architectures == nullptr) return;
  if (api_.get_architecture_count(&count) != nvrtc_success || count <= 0) return;
  known_architectures_.resize(static_cast<std::size_t>(count));
  if (api_.get_architectures(known_architectures_.data()) != nvrtc_success) known_architectures_.clear();
}

std::string Compiler::version() const {
  int major = 0;
  int minor = 0;
  api_.version(&major, &minor);
  return std::to_string(major) + '.' + std::to_string(minor);
}

std::string Compiler::architecture() const {
  const bool known =
      std::find(known_architectures_.begin(), known_architectures_.end(), capability_) != known_architectures_.end();
  const bool has_cubin = api_.get_cubin != nullptr && api_.get_cubin_size != nullptr;
  if (known && has_cubin) return "sm_" + std::to_string(capability_);
  int newest = 0;
  for (const int architecture : known_architectures_) {
    if (architecture <= capability_) newest = std::max(newest, architecture);
  }
  return "compute_" + std::to_string(newest != 0 ? newest : capability_);
}

std::vector<std::string> Compiler::options_for(const CompileRequest& request) const {
  std::vector<std::string> options;
  if (!has_option(request.options, {"-arch", "--gpu-architecture"}))
    options.push_back("--gpu-architecture=" + architecture());
  if (!has_option(request.options, {"-std", "--std"})) options.emplace_back("--std=c++17");
  options.emplace_back("-default-device");
  for (const std::string& folder : include_folders_) options.push_back("-I" + folder);
  for (const std::string& option : request.options) {
    if (!is_optimisation_level(option)) options.push_back(option);
  }
  for (const auto& [name, body] : request.definitions) {
    options.emplace_back("-D").append(name).append("=").append(body);
  }
  return options;
}

Image Compiler::compile(const CompileRequest& request) const {
  const std::string source = paste_portable_header(request.source, request.source_name);
  const std::string name = request.source_name.empty() ? "kernel.cu" : request.source_name;
  ProgramObject* raw = nullptr;
  int code = api_.create_program(&raw, source.c_str(), name.c_str(), 0, nullptr, nullptr);
  if (code != nvrtc_success) return failed(Status::compile, std::string("NVRTC: ") + api_.get_error_string(code));
  const auto destroy = [this](ProgramObject* program) { api_.destroy_program(&program); };
  const std::unique_ptr<ProgramObject, decltype(destroy)> program(raw, destroy);
  code = api_.add_name_expression(raw, request.kernel.c_str());
  if (code != nvrtc_success) {
    return failed(Status::compile, "kernel name '" + request.kernel + "': " + api_.get_error_string(code));
  }
  const std::vector<std::string> options = options_for(request);
  std::vector<const char*> pointers;
  pointers.reserve(options.size());
  for (const std::string& option : options) pointers.push_back(option.c_str());
  code = api_.compile_program(raw, static_cast<int>(pointers.size()), pointers.data());
  if (code != nvrtc_success) return failure(raw, code);
  Image image = extract(raw, wants_ptx(options));
  if (image.status != Status::correct) return image;
  const char* lowered = nullptr;
  code = api_.get_lowered_name(raw, request.kernel.c_str(), &lowered);
  if (code != nvrtc_success || lowered == nullptr) {
    return failed(Status::compile, "the source has no kernel '" + request.kernel + "': " + api_.get_error_string(code));
  }
  image.lowered_name = lowered;
  return image;
}

Image Compiler::failure(ProgramObject* program, int code) const {
  std::size_t size = 0;
  std::string log;
  if (api_.get_log_size(program, &size) == nvrtc_success && size > 1) {
    log.resize(size);
    if (api_.get_log(program, log.data()) != nvrtc_success) log.clear();
  }
  const std::string excerpt = log_excerpt(log);
  const Status status = exhausts_resources(log) ? Status::runtime : Status::compile;
  return failed(status, excerpt.empty() ? std::string("NVRTC: ") + api_.get_error_string(code) : excerpt);
}

Image Compiler::extract(ProgramObject* program, bool as_ptx) const {
  Image image;
  image.is_ptx = as_ptx || api_.get_cubin == nullptr;
  std::size_t size = 0;
  int code = image.is_ptx ? api_.get_ptx_size(program, &size) : api_.get_cubin_size(program, &size);
  if (code == nvrtc_success && size == 0) return failed(Status::compile, "NVRTC made no code");
  if (code == nvrtc_success) {
    image.bytes.resize(size);
    code = image.is_ptx ? api_.get_ptx(program, image.bytes.data()) : api_.get_cubin(program, image.bytes.data());
  }
  if (code != nvrtc_success) return failed(Status::compile, std::string("NVRTC: ") + api_.get_error_string(code));
  return image;
}

}  // namespace wattune::engine::cuda

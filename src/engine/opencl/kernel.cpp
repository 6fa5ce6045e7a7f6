#include "engine/opencl/kernel.hpp"

#include <algorithm>
#include <string>

#include "base/text.hpp"
#include "engine/messages.hpp"
#include "engine/portability.hpp"

namespace wattune::engine::opencl {
namespace {

/// True when `body` survives as one -D option: drivers split the option text at blanks and know no common quoting.
bool fits_an_option(const std::string& body) {
  return !body.empty() && body.find_first_of(" \t\r\n\"'\\`$#") == std::string::npos;
}

/// Options for the driver, and the definitions that must stand in the source instead.
std::string option_text(const CompileRequest& request, std::vector<std::pair<std::string, std::string>>& in_source) {
  std::string text = base::join(request.options, " ");
  for (const auto& [name, body] : request.definitions) {
    if (fits_an_option(body)) {
      text.append(text.empty() ? "-D" : " -D").append(name).append("=").append(body);
    } else {
      in_source.emplace_back(name, body);
    }
  }
  return text;
}

std::string build_log(const Session& session, cl_program program) {
  std::size_t size = 0;
  session.api.get_program_build_info(program, session.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  if (size == 0) return log;
  session.api.get_program_build_info(program, session.device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log;
}

CompileResult failed(Status status, std::string message) {
  return CompileResult{status, std::move(message), nullptr};
}

CompileResult build_failure(const Session& session, cl_program program, cl_int code) {
  const std::string log = build_log(session, program);
  const std::string excerpt = log_excerpt(log);
  const bool resources = code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY || exhausts_resources(log);
  return failed(resources ? Status::runtime : Status::compile, excerpt.empty() ? error_name(code) : excerpt);
}

/// Names of the program's kernels, "a;b;c".
std::string kernel_names(const Session& session, cl_program program) {
  std::size_t size = 0;
  session.api.get_program_info(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size);
  std::string names(size, '\0');
  if (size == 0) return names;
  session.api.get_program_info(program, CL_PROGRAM_KERNEL_NAMES, size, names.data(), nullptr);
  names = names.c_str();
  std::replace(names.begin(), names.end(), ';', ' ');
  return names;
}

CompileResult kernel_failure(const Session& session, cl_program program, const std::string& name, cl_int code) {
  if (code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY) return failed(Status::runtime, error_name(code));
  if (code != CL_INVALID_KERNEL_NAME) return failed(Status::compile, error_name(code));
  const std::string names = kernel_names(session, program);
  return failed(Status::compile, "the source has no kernel '" + name + "'" +
                                     (names.empty() ? std::string(", nor any other") : "; it has: " + names));
}

}  // namespace

Kernel::Kernel(SharedSession session, cl_program program, cl_kernel kernel)
    : session_(std::move(session)), program_(program), kernel_(kernel) {
  const Api& api = session_->api;
  std::size_t threads = 0;
  cl_ulong local = 0;
  cl_uint parameters = 0;
  api.get_kernel_work_group_info(kernel_, session_->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(threads), &threads,
                                 nullptr);
  api.get_kernel_work_group_info(kernel_, session_->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local, nullptr);
  api.get_kernel_info(kernel_, CL_KERNEL_NUM_ARGS, sizeof(parameters), &parameters, nullptr);
  max_block_threads_ = static_cast<std::uint32_t>(threads);
  local_bytes_ = local;  // before any local argument is set: the static part only
  parameters_ = parameters;
}

Kernel::~Kernel() {
  session_->api.release_kernel(kernel_);
  session_->api.release_program(program_);
}

CompileResult build(const SharedSession& session, const CompileRequest& request) {
  const Api& api = session->api;
  std::vector<std::pair<std::string, std::string>> in_source;
  const std::string options = option_text(request, in_source);
  const std::string source =
      paste_definitions(paste_portable_header(request.source, request.source_name), request.source_name, in_source);
  const char* text = source.c_str();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  cl_program program = api.create_program_with_source(session->context, 1, &text, &length, &code);
  if (code != CL_SUCCESS) return failed(Status::runtime, error_name(code));
  code = api.build_program(program, 1, &session->device, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    CompileResult result = build_failure(*session, program, code);
    api.release_program(program);
    return result;
  }
  cl_kernel kernel = api.create_kernel(program, request.kernel.c_str(), &code);
  if (code != CL_SUCCESS) {
    CompileResult result = kernel_failure(*session, program, request.kernel, code);
    api.release_program(program);
    return result;
  }
  CompileResult result;
  result.kernel = std::make_unique<Kernel>(session, program, kernel);
  return result;
}

}  // namespace wattune::engine::opencl

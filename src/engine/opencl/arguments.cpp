#include "engine/opencl/arguments.hpp"

#include <algorithm>

namespace wattune::engine::opencl {
namespace {

[[noreturn]] void fail(const std::string& argument, const std::string& what, cl_int code) {
  throw Error(ExitCode::device, what + ": " + error_name(code), "argument " + argument);
}

}  // namespace

Arguments::Arguments(SharedSession session, std::span<const ArgumentData> arguments) : session_(std::move(session)) {
  entries_.reserve(arguments.size());
  try {
    for (const ArgumentData& data : arguments) {
      Entry& entry = entries_.emplace_back();
      entry.name = data.name;
      entry.kind = data.kind;
      entry.bytes = data.kind == ArgumentKind::local ? data.local_bytes : data.bytes.size();
      if (data.kind == ArgumentKind::scalar) entry.scalar = data.bytes;
      if (data.kind == ArgumentKind::buffer || data.kind == ArgumentKind::constant) allocate(entry, data.bytes);
    }
  } catch (...) {
    release();
    throw;
  }
}

Arguments::~Arguments() {
  release();
}

void Arguments::release() {
  for (Entry& entry : entries_) {
    if (entry.memory != nullptr) session_->api.release_mem_object(entry.memory);
    entry.memory = nullptr;
  }
}

void Arguments::allocate(Entry& entry, std::span<const std::byte> bytes) {
  if (bytes.empty()) throw Error(ExitCode::bad_input, "the buffer has no elements", "argument " + entry.name);
  cl_int code = CL_SUCCESS;
  const cl_mem_flags access = entry.kind == ArgumentKind::constant ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  entry.memory = session_->api.create_buffer(session_->context, access, bytes.size(), nullptr, &code);
  if (code != CL_SUCCESS) {
    throw Error(ExitCode::device, "no " + std::to_string(bytes.size()) + " bytes of device memory: " + error_name(code),
                "argument " + entry.name, "make the problem smaller");
  }
  // Drivers allocate late: the write is where a lack of memory shows.
  code = session_->api.enqueue_write_buffer(session_->queue, entry.memory, CL_TRUE, 0, bytes.size(), bytes.data(), 0,
                                            nullptr, nullptr);
  if (code != CL_SUCCESS) fail(entry.name, "cannot be copied to the device", code);
}

Arguments::Entry& Arguments::checked(std::size_t index, std::size_t bytes) {
  if (index >= entries_.size()) throw Error(ExitCode::internal, "no argument " + std::to_string(index));
  Entry& entry = entries_[index];
  if (entry.kind == ArgumentKind::local || entry.bytes != bytes) {
    throw Error(ExitCode::internal,
                std::to_string(bytes) + " bytes where " + std::to_string(entry.bytes) + " were uploaded",
                "argument " + entry.name);
  }
  return entry;
}

void Arguments::write(std::size_t index, std::span<const std::byte> bytes) {
  Entry& entry = checked(index, bytes.size());
  if (entry.kind == ArgumentKind::scalar) {
    entry.scalar.assign(bytes.begin(), bytes.end());
    return;
  }
  const cl_int code = session_->api.enqueue_write_buffer(session_->queue, entry.memory, CL_TRUE, 0, bytes.size(),
                                                         bytes.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) fail(entry.name, "cannot be copied to the device", code);
}

void Arguments::read(std::size_t index, std::span<std::byte> bytes) {
  Entry& entry = checked(index, bytes.size());
  if (entry.kind == ArgumentKind::scalar) {
    std::copy(entry.scalar.begin(), entry.scalar.end(), bytes.begin());
    return;
  }
  const cl_int code = session_->api.enqueue_read_buffer(session_->queue, entry.memory, CL_TRUE, 0, bytes.size(),
                                                        bytes.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) fail(entry.name, "cannot be read back from the device", code);
}

void Arguments::set_local_bytes(std::size_t index, std::size_t bytes) {
  if (index >= entries_.size() || entries_[index].kind != ArgumentKind::local) {
    throw Error(ExitCode::internal, "argument " + std::to_string(index) + " is no local memory");
  }
  entries_[index].bytes = bytes;
}

std::size_t Arguments::local_bytes() const {
  std::size_t sum = 0;
  for (const Entry& entry : entries_) {
    if (entry.kind == ArgumentKind::local) sum += entry.bytes;
  }
  return sum;
}

std::string Arguments::bind(cl_kernel kernel) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    std::size_t size = sizeof(cl_mem);
    const void* value = &entry.memory;
    if (entry.kind == ArgumentKind::local) {
      size = entry.bytes;
      value = nullptr;
    } else if (entry.kind == ArgumentKind::scalar) {
      size = entry.scalar.size();
      value = entry.scalar.data();
    }
    const cl_int code = session_->api.set_kernel_arg(kernel, static_cast<cl_uint>(i), size, value);
    if (code != CL_SUCCESS) {
      return "argument " + std::to_string(i + 1) + " (" + entry.name + ", " + std::to_string(entry.bytes) +
             " bytes) does not fit the kernel's parameter: " + error_name(code);
    }
  }
  return {};
}

}  // namespace wattune::engine::opencl

#include "engine/cuda/arguments.hpp"

#include <algorithm>

namespace wattune::engine::cuda {

Arguments::Arguments(SharedContext context, std::span<const ArgumentData> arguments) : context_(std::move(context)) {
  context_->activate();
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
  if (context_->lost()) return;
  context_->activate();
  for (Entry& entry : entries_) {
    if (entry.address != 0) context_->api().memory_free(entry.address);
    entry.address = 0;
  }
}

void Arguments::allocate(Entry& entry, std::span<const std::byte> bytes) {
  if (bytes.empty()) throw Error(ExitCode::bad_input, "the buffer has no elements", "argument " + entry.name);
  const Result code = context_->api().memory_allocate(&entry.address, bytes.size());
  if (code != success) {
    entry.address = 0;
    throw Error(ExitCode::device,
                "no " + std::to_string(bytes.size()) + " bytes of device memory: " + error_text(context_->api(), code),
                "argument " + entry.name, "make the problem smaller");
  }
  copy_in(entry, bytes);
}

void Arguments::copy_in(const Entry& entry, std::span<const std::byte> bytes) {
  const DriverApi& api = context_->api();
  Result code = api.copy_to_device(entry.address, bytes.data(), bytes.size(), context_->stream());
  if (code == success) code = api.stream_synchronize(context_->stream());
  if (code != success) {
    throw Error(ExitCode::device, "cannot be copied to the device: " + error_text(api, code), "argument " + entry.name);
  }
}

Arguments::Entry& Arguments::checked(std::size_t index, std::size_t bytes) {
  if (index >= entries_.size()) throw Error(ExitCode::internal, "no argument " + std::to_string(index));
  Entry& entry = entries_[index];
  if (entry.kind == ArgumentKind::local || entry.bytes != bytes) {
    throw Error(ExitCode::internal,
                std::to_string(bytes) + " bytes where " + std::to_string(entry.bytes) + " were uploaded",
                "argument " + entry.name);
  }
  if (context_->lost())
    throw Error(ExitCode::device, "its device memory was lost in a failure", "argument " + entry.name);
  return entry;
}

void Arguments::write(std::size_t index, std::span<const std::byte> bytes) {
  Entry& entry = checked(index, bytes.size());
  if (entry.kind == ArgumentKind::scalar) {
    entry.scalar.assign(bytes.begin(), bytes.end());
    return;
  }
  context_->activate();
  copy_in(entry, bytes);
}

void Arguments::read(std::size_t index, std::span<std::byte> bytes) {
  Entry& entry = checked(index, bytes.size());
  if (entry.kind == ArgumentKind::scalar) {
    std::copy(entry.scalar.begin(), entry.scalar.end(), bytes.begin());
    return;
  }
  const DriverApi& api = context_->api();
  context_->activate();
  Result code = api.copy_to_host(bytes.data(), entry.address, bytes.size(), context_->stream());
  if (code == success) code = api.stream_synchronize(context_->stream());
  if (code != success) {
    throw Error(ExitCode::device, "cannot be read back from the device: " + error_text(api, code),
                "argument " + entry.name);
  }
}

void Arguments::set_local_bytes(std::size_t index, std::size_t bytes) {
  if (index >= entries_.size() || entries_[index].kind != ArgumentKind::local) {
    throw Error(ExitCode::internal, "argument " + std::to_string(index) + " is no local memory");
  }
  entries_[index].bytes = bytes;
}

/// True when the kernel's module has a __constant__ symbol of the entry's name; it is then filled, or `bound` says why
/// not.
bool Arguments::fill_symbol(const Kernel& kernel, const Entry& entry, Bound& bound) {
  const DriverApi& api = context_->api();
  Address address = 0;
  std::size_t bytes = 0;
  const Result found = api.module_get_global(&address, &bytes, kernel.module(), entry.name.c_str());
  if (found == error_not_found) return false;
  bound.code = found;
  if (found == success && bytes < entry.bytes) {
    bound.problem = "the constant symbol " + entry.name + " has " + std::to_string(bytes) + " bytes, the argument " +
                    std::to_string(entry.bytes);
    return true;
  }
  if (found == success) bound.code = api.copy_on_device(address, entry.address, entry.bytes, context_->stream());
  if (bound.code != success) {
    bound.problem = "the constant symbol " + entry.name + " cannot be filled: " + error_text(api, bound.code);
  }
  return true;
}

Arguments::Bound Arguments::bind(const Kernel& kernel) {
  Bound bound;
  bound.parameters.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size() && bound.problem.empty(); ++i) {
    Entry& entry = entries_[i];
    if (entry.kind == ArgumentKind::local) {
      bound.shared_bytes += entry.bytes;
      continue;
    }
    if (entry.kind == ArgumentKind::constant && fill_symbol(kernel, entry, bound)) continue;
    const std::size_t size = entry.kind == ArgumentKind::scalar ? entry.bytes : sizeof(Address);
    const std::size_t index = bound.parameters.size();
    if (kernel.knows_parameters() && index < kernel.parameters().size() && kernel.parameters()[index] != size) {
      bound.problem = "argument " + std::to_string(i + 1) + " (" + entry.name + ") has " + std::to_string(size) +
                      " bytes, the kernel's parameter " + std::to_string(kernel.parameters()[index]);
    }
    bound.parameters.push_back(entry.kind == ArgumentKind::scalar ? static_cast<void*>(entry.scalar.data())
                                                                  : static_cast<void*>(&entry.address));
  }
  if (bound.problem.empty() && kernel.knows_parameters() && kernel.parameters().size() != bound.parameters.size()) {
    bound.problem = "the kernel has " + std::to_string(kernel.parameters().size()) + " parameters, " +
                    std::to_string(bound.parameters.size()) +
                    " arguments were given (a constant argument whose __constant__ symbol was not found counts)";
  }
  return bound;
}

}  // namespace wattune::engine::cuda

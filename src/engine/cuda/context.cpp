#include "engine/cuda/context.hpp"

namespace wattune::engine::cuda {

Context::Context(const DriverApi& api, Ordinal device) : api_(api), device_(device) {
  Result code = api_.primary_context_retain(&primary_, device_);
  if (code != success) {
    // Seen with driver 580 after an illegal address: whatever is released or reset, the process gets no context again.
    throw Error(
        ExitCode::device, "no context on the device: " + error_text(api_, code), "cuda",
        is_sticky(code) ? "the process must start anew: run the same command again, it goes on where it stopped" : "");
  }
  current_ = primary_;
  code = open_lane();
  if (code != success) {
    api_.primary_context_release(device_);
    throw Error(ExitCode::device, "the device's context does not work: " + error_text(api_, code), "cuda");
  }
}

Context::~Context() {
  if (lost_) return;
  activate();
  leave_green();
  close_lane();
  api_.primary_context_release(device_);
}

void Context::activate() const {
  api_.context_set_current(current_);
}

Result Context::open_lane() {
  activate();
  // A stream of its own: no implicit order with the legacy stream, so all copies go through it too.
  Result code = api_.stream_create(&stream_, stream_non_blocking);
  if (code == success) code = api_.stream_synchronize(stream_);
  return code;
}

void Context::close_lane() {
  activate();
  for (const EventPair& pair : events_) {
    if (pair.begin != nullptr) api_.event_destroy(pair.begin);
    if (pair.end != nullptr) api_.event_destroy(pair.end);
  }
  events_.clear();
  if (stream_ != nullptr) api_.stream_destroy(stream_);
  stream_ = nullptr;
}

Result Context::reserve_events(std::size_t count) {
  while (events_.size() < count) {
    EventPair pair;
    Result code = api_.event_create(&pair.begin, 0);
    if (code == success) code = api_.event_create(&pair.end, 0);
    if (code != success) {
      if (pair.begin != nullptr) api_.event_destroy(pair.begin);
      return code;
    }
    events_.push_back(pair);
  }
  return success;
}

bool Context::partition(unsigned multiprocessors) {
  if (multiprocessors == 0) {
    if (green_ != nullptr) {
      leave_green();
      if (open_lane() != success) throw Error(ExitCode::device, "no stream after leaving a partition", "cuda");
    }
    return true;
  }
  const bool supported = api_.device_get_resource != nullptr && api_.split_by_count != nullptr &&
                         api_.generate_descriptor != nullptr && api_.green_create != nullptr &&
                         api_.green_destroy != nullptr && api_.context_from_green != nullptr;
  return supported && enter_green(multiprocessors);
}

bool Context::enter_green(unsigned multiprocessors) {
  DeviceResource all;
  DeviceResource part;
  unsigned groups = 1;
  if (api_.device_get_resource(device_, &all, resource_type_sm) != success) return false;
  if (multiprocessors > all.sm_count) return false;
  if (multiprocessors == all.sm_count) return partition(0);
  if (api_.split_by_count(&part, &groups, &all, nullptr, 0, multiprocessors) != success || groups == 0) return false;
  // The driver rounds up to what the architecture can do (a multiple of 8 on Hopper); another count than asked for
  // would put a measurement under the wrong name.
  if (part.sm_count != multiprocessors) return false;
  DescriptorObject* descriptor = nullptr;
  GreenObject* green = nullptr;
  ContextObject* context = nullptr;
  if (api_.generate_descriptor(&descriptor, &part, 1) != success) return false;
  if (api_.green_create(&green, descriptor, device_, green_default_stream) != success) return false;
  if (api_.context_from_green(&context, green) != success) {
    api_.green_destroy(green);
    return false;
  }
  if (green_ != nullptr) {
    leave_green();
  } else {
    close_lane();
  }
  green_ = green;
  current_ = context;
  if (open_lane() == success) return true;
  leave_green();
  if (open_lane() != success) throw Error(ExitCode::device, "no stream after a failed partition", "cuda");
  return false;
}

/// Back to the whole device; without a stream until open_lane().
void Context::leave_green() {
  if (green_ == nullptr) return;
  close_lane();  // streams of a green context must go before it
  current_ = primary_;
  activate();
  api_.green_destroy(green_);
  green_ = nullptr;
}

void Context::abandon() {
  if (lost_) return;
  lost_ = true;
  api_.context_set_current(nullptr);
  api_.primary_context_release(device_);
  // Other holders may remain in the process; the reset destroys the context whoever holds it.
  api_.primary_context_reset(device_);
}

}  // namespace wattune::engine::cuda

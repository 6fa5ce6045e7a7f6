// The device's primary context with the stream and events that launches use; optionally confined to part of the SMs.
// Shared by the engine and what it made. Once `lost`, nothing in it may be touched again, not even to free it.
#pragma once

#include <memory>
#include <vector>

#include "engine/cuda/driver_api.hpp"

namespace wattune::engine::cuda {

class Context {
 public:
  /// Retains the primary context and creates a stream. Throws Error(device) when the driver refuses.
  Context(const DriverApi& api, Ordinal device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const DriverApi& api() const { return api_; }
  [[nodiscard]] StreamObject* stream() const { return stream_; }
  [[nodiscard]] bool lost() const { return lost_; }

  /// Makes the context current for this thread; call before any driver call that needs one.
  void activate() const;

  struct EventPair {
    EventObject* begin = nullptr;
    EventObject* end = nullptr;
  };
  /// At least `count` pairs (made on demand); the driver's code when it refuses one.
  Result reserve_events(std::size_t count);
  [[nodiscard]] const EventPair& events(std::size_t index) const { return events_[index]; }

  /// Confines later launches to exactly `multiprocessors` (0: all). False, and nothing changed, where the driver
  /// cannot.
  bool partition(unsigned multiprocessors);

  /// After a sticky error: destroys the primary context. What lives in it is gone.
  void abandon();

 private:
  bool enter_green(unsigned multiprocessors);
  void leave_green();
  Result open_lane();
  void close_lane();

  const DriverApi& api_;
  Ordinal device_;
  ContextObject* primary_ = nullptr;
  ContextObject* current_ = nullptr;  ///< the primary one, or the same seen through a green context
  GreenObject* green_ = nullptr;
  StreamObject* stream_ = nullptr;
  std::vector<EventPair> events_;
  bool lost_ = false;
};

using SharedContext = std::shared_ptr<Context>;

}  // namespace wattune::engine::cuda

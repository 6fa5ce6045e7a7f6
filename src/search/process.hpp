// A search algorithm written as the textbook writes it: a coroutine that awaits the scores of configurations.
// This type only owns the coroutine; Scripted (scripted.hpp) resumes it, feeds it scores and throws it away to restart.
// It refuses to return values: a sub-algorithm hands results back through its arguments.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace wattune::search {

class Process {
 public:
  struct promise_type {
    std::exception_ptr failure;
    Process get_return_object() { return Process(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  Process() = default;
  Process(Process&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Process& operator=(Process&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Process() {
    if (handle_) handle_.destroy();
  }

  [[nodiscard]] Handle handle() const { return handle_; }

 private:
  explicit Process(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace wattune::search

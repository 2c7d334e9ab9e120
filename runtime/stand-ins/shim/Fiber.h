// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers: stacks that take turns on one thread.

#ifndef MOERT_STANDINS_SHIM_FIBER_H
#define MOERT_STANDINS_SHIM_FIBER_H

#include <cstddef>
#include <functional>

namespace moert::shim {

/// A function with its own stack, which can be suspended and resumed.
/// Sanitizers are notified of the current stack.
class Fiber {
public:
  /// `body` must never return. If it has no more work, it must suspend forever.
  explicit Fiber(std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber &) = delete;

  /// Runs the fiber on this thread until it suspends itself. Ends the process
  /// if the stack overflowed.
  void resume();
  /// Called on the fiber: returns to the code that resumed it.
  void suspend();

private:
  void enter();
  void prepare();
  static void start();

  std::function<void()> body;
  char *stack = nullptr;
  /// The suspended states of the fiber and of the code that resumed it: stack
  /// pointers, or contexts of the C library on processors without a switch of
  /// ours.
  void *own = nullptr, *caller = nullptr;
  /// State for the sanitizers.
  struct Sanitized {
    void *ownFrames = nullptr, *callerFrames = nullptr;
    const void *callerStack = nullptr;
    size_t callerBytes = 0;
    void *ownThread = nullptr, *callerThread = nullptr;
  } sanitized;
};

} // namespace moert::shim

#endif // MOERT_STANDINS_SHIM_FIBER_H

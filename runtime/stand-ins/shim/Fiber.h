// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks that take turns on one thread.

#ifndef MOERT_STANDINS_SHIM_FIBER_H
#define MOERT_STANDINS_SHIM_FIBER_H

#include <cstddef>
#include <functional>

namespace moert::shim {

/// A function with a stack of its own, which goes on where it gave way.
/// Sanitizers are told whose stack is in use.
class Fiber {
public:
  /// `body` never returns: when it has nothing more to do it gives way for
  /// good.
  explicit Fiber(std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber &) = delete;

  /// Runs the fiber on this thread until it gives way. Ends the process when
  /// the stack was too small.
  void resume();
  /// Called on the fiber: goes back to who resumed it.
  void suspend();

private:
  void enter();
  void prepare();
  static void start();

  std::function<void()> body;
  char *stack = nullptr;
  /// Where the fiber and who resumed it go on: stack pointers, or contexts of
  /// the C library where there is no switch of our own.
  void *own = nullptr, *caller = nullptr;
  /// What sanitizers want to know.
  struct Sanitized {
    void *ownFrames = nullptr, *callerFrames = nullptr;
    const void *callerStack = nullptr;
    size_t callerBytes = 0;
    void *ownThread = nullptr, *callerThread = nullptr;
  } sanitized;
};

} // namespace moert::shim

#endif // MOERT_STANDINS_SHIM_FIBER_H

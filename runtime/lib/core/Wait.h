// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deadlines and waiting of many threads.

#ifndef MOERT_CORE_WAIT_H
#define MOERT_CORE_WAIT_H

#include <atomic>
#include <chrono>
#include <cstdint>

namespace moert {

/// The point in time when a wait gives up.
class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  static Deadline inMicroseconds(int64_t microseconds);
  static Deadline at(Clock::time_point time) { return Deadline(time); }
  bool hasPassed() const { return Clock::now() >= time; }
  Clock::time_point getTime() const { return time; }
  Deadline extendedBy(int64_t microseconds) const {
    return Deadline(time + std::chrono::microseconds(microseconds));
  }
  /// Returns the remaining microseconds, at least 0.
  int64_t remainingUs() const {
    auto left = std::chrono::duration_cast<std::chrono::microseconds>(
        time - Clock::now());
    return left.count() > 0 ? left.count() : 0;
  }
  /// Returns the remaining milliseconds, at least 0 and at most `most`.
  int remainingMs(int most) const;

private:
  explicit Deadline(Clock::time_point time) : time(time) {}
  Clock::time_point time;
};

/// A signal for waiting threads. A thread that changes the state of a predicate
/// must call `notify` afterwards. A waiter first spins, which is fast if every
/// thread has a core; then yields, which is fast if threads share cores; and
/// then sleeps in the kernel, which frees its core.
class Signal {
public:
  /// Rounds of spinning before yielding; 0 if threads share cores.
  explicit Signal(unsigned spins = 0) : spins(spins) {}

  void notify() {
    word.fetch_add(1, std::memory_order_seq_cst);
    if (waiters.load(std::memory_order_seq_cst) != 0)
      wake();
  }

  /// Returns the last result of the predicate; false means that the deadline
  /// passed. Calls the predicate often, without locks.
  template <typename Predicate> bool wait(Predicate isDone, Deadline deadline) {
    if (isDone())
      return true;
    for (unsigned i = 0; i < spins; ++i) {
      pause();
      if (isDone())
        return true;
    }
    for (unsigned i = 0; i < kYields; ++i) {
      yield();
      if (isDone())
        return true;
    }
    for (;;) {
      waiters.fetch_add(1, std::memory_order_seq_cst);
      uint32_t seen = word.load(std::memory_order_seq_cst);
      bool done = isDone();
      if (!done && !deadline.hasPassed())
        sleep(seen, deadline);
      waiters.fetch_sub(1, std::memory_order_seq_cst);
      if (done || isDone())
        return true;
      if (deadline.hasPassed())
        return isDone();
    }
  }

private:
  static constexpr unsigned kYields = 64;
  static void pause();
  static void yield();
  void sleep(uint32_t seen, Deadline deadline);
  void wake();

  std::atomic<uint32_t> word{0};
  std::atomic<uint32_t> waiters{0};
  unsigned spins;
};

/// Returns the number of spins that are useful if `threads` threads wait for
/// each other on this machine.
unsigned getUsefulSpins(unsigned threads);

} // namespace moert

#endif // MOERT_CORE_WAIT_H

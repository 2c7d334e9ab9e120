// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deadlines and waiting.

#include "core/Wait.h"
#include <algorithm>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace moert;

Deadline Deadline::inMicroseconds(int64_t microseconds) {
  // Limit the time so that the clock does not overflow.
  constexpr int64_t kLongest = int64_t(1) << 50;
  return Deadline(Clock::now() +
                  std::chrono::microseconds(std::min(microseconds, kLongest)));
}

int Deadline::remainingMs(int most) const {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      time - Clock::now() + std::chrono::microseconds(999));
  return static_cast<int>(
      std::clamp<int64_t>(left.count(), 0, static_cast<int64_t>(most)));
}

void Signal::pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

void Signal::yield() { sched_yield(); }

void Signal::sleep(uint32_t seen, Deadline deadline) {
  auto left = deadline.getTime() - Deadline::Clock::now();
  // Wake up regularly, in case a predicate depends on more than the notified
  // state.
  auto capped = std::clamp<std::chrono::nanoseconds>(
      left, std::chrono::nanoseconds(0), std::chrono::milliseconds(100));
  timespec timeout;
  timeout.tv_sec = capped.count() / 1000000000;
  timeout.tv_nsec = capped.count() % 1000000000;
  static_assert(sizeof(word) == sizeof(uint32_t));
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAIT_PRIVATE,
          seen, &timeout, nullptr, 0);
}

void Signal::wake() {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAKE_PRIVATE,
          INT_MAX, nullptr, nullptr, 0);
}

unsigned moert::getUsefulSpins(unsigned threads) {
  static const unsigned cores =
      std::max(1u, std::thread::hardware_concurrency());
  return threads <= cores ? 2000 : 0;
}

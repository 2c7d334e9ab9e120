// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The life of an NCCL communicator.

#include "nccl/LiveComm.h"
#include <system_error>
#include <utility>

using namespace moert;
using namespace moert::nccl;
using namespace std::chrono_literals;

bool LiveComm::isEnding() {
  std::lock_guard<std::mutex> lock(mutex);
  return ending;
}

void LiveComm::begin(std::thread &thread, void (LiveComm::*work)()) {
  try {
    thread =
        std::thread([self = shared_from_this(), work] { ((*self).*work)(); });
  } catch (const std::system_error &) {
    // The system has no more threads.
    (this->*work)();
  }
}

void LiveComm::abort() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (aborting || gone)
      return;
    ending = aborting = true;
    gone = !isOurs;
  }
  if (isOurs)
    begin(aborter, &LiveComm::runAbort);
}

void LiveComm::close(Deadline deadline) {
  std::unique_lock<std::mutex> lock(mutex);
  bool isFirst = !std::exchange(ending, true);
  gone = gone || !isOurs;
  lock.unlock();
  if (!isOurs)
    return;
  if (isFirst)
    begin(closer, &LiveComm::runClose);
  lock.lock();
  bool ended =
      changed.wait_until(lock, deadline.getTime(), [&] { return gone; });
  lock.unlock();
  // Abort if NCCL does not end the communicator in time.
  if (!ended)
    abort();
}

bool LiveComm::waitForEnd(Deadline deadline) {
  std::unique_lock<std::mutex> lock(mutex);
  bool ended =
      changed.wait_until(lock, deadline.getTime(), [&] { return gone; });
  lock.unlock();
  for (std::thread *thread : {&closer, &aborter}) {
    if (!thread->joinable())
      continue;
    if (ended)
      thread->join();
    else
      thread->detach();
  }
  return ended;
}

void LiveComm::end(bool isWell) {
  constexpr int64_t kCloseUs = 2000000;
  if (isWell)
    close(Deadline::inMicroseconds(kCloseUs));
  else
    abort();
  (void)waitForEnd(Deadline::inMicroseconds(kEndUs));
}

void LiveComm::finish() {
  std::lock_guard<std::mutex> lock(mutex);
  gone = true;
  changed.notify_all();
}

void LiveComm::runAbort() {
  if (driver.CtxSetCurrent(context) != cuda::kSuccess)
    return;
  driver.tolerateCaptures();
  // In a group, NCCL immediately sets the flags that end kernels and calls, and
  // frees nothing before the end of the group, when no thread may be calling
  // NCCL. (Versions without groups of these calls free immediately.)
  std::unique_lock<std::timed_mutex> alone(calls, 100ms);
  nccl.GroupStart();
  nccl.CommAbort(comm);
  if (!alone && !alone.try_lock_for(20s))
    return; // A call never returned, so keep it.
  nccl.GroupEnd();
  finish();
}

void LiveComm::runClose() {
  if (driver.CtxSetCurrent(context) != cuda::kSuccess)
    return;
  driver.tolerateCaptures();
  std::lock_guard<std::timed_mutex> alone(calls);
  auto isGivenUp = [&] {
    std::lock_guard<std::mutex> lock(mutex);
    return aborting;
  };
  Result result = nccl.CommFinalize(comm);
  // The call may report success although it is still in progress.
  if (result == kSuccess || result == kInProgress)
    for (;;) {
      if (Result asked = nccl.CommGetAsyncError(comm, &result);
          asked != kSuccess)
        result = asked;
      if (result != kInProgress || isGivenUp())
        break;
      std::this_thread::sleep_for(100us);
    }
  std::unique_lock<std::mutex> lock(mutex);
  if (aborting)
    return;
  aborting = true;
  lock.unlock();
  if (result == kSuccess)
    nccl.CommDestroy(comm);
  else
    nccl.CommAbort(comm);
  finish();
}

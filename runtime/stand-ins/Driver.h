// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts, streams and events of the stand-in driver.

#ifndef MOERT_STANDINS_DRIVER_H
#define MOERT_STANDINS_DRIVER_H

#include "StandIn.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace moert::standin {

using cuda::kNotReady;
using cuda::kOutOfMemory;
using cuda::kSuccess;
using cuda::Result;

/// Results that the library has no name for.
constexpr Result kInvalidValue = 1, kInvalidDevice = 101, kInvalidImage = 200,
                 kInvalidContext = 201, kNoBinary = 209, kInvalidHandle = 400,
                 kNotFound = 500, kIllegalAddress = 700, kLaunchFailed = 719,
                 kNotSupported = 801;

class StreamState;
struct Capture;

/// The compute capability of all devices, 10 * major + minor.
int getCapability();

/// The primary context of a device.
struct ContextState {
  explicit ContextState(int device) : device(device) {}
  const int device;
  std::mutex mutex;
  unsigned retained = 0;
  std::set<std::shared_ptr<StreamState>> streams;
  /// What a kernel did wrong: from then on the answer to every call.
  std::atomic<Result> error{kSuccess};
};

/// The calling thread's context, or what a call answers without a good one.
Result getCurrent(ContextState *&context);

/// First thing in a function that needs a context: `context` is the calling
/// thread's.
#define NEEDS_CONTEXT                                                          \
  standin::ContextState *context = nullptr;                                    \
  if (int wrong = standin::getCurrent(context))                                \
  return wrong

/// One record of an event.
struct Mark {
  std::mutex mutex;
  std::condition_variable changed;
  bool reached = false;
  std::chrono::steady_clock::time_point time;
};

struct EventState {
  EventState(ContextState &context, bool isTimed)
      : context(context), isTimed(isTimed) {}
  ContextState &context;
  const bool isTimed;
  std::mutex mutex;
  std::shared_ptr<Mark> last;
  /// Whether it was recorded on a captured stream last, in which capture, and
  /// behind which of its nodes (Capture.h).
  bool isCaptured = false;
  std::weak_ptr<Capture> capture;
  std::set<size_t> behind;
};

/// A thread that does one thing after another.
class StreamState : public std::enable_shared_from_this<StreamState> {
public:
  StreamState(ContextState &context, int priority);
  void start();
  void enqueue(std::function<void()> work);
  bool isIdle();
  /// Waits until what was put on it before has been done.
  void wait();
  /// It ends when it has done everything; nobody waits for that.
  void close();

  ContextState &context;
  /// Streams are numbered from 1 as they are made.
  const unsigned number;
  /// Only noted: what is ready runs.
  const int priority;
  /// What records its work, if something does (Capture.h).
  std::shared_ptr<Capture> capture;

private:
  void loop();

  std::mutex mutex;
  std::condition_variable changed;
  /// What is to be done, and how long to sleep before.
  std::deque<std::pair<std::chrono::microseconds, std::function<void()>>> queue;
  uint64_t numEnqueued = 0, numDone = 0;
  bool isClosed = false;
  std::thread thread;
};

inline StreamState *get(cuda::Stream stream) {
  return reinterpret_cast<StreamState *>(stream);
}
inline EventState *get(cuda::Event event) {
  return reinterpret_cast<EventState *>(event);
}
inline ContextState *get(cuda::Context context) {
  return reinterpret_cast<ContextState *>(context);
}
inline unsigned getStreamNumber(cuda::Stream stream) {
  return get(stream)->number;
}

/// OK, or what a call answers to a stream that is none, is of another context
/// than the calling thread's, or whose capture is invalid.
Result verifyStream(cuda::Stream stream, const ContextState &context);

} // namespace moert::standin

#endif // MOERT_STANDINS_DRIVER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts, streams and events of the emulated driver.

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

/// Error codes that the library has no names for.
constexpr Result kInvalidValue = 1, kInvalidDevice = 101, kInvalidImage = 200,
                 kInvalidContext = 201, kNoBinary = 209, kInvalidHandle = 400,
                 kNotFound = 500, kIllegalAddress = 700, kLaunchFailed = 719,
                 kNotSupported = 801;

class StreamState;
struct Capture;

/// The compute capability of all devices, 10 * major + minor.
int getCapability();

struct ContextState {
  explicit ContextState(int device) : device(device) {}
  const int device;
  std::mutex mutex;
  unsigned retained = 0;
  std::set<std::shared_ptr<StreamState>> streams;
  /// The error of a kernel. All later calls return it.
  std::atomic<Result> error{kSuccess};
};

/// Returns the calling thread's context in `context`, or an error if there is
/// no valid one.
Result getCurrent(ContextState *&context);

/// Must be the first statement of a function that needs a context; defines
/// `context`, the calling thread's context.
#define NEEDS_CONTEXT                                                          \
  standin::ContextState *context = nullptr;                                    \
  if (int wrong = standin::getCurrent(context))                                \
  return wrong

/// One recording of an event.
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
  /// If the last recording was on a captured stream: the capture, and the nodes
  /// that the event depends on (Capture.h).
  bool isCaptured = false;
  std::weak_ptr<Capture> capture;
  std::set<size_t> behind;
};

/// A thread that runs work in order.
class StreamState : public std::enable_shared_from_this<StreamState> {
public:
  StreamState(ContextState &context, int priority);
  void start();
  void enqueue(std::function<void()> work);
  bool isIdle();
  /// Waits until all work that was enqueued before has ended.
  void wait();
  /// Ends the thread when it has run all its work, without waiting for that.
  void close();

  ContextState &context;
  /// Streams are numbered from 1 in the order of their creation.
  const unsigned number;
  /// Only recorded; it does not affect the execution.
  const int priority;
  /// The capture that records this stream; null if none does (Capture.h).
  std::shared_ptr<Capture> capture;

private:
  void loop();

  std::mutex mutex;
  std::condition_variable changed;
  /// The enqueued work, each with a time to sleep before it.
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

/// Returns success, or the error for a stream that is null, belongs to another
/// context than the calling thread's, or has an invalid capture.
Result verifyStream(cuda::Stream stream, const ContextState &context);

} // namespace moert::standin

#endif // MOERT_STANDINS_DRIVER_H

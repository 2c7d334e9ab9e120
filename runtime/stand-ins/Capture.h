// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams whose work is recorded, not done.

#ifndef MOERT_STANDINS_CAPTURE_H
#define MOERT_STANDINS_CAPTURE_H

#include "Driver.h"
#include <map>
#include <vector>

namespace moert::standin {

/// Results that have to do with capture.
constexpr Result kCaptureUnsupported = 900, kCaptureInvalidated = 901,
                 kCaptureMerge = 902, kCaptureUnmatched = 903,
                 kCaptureUnjoined = 904, kCaptureIsolation = 905,
                 kCapturedEvent = 907, kCaptureWrongThread = 908;

/// Whom a capture forbids calls that might wait for the device.
enum class CaptureMode { Global = 0, ThreadLocal = 1, Relaxed = 2 };

/// What streams do from the begin of a capture to its end.
struct Capture {
  StreamState *origin;
  CaptureMode mode;
  std::thread::id thread;
  bool isInvalid = false;
  /// In the order of the calls, in which they can be done one after another.
  std::vector<std::function<void()>> nodes;
  /// The streams that belong to it, and behind which nodes each is.
  std::map<StreamState *, std::set<size_t>> streams;
  /// Priorities of the streams, the most urgent first.
  std::set<int> priorities;
  /// Memory that was taken meanwhile: it is the graph's.
  std::vector<void *> memory;

  ~Capture();
};

/// Records work on a stream that is captured; false when it is not.
bool record(StreamState &stream, const std::function<void()> &work);
/// Memory for work on a captured stream; false when it is not captured.
bool recordMemory(StreamState &stream, void *memory);
/// Memory that is freed on a captured stream, for which it was taken, stays the
/// graph's; other memory is refused there. False when it is not captured.
bool recordFree(StreamState &stream, void *memory, Result &result);

/// First thing in calls that might wait for the device: OK, or that a capture
/// forbids them, which is invalid from then on.
Result verifySafe();
/// OK, or why a call that asks for a stream's or an event's progress fails.
Result verifyNotCaptured(StreamState &stream);
Result verifyNotCaptured(EventState &event);
/// OK, or that the stream's capture is invalid.
Result verifyValid(StreamState &stream);

/// An event on a captured stream, and a wait for it; `isDone` says whether
/// capture had to do with it, and that was all.
Result recordEvent(EventState &event, StreamState &stream, bool &isDone);
Result waitEvent(StreamState &stream, EventState &event, bool &isDone);

/// First thing in a function that might wait for the device.
#define NEEDS_NO_CAPTURE                                                       \
  if (int forbidden = standin::verifySafe())                                   \
  return forbidden

} // namespace moert::standin

#endif // MOERT_STANDINS_CAPTURE_H

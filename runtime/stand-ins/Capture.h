// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: records the work of streams instead of running it.

#ifndef MOERT_STANDINS_CAPTURE_H
#define MOERT_STANDINS_CAPTURE_H

#include "Driver.h"
#include <map>
#include <vector>

namespace moert::standin {

/// Error codes of stream capture.
constexpr Result kCaptureUnsupported = 900, kCaptureInvalidated = 901,
                 kCaptureMerge = 902, kCaptureUnmatched = 903,
                 kCaptureUnjoined = 904, kCaptureIsolation = 905,
                 kCapturedEvent = 907, kCaptureWrongThread = 908;

/// The threads that must not make calls that might wait for the device.
enum class CaptureMode { Global = 0, ThreadLocal = 1, Relaxed = 2 };

/// The work of streams between the begin and the end of a capture.
struct Capture {
  StreamState *origin;
  CaptureMode mode;
  std::thread::id thread;
  bool isInvalid = false;
  /// In the order of the calls, which is a valid order of execution.
  std::vector<std::function<void()>> nodes;
  /// The captured streams, each with the nodes that its next node depends on.
  std::map<StreamState *, std::set<size_t>> streams;
  /// Priorities of the streams, the most urgent first.
  std::set<int> priorities;
  /// Memory that was allocated during the capture; the graph owns it.
  std::vector<void *> memory;

  ~Capture();
};

/// Records work if the stream is captured; returns false otherwise.
bool record(StreamState &stream, const std::function<void()> &work);
/// Records memory for work on a captured stream; returns false if the stream is
/// not captured.
bool recordMemory(StreamState &stream, void *memory);
/// Handles memory that is freed on a captured stream. Memory that was allocated
/// for this stream stays with the graph; freeing other memory is an error.
/// Returns false if the stream is not captured.
bool recordFree(StreamState &stream, void *memory, Result &result);

/// Must be called first in functions that might wait for the device. Returns
/// success, or the error of a capture that forbids the call; this capture
/// becomes invalid.
Result verifySafe();
/// Returns success, or the error for a query of the progress of a captured
/// stream or event.
Result verifyNotCaptured(StreamState &stream);
Result verifyNotCaptured(EventState &event);
/// Returns success, or an error if the stream's capture is invalid.
Result verifyValid(StreamState &stream);

/// Handle recording of and waiting for an event during a capture. Set `isDone`
/// if the capture handled the call completely.
Result recordEvent(EventState &event, StreamState &stream, bool &isDone);
Result waitEvent(StreamState &stream, EventState &event, bool &isDone);

/// Must be the first statement of a function that might wait for the device.
#define NEEDS_NO_CAPTURE                                                       \
  if (int forbidden = standin::verifySafe())                                   \
  return forbidden

} // namespace moert::standin

#endif // MOERT_STANDINS_CAPTURE_H

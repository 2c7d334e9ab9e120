// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: records the work of streams instead of running it.

// The rules are CUDA's: a captured stream and the streams that wait for its
// events are recorded. Querying their progress, or calling a function that
// might wait for the device while a capture forbids that, is an error and
// invalidates the capture. A graph runs its nodes one after the other.

#include "Capture.h"
#include <algorithm>

using namespace moert;
using namespace moert::cuda;
using namespace moert::standin;

namespace {
/// All active captures. One lock protects all captures, streams and events.
struct Captures {
  std::mutex mutex;
  std::set<std::shared_ptr<Capture>> active;
};
} // namespace

static Captures &getCaptures() {
  static auto *captures = new Captures;
  return *captures;
}

static thread_local CaptureMode threadMode = CaptureMode::Global;

Capture::~Capture() {
  for (void *piece : memory)
    (void)release(piece);
}

static size_t addNode(Capture &capture, StreamState &stream,
                      std::function<void()> work) {
  size_t number = capture.nodes.size();
  capture.nodes.push_back(std::move(work));
  capture.streams[&stream].insert(number);
  capture.priorities.insert(stream.priority);
  return number;
}

bool standin::record(StreamState &stream, const std::function<void()> &work) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  if (!stream.capture)
    return false;
  addNode(*stream.capture, stream, work);
  return true;
}

bool standin::recordMemory(StreamState &stream, void *memory) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  if (!stream.capture)
    return false;
  stream.capture->memory.push_back(memory);
  return true;
}

bool standin::recordFree(StreamState &stream, void *memory, Result &result) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  if (!stream.capture)
    return false;
  const std::vector<void *> &own = stream.capture->memory;
  bool isOwn = std::find(own.begin(), own.end(), memory) != own.end();
  result = isOwn ? kSuccess : kInvalidValue;
  return true;
}

Result standin::verifySafe() {
  Captures &captures = getCaptures();
  std::lock_guard<std::mutex> lock(captures.mutex);
  Result result = kSuccess;
  for (const auto &capture : captures.active) {
    bool isOwn = capture->thread == std::this_thread::get_id();
    bool forbids = isOwn ? capture->mode != CaptureMode::Relaxed &&
                               threadMode != CaptureMode::Relaxed
                         : capture->mode == CaptureMode::Global &&
                               threadMode == CaptureMode::Global;
    if (!forbids)
      continue;
    capture->isInvalid = true;
    result = kCaptureUnsupported;
  }
  return result;
}

Result standin::verifyNotCaptured(StreamState &stream) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  if (!stream.capture)
    return kSuccess;
  stream.capture->isInvalid = true;
  return kCaptureUnsupported;
}

Result standin::verifyNotCaptured(EventState &event) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  std::shared_ptr<Capture> capture = event.capture.lock();
  if (capture)
    capture->isInvalid = true;
  return event.isCaptured ? kCapturedEvent : kSuccess;
}

Result standin::verifyValid(StreamState &stream) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  return stream.capture && stream.capture->isInvalid ? kCaptureInvalidated
                                                     : kSuccess;
}

Result standin::recordEvent(EventState &event, StreamState &stream,
                            bool &isDone) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  event.isCaptured = isDone = stream.capture != nullptr;
  event.capture = stream.capture;
  if (stream.capture)
    event.behind = stream.capture->streams[&stream];
  return kSuccess;
}

Result standin::waitEvent(StreamState &stream, EventState &event,
                          bool &isDone) {
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  std::shared_ptr<Capture> capture = event.capture.lock();
  isDone = stream.capture || event.isCaptured;
  if (!isDone)
    return kSuccess;
  if (event.isCaptured && !capture)
    return kCapturedEvent;
  if (!event.isCaptured) {
    // Work of a graph cannot wait for work outside of it.
    std::lock_guard<std::mutex> eventLock(event.mutex);
    if (!event.last)
      return kSuccess;
    stream.capture->isInvalid = true;
    return kCaptureIsolation;
  }
  if (stream.capture && stream.capture != capture) {
    stream.capture->isInvalid = capture->isInvalid = true;
    return kCaptureMerge;
  }
  stream.capture = capture;
  capture->streams[&stream].insert(event.behind.begin(), event.behind.end());
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

STAND_IN_API Result cuStreamBeginCapture_v2(Stream stream, int mode) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context))
    return wrong;
  if (mode < 0 || mode > 2)
    return kInvalidValue;
  Captures &captures = getCaptures();
  std::lock_guard<std::mutex> lock(captures.mutex);
  StreamState *state = get(stream);
  if (state->capture)
    return kInvalidValue;
  auto made = std::make_shared<Capture>();
  made->origin = state;
  made->mode = static_cast<CaptureMode>(mode);
  made->thread = std::this_thread::get_id();
  made->streams[state];
  state->capture = made;
  captures.active.insert(made);
  return kSuccess;
}

/// A graph and an executable graph have the same representation here.
using GraphState = std::shared_ptr<Capture>;

STAND_IN_API Result cuStreamEndCapture(Stream stream, Graph *graph) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context);
      wrong && wrong != kCaptureInvalidated)
    return wrong;
  *graph = nullptr;
  Captures &captures = getCaptures();
  std::lock_guard<std::mutex> lock(captures.mutex);
  std::shared_ptr<Capture> capture = get(stream)->capture;
  if (!capture)
    return kInvalidValue;
  if (capture->origin != get(stream)) {
    capture->isInvalid = true;
    return kCaptureUnmatched;
  }
  if (capture->mode != CaptureMode::Relaxed &&
      capture->thread != std::this_thread::get_id())
    return kCaptureWrongThread;
  captures.active.erase(capture);
  for (auto &[member, behind] : capture->streams)
    member->capture = nullptr;
  if (capture->isInvalid)
    return kCaptureInvalidated;
  // The first stream must wait for the last work of all other streams.
  if (capture->streams[get(stream)].size() != capture->nodes.size())
    return kCaptureUnjoined;
  *graph = reinterpret_cast<Graph>(new GraphState(std::move(capture)));
  return kSuccess;
}

STAND_IN_API Result cuStreamIsCapturing(Stream stream, int *status) {
  CALL(stream);
  std::lock_guard<std::mutex> lock(getCaptures().mutex);
  const std::shared_ptr<Capture> &capture = get(stream)->capture;
  *status = !capture ? 0 : capture->isInvalid ? 2 : 1;
  return kSuccess;
}

STAND_IN_API Result cuThreadExchangeStreamCaptureMode(int *mode) {
  CALL();
  if (*mode < 0 || *mode > 2)
    return kInvalidValue;
  auto before = static_cast<int>(threadMode);
  threadMode = static_cast<CaptureMode>(*mode);
  *mode = before;
  return kSuccess;
}

STAND_IN_API Result cuGraphInstantiateWithFlags(GraphExec *executable,
                                                Graph graph,
                                                unsigned long long flags) {
  // Nodes have the priority of the stream that they were captured from, or of
  // the stream that launches them.
  constexpr unsigned long long kUseNodePriority = 8;
  std::string priorities;
  for (int priority : (*reinterpret_cast<GraphState *>(graph))->priorities)
    priorities += (priorities.empty() ? "" : ",") + std::to_string(priority);
  CALL(nullptr,
       "priorities=" + (flags & kUseNodePriority ? priorities : "launch"));
  *executable = reinterpret_cast<GraphExec>(
      new GraphState(*reinterpret_cast<GraphState *>(graph)));
  return kSuccess;
}
STAND_IN_API Result cuGraphLaunch(GraphExec executable, Stream stream) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context))
    return wrong;
  get(stream)->enqueue([capture = *reinterpret_cast<GraphState *>(executable)] {
    for (const std::function<void()> &node : capture->nodes)
      node();
  });
  return kSuccess;
}
STAND_IN_API Result cuGraphDestroy(Graph graph) {
  CALL();
  delete reinterpret_cast<GraphState *>(graph);
  return kSuccess;
}
STAND_IN_API Result cuGraphExecDestroy(GraphExec executable) {
  CALL();
  delete reinterpret_cast<GraphState *>(executable);
  return kSuccess;
}

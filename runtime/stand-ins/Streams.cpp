// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of the emulated driver.

#include "Capture.h"
#include "Driver.h"
#include <algorithm>

using namespace moert;
using namespace moert::cuda;
using namespace moert::standin;

static std::atomic<unsigned> numStreams{0};

StreamState::StreamState(ContextState &context, int priority)
    : context(context), number(++numStreams), priority(priority) {}

void StreamState::start() {
  // The thread keeps the stream alive while it has work.
  thread = std::thread([self = shared_from_this()] { self->loop(); });
}

void StreamState::loop() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [this] { return isClosed || !queue.empty(); });
    if (queue.empty())
      return;
    auto [pause, work] = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    if (pause.count())
      std::this_thread::sleep_for(pause);
    work();
    // Destroys the captured state of the work before counting it as done.
    work = nullptr;
    lock.lock();
    ++numDone;
    changed.notify_all();
  }
}

/// MOERT_STAND_IN_JITTER=MICROSECONDS: a stream sleeps for up to this time
/// before about half of its work, at random by MOERT_STAND_IN_SEED. This
/// changes the order of all work that is not ordered by events.
static std::chrono::microseconds drawPause(unsigned stream, uint64_t step) {
  long long most = getNumber("MOERT_STAND_IN_JITTER", 0);
  if (most <= 0)
    return {};
  auto seed = static_cast<uint64_t>(getNumber("MOERT_STAND_IN_SEED", 1));
  // SplitMix64.
  uint64_t z = (seed << 48) + (uint64_t{stream} << 32) + step;
  z = (z + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  uint64_t pause = z & 1 ? (z >> 1) % (static_cast<uint64_t>(most) + 1) : 0;
  return std::chrono::microseconds(pause);
}

void StreamState::enqueue(std::function<void()> work) {
  if (record(*this, work))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  queue.emplace_back(drawPause(number, numEnqueued), std::move(work));
  ++numEnqueued;
  changed.notify_all();
}

bool StreamState::isIdle() {
  std::lock_guard<std::mutex> lock(mutex);
  return numDone == numEnqueued;
}

void StreamState::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  uint64_t last = numEnqueued;
  changed.wait(lock, [&] { return numDone >= last; });
}

void StreamState::close() {
  bool isDone;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isClosed = true;
    isDone = numDone == numEnqueued;
    changed.notify_all();
  }
  if (isDone)
    thread.join();
  else
    thread.detach();
}

void standin::enqueue(Stream stream, std::function<void()> work) {
  get(stream)->enqueue(std::move(work));
}

void standin::synchronize(Context handle) {
  ContextState *context = get(handle);
  std::set<std::shared_ptr<StreamState>> streams;
  {
    std::lock_guard<std::mutex> lock(context->mutex);
    streams = context->streams;
  }
  for (const auto &stream : streams)
    stream->wait();
}

Result standin::verifyStream(Stream stream, const ContextState &context) {
  // The default stream is not supported, because it would synchronize with all
  // other streams.
  if (!stream)
    return kNotSupported;
  if (&get(stream)->context != &context)
    return kInvalidHandle;
  return verifyValid(*get(stream));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// The default is the number of priorities of GPUs since Volta;
/// MOERT_STAND_IN_PRIORITIES changes it.
static int getGreatestPriority() {
  return static_cast<int>(1 - getNumber("MOERT_STAND_IN_PRIORITIES", 6));
}

STAND_IN_API Result cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  CALL();
  NEEDS_CONTEXT;
  *least = 0;
  *greatest = getGreatestPriority();
  return kSuccess;
}
STAND_IN_API Result cuStreamCreateWithPriority(Stream *stream, unsigned,
                                               int priority) {
  NEEDS_CONTEXT;
  // Other priorities are clamped to the range.
  priority = std::clamp(priority, getGreatestPriority(), 0);
  auto made = std::make_shared<StreamState>(*context, priority);
  CALL(reinterpret_cast<Stream>(made.get()),
       "priority=" + std::to_string(priority));
  made->start();
  *stream = reinterpret_cast<Stream>(made.get());
  std::lock_guard<std::mutex> lock(context->mutex);
  context->streams.insert(std::move(made));
  return kSuccess;
}
STAND_IN_API Result cuStreamCreate(Stream *stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}
STAND_IN_API Result cuStreamDestroy_v2(Stream stream) {
  CALL(stream);
  std::shared_ptr<StreamState> state = get(stream)->shared_from_this();
  {
    std::lock_guard<std::mutex> lock(state->context.mutex);
    state->context.streams.erase(state);
  }
  state->close();
  return kSuccess;
}
STAND_IN_API Result cuStreamGetCtx(Stream stream, Context *context) {
  CALL(stream);
  if (!stream)
    return kNotSupported;
  *context = reinterpret_cast<Context>(&get(stream)->context);
  return kSuccess;
}
STAND_IN_API Result cuStreamQuery(Stream stream) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (!stream)
    return kNotSupported;
  if (Result wrong = verifyNotCaptured(*get(stream)))
    return wrong;
  NEEDS_NO_CAPTURE;
  return get(stream)->isIdle() ? kSuccess : kNotReady;
}
STAND_IN_API Result cuStreamSynchronize(Stream stream) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (!stream)
    return kNotSupported;
  if (Result wrong = verifyNotCaptured(*get(stream)))
    return wrong;
  NEEDS_NO_CAPTURE;
  get(stream)->wait();
  return context->error.load();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

STAND_IN_API Result cuEventCreate(Event *event, unsigned flags) {
  CALL();
  NEEDS_CONTEXT;
  constexpr unsigned kDisableTiming = 2;
  *event = reinterpret_cast<Event>(
      new EventState(*context, !(flags & kDisableTiming)));
  return kSuccess;
}
STAND_IN_API Result cuEventDestroy_v2(Event event) {
  CALL();
  delete get(event);
  return kSuccess;
}
STAND_IN_API Result cuEventRecord(Event event, Stream stream) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, get(event)->context))
    return wrong;
  bool isDone = false;
  if (Result wrong = recordEvent(*get(event), *get(stream), isDone);
      wrong || isDone)
    return wrong;
  auto mark = std::make_shared<Mark>();
  {
    std::lock_guard<std::mutex> lock(get(event)->mutex);
    get(event)->last = mark;
  }
  get(stream)->enqueue([mark] {
    std::lock_guard<std::mutex> lock(mark->mutex);
    mark->reached = true;
    mark->time = std::chrono::steady_clock::now();
    mark->changed.notify_all();
  });
  return kSuccess;
}
static std::shared_ptr<Mark> getMark(Event event) {
  std::lock_guard<std::mutex> lock(get(event)->mutex);
  return get(event)->last;
}
static bool isReached(const std::shared_ptr<Mark> &mark) {
  if (!mark)
    return true;
  std::lock_guard<std::mutex> lock(mark->mutex);
  return mark->reached;
}
static void waitFor(const std::shared_ptr<Mark> &mark) {
  if (!mark)
    return;
  std::unique_lock<std::mutex> lock(mark->mutex);
  mark->changed.wait(lock, [&] { return mark->reached; });
}
STAND_IN_API Result cuEventQuery(Event event) {
  CALL();
  NEEDS_CONTEXT;
  if (Result wrong = verifyNotCaptured(*get(event)))
    return wrong;
  NEEDS_NO_CAPTURE;
  return isReached(getMark(event)) ? kSuccess : kNotReady;
}
STAND_IN_API Result cuEventSynchronize(Event event) {
  CALL();
  NEEDS_CONTEXT;
  if (Result wrong = verifyNotCaptured(*get(event)))
    return wrong;
  NEEDS_NO_CAPTURE;
  waitFor(getMark(event));
  return context->error.load();
}
STAND_IN_API Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (!stream)
    return kNotSupported;
  if (Result wrong = verifyValid(*get(stream)))
    return wrong;
  bool isDone = false;
  if (Result wrong = waitEvent(*get(stream), *get(event), isDone);
      wrong || isDone)
    return wrong;
  if (std::shared_ptr<Mark> mark = getMark(event))
    get(stream)->enqueue([mark] { waitFor(mark); });
  return kSuccess;
}
STAND_IN_API Result cuEventElapsedTime(float *ms, Event start, Event end) {
  CALL();
  std::shared_ptr<Mark> from = getMark(start), to = getMark(end);
  if (!from || !to || !get(start)->isTimed || !get(end)->isTimed)
    return kInvalidHandle;
  if (!isReached(from) || !isReached(to))
    return kNotReady;
  *ms = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return kSuccess;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: buffers, streams and events.

#include "core/Guard.h"
#include "core/Objects.h"
#include <cmath>

using namespace moert;

/// Registers an object, so that it is destroyed with its context.
template <typename T>
static void remember(moert_context &context, std::set<T *> &objects,
                     T *object) {
  object->context = &context;
  std::lock_guard<std::mutex> lock(context.mutex);
  objects.insert(object);
}

template <typename T>
static void forget(moert_context &context, std::set<T *> &objects, T *object) {
  std::lock_guard<std::mutex> lock(context.mutex);
  objects.erase(object);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Status moert::allocate(moert_context &context, size_t bytes,
                       moert_memory_space space, moert_buffer *&buffer) {
  buffer = context.spareBuffers.take(bytes, space);
  if (!buffer) {
    Status status = context.createBuffer(bytes, space, &buffer);
    // Spare buffers of other sizes may occupy the missing memory.
    if (!status.ok() && context.spareBuffers.clear())
      status = context.createBuffer(bytes, space, &buffer);
    if (!status.ok()) {
      context.spareBuffers.giveUp(bytes);
      return status;
    }
    buffer->space = space;
    ++context.counts.buffers;
  }
  remember(context, context.buffers, buffer);
  return {};
}

void moert::release(moert_buffer *buffer) {
  moert_context &context = *buffer->context;
  forget(context, context.buffers, buffer);
  context.spareBuffers.give(buffer);
}

moert_status moert_buffer_create(moert_context *context, size_t bytes,
                                 moert_memory_space space,
                                 moert_buffer **buffer) {
  return guard(context, __func__, [&] {
    if (!context || !buffer)
      return missing(context ? "a place for the buffer" : "a context");
    *buffer = nullptr;
    if (space != MOERT_MEMORY_HOST && space != MOERT_MEMORY_DEVICE)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a known memory space, "
                   "got %d",
                   static_cast<int>(space));
    return allocate(*context, bytes, space, *buffer);
  });
}

moert_status moert_buffer_destroy(moert_buffer *buffer) {
  moert_context *context = buffer ? buffer->context : nullptr;
  return guard(context, __func__, [&] {
    if (!buffer)
      return missing("a buffer");
    release(buffer);
    return Status();
  });
}

void *moert_buffer_data(const moert_buffer *buffer) {
  return buffer ? buffer->data : nullptr;
}

size_t moert_buffer_size(const moert_buffer *buffer) {
  return buffer ? buffer->size : 0;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

static Status createStream(moert_context &context, const char *name,
                           int32_t priority, moert_stream *&stream) {
  Status status = context.createStream(name, priority, &stream);
  if (!status.ok())
    return status;
  stream->priority = priority;
  ++context.counts.streams;
  remember(context, context.streams, stream);
  return status;
}

moert_status moert_stream_create(moert_context *context, const char *name,
                                 int32_t priority, moert_stream **stream) {
  return guard(context, __func__, [&] {
    if (!context || !stream)
      return missing(context ? "a place for the stream" : "a context");
    *stream = nullptr;
    return createStream(*context, name ? name : "unnamed", priority, *stream);
  });
}

Status moert::getKeptStream(moert_context &context, const char *name,
                            int32_t priority, moert_stream *&stream) {
  std::lock_guard<std::mutex> lock(context.keptMutex);
  moert_stream *&kept = context.keptStreams[{name, priority}];
  if (!kept) {
    Status status = createStream(context, name, priority, kept);
    if (!status.ok())
      return status;
    kept->isKept = true;
  }
  stream = kept;
  return {};
}

moert_status moert_stream_get(moert_context *context, const char *name,
                              int32_t priority, moert_stream **stream) {
  return guard(context, __func__, [&] {
    if (!context || !name || !stream)
      return missing(!context ? "a context"
                     : name   ? "a place for the stream"
                              : "a name");
    *stream = nullptr;
    return getKeptStream(*context, name, priority, *stream);
  });
}

moert_status moert_stream_adopt(moert_context *context, const char *name,
                                void *native_stream, moert_stream **stream) {
  return guard(context, __func__, [&] {
    if (!context || !stream)
      return missing(context ? "a place for the stream" : "a context");
    *stream = nullptr;
    Status status = context->adoptStream(native_stream, stream);
    if (!status.ok())
      return status;
    (*stream)->context = context;
    (*stream)->name = name ? name : "adopted";
    (*stream)->isAdopted = true;
    remember(*context, context->streams, *stream);
    return Status();
  });
}

moert_status moert_stream_destroy(moert_stream *stream) {
  moert_context *context = stream ? stream->context : nullptr;
  return guard(context, __func__, [&] {
    if (!stream)
      return missing("a stream");
    if (stream->isKept)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a stream of moert_stream_create, got the job's "
                   "stream '%s', which moert_finalize destroys",
                   stream->name.c_str());
    if (stream->numComms != 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected all communicators of stream '%s' to be "
                   "destroyed, got %d left",
                   stream->name.c_str(), stream->numComms);
    // Running work keeps its stream, unless the stream is the caller's.
    if (!stream->isAdopted &&
        !stream->drain(Deadline::inMicroseconds(context->deadlineUs)))
      return error(MOERT_DEADLINE_EXCEEDED,
                   "the work on stream '%s' did not end before the deadline",
                   stream->name.c_str());
    forget(*context, context->streams, stream);
    delete stream;
    return Status();
  });
}

moert_status moert_stream_leave_sms(moert_stream *stream, int32_t sms) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream)
      return missing("a stream");
    if (sms < 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a number of SMs of at least 0, got %d", sms);
    return stream->leaveSms(sms);
  });
}

moert_status moert_stream_set_scratch(moert_stream *stream, void *memory,
                                      int64_t bytes) {
  // A program withdraws its memory also when it fails, and the caller then
  // reads why. A success in `guard` would clear that.
  if (stream && !memory && bytes == 0 && stream->setScratch(nullptr, 0).ok())
    return MOERT_OK;
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream)
      return missing("a stream");
    if (bytes < 0 || (bytes > 0 && !memory))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected at least 0 bytes, and memory for them, got %lld "
                   "bytes at %p",
                   static_cast<long long>(bytes), memory);
    if (reinterpret_cast<uintptr_t>(memory) % MOERT_WORKSPACE_ALIGNMENT != 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected memory aligned to %d bytes, got %p",
                   MOERT_WORKSPACE_ALIGNMENT, memory);
    return stream->setScratch(memory, static_cast<size_t>(bytes));
  });
}

moert_status moert_stream_synchronize(moert_stream *stream,
                                      int64_t deadline_us) {
  moert_context *context = stream ? stream->context : nullptr;
  return guard(context, __func__, [&] {
    if (!stream)
      return missing("a stream");
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = makeDeadline(*context, deadline_us, deadline);
    ++context->counts.waits;
    return status.ok() ? stream->synchronize(deadline) : status;
  });
}

moert_status moert_launch(moert_stream *stream, const char *name,
                          int (*function)(void *), void *argument) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream || !function)
      return missing(stream ? "a function" : "a stream");
    return stream->launch(name ? name : "unnamed", function, argument, 0);
  });
}

moert_status moert_launch_packed(moert_stream *stream, const char *name,
                                 int (*function)(void *), const void *argument,
                                 size_t bytes) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream || !function)
      return missing(stream ? "a function" : "a stream");
    if (bytes && !argument)
      return missing("an argument");
    return stream->launch(name ? name : "unnamed", function,
                          const_cast<void *>(argument), bytes);
  });
}

moert_status moert_delay(moert_stream *stream, double duration_us) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream)
      return missing("a stream");
    if (!(duration_us >= 0) || duration_us > 1e12)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a duration in [0, 1e12] us, got %g", duration_us);
    return stream->delay(duration_us);
  });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static Status createEvent(moert_context &context, bool isTimed,
                          moert_event *&event) {
  Status status = context.createEvent(isTimed, &event);
  if (!status.ok())
    return status;
  event->isTimed = isTimed;
  remember(context, context.events, event);
  ++context.counts.events;
  return {};
}

Status moert::reserveEvents(moert_context &context, size_t count) {
  std::lock_guard<std::mutex> lock(context.keptMutex);
  while (context.keptEvents.size() < count) {
    moert_event *event = nullptr;
    Status status = createEvent(context, /*isTimed=*/false, event);
    if (!status.ok())
      return status;
    event->isKept = true;
    context.keptEvents.push_back(event);
  }
  return {};
}

static moert_status createEvent(const char *call, moert_context *context,
                                bool isTimed, moert_event **event) {
  return guard(context, call, [&] {
    if (!context || !event)
      return missing(context ? "a place for the event" : "a context");
    *event = nullptr;
    return createEvent(*context, isTimed, *event);
  });
}

moert_status moert_event_create(moert_context *context, moert_event **event) {
  return createEvent(__func__, context, /*isTimed=*/false, event);
}

moert_status moert_event_create_timed(moert_context *context,
                                      moert_event **event) {
  return createEvent(__func__, context, /*isTimed=*/true, event);
}

moert_status moert_event_destroy(moert_event *event) {
  moert_context *context = event ? event->context : nullptr;
  return guard(context, __func__, [&] {
    if (!event)
      return missing("an event");
    if (event->isKept)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected an event of moert_event_create, got one of "
                   "moert_event_get, which moert_finalize destroys");
    forget(*context, context->events, event);
    delete event;
    return Status();
  });
}

static Status verifySameContext(const moert_context *a,
                                const moert_context *b) {
  if (a == b)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "expected objects of one context, got one of rank %d and one "
               "of rank %d",
               a->rank, b->rank);
}

moert_status moert_event_record(moert_event *event, moert_stream *stream) {
  return guard(event ? event->context : nullptr, __func__, [&] {
    if (!event || !stream)
      return missing(event ? "a stream" : "an event");
    Status status = verifySameContext(event->context, stream->context);
    return status.ok() ? event->record(*stream) : status;
  });
}

moert_status moert_stream_wait_event(moert_stream *stream, moert_event *event) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!event || !stream)
      return missing(stream ? "an event" : "a stream");
    Status status = verifySameContext(stream->context, event->context);
    return status.ok() ? stream->waitEvent(*event) : status;
  });
}

moert_status moert_event_query(moert_event *event, int *reached) {
  return guard(event ? event->context : nullptr, __func__, [&] {
    if (!event || !reached)
      return missing(event ? "a place for the answer" : "an event");
    bool isReached = false;
    Status status = event->query(isReached);
    *reached = isReached;
    return status;
  });
}

moert_status moert_event_synchronize(moert_event *event, int64_t deadline_us) {
  moert_context *context = event ? event->context : nullptr;
  return guard(context, __func__, [&] {
    if (!event)
      return missing("an event");
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = makeDeadline(*context, deadline_us, deadline);
    ++context->counts.waits;
    return status.ok() ? event->synchronize(deadline) : status;
  });
}

moert_status moert_event_elapsed(moert_event *start, moert_event *end,
                                 double *elapsed_us) {
  return guard(start ? start->context : nullptr, __func__, [&] {
    if (!start || !end || !elapsed_us)
      return missing(start && end ? "a place for the time" : "two events");
    Status status = verifySameContext(start->context, end->context);
    if (status.ok() && !(start->isTimed && end->isTimed))
      status = error(MOERT_INVALID_ARGUMENT,
                     "expected two events of moert_event_create_timed, got %s "
                     "of moert_event_create",
                     start->isTimed ? "the second"
                     : end->isTimed ? "the first"
                                    : "both");
    return status.ok() ? start->getElapsed(*end, *elapsed_us) : status;
  });
}

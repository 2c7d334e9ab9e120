// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records when work on streams runs.

#include "Recorder.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "llvm/ADT/STLExtras.h"

using namespace moe;

/// The recorder of the thread that runs compiled code. It is thread-local
/// because the runtime's functions cannot carry it, and because the backend
/// `host` has one recorder per rank.
static thread_local Recorder *current = nullptr;

Recorder *Recorder::getCurrent() { return current; }

Recorder::~Recorder() {
  for (const Piece &piece : pieces) {
    moert_event_destroy(piece.start);
    moert_event_destroy(piece.end);
  }
  if (origin)
    moert_event_destroy(origin);
}

moert_status Recorder::run(llvm::function_ref<moert_status()> function) {
  emulated.assign(tasks.size(), false);
  current = this;
  moert_status status = function();
  current = nullptr;
  streamNumbers.clear();
  comms.clear();
  return status;
}

cost::Result<RankTimeline> Recorder::takeTimeline() {
  RankTimeline timeline;
  moert_status status = MOERT_OK;
  auto getTime = [&](moert_event *event) {
    double us = 0;
    if (status == MOERT_OK)
      status = moert_event_elapsed(origin, event, &us);
    return us;
  };
  for (const Piece &piece : pieces) {
    TimelineEvent event{piece.task, piece.stream, getTime(piece.start),
                        getTime(piece.end)};
    // Consecutive pieces of a task are merged into one event.
    if (!timeline.events.empty() && event.task &&
        timeline.events.back().task == event.task &&
        timeline.events.back().stream == event.stream)
      timeline.events.back().endUs = event.endUs;
    else
      timeline.events.push_back(event);
    moert_event_destroy(piece.start);
    moert_event_destroy(piece.end);
  }
  pieces.clear();
  if (origin)
    moert_event_destroy(origin);
  origin = nullptr;
  timeline.streams = std::move(streams);
  streams.clear();
  task.reset();
  if (status != MOERT_OK)
    return job.getFailure(status);
  return timeline;
}

//===----------------------------------------------------------------------===//
// Called on the thread that runs compiled code
//===----------------------------------------------------------------------===//

void Recorder::addStream(moert_stream *stream, const char *name) {
  streamNumbers.emplace_back(stream, streams.size());
  streams.push_back(name);
}

void Recorder::addComm(moert_comm *comm, moert_stream *stream) {
  comms.emplace_back(comm, stream);
}

moert_status Recorder::makeEvent(moert_stream *stream, moert_event *&event) {
  moert_status status = moert_event_create_timed(job.getContext(), &event);
  return status == MOERT_OK ? moert_event_record(event, stream) : status;
}

moert_status Recorder::begin() {
  // The time to create objects differs between ranks, so the clock starts after
  // a barrier.
  if (job.barrier())
    return MOERT_ABORTED;
  moert_status status = makeEvent(job.getStream(), origin);
  return status == MOERT_OK ? job.synchronize() : status;
}

moert_status Recorder::record(moert_stream *stream,
                              llvm::function_ref<moert_status()> work) {
  moert_status status = origin ? MOERT_OK : begin();
  auto number = llvm::find_if(
      streamNumbers, [&](auto &entry) { return entry.first == stream; });
  if (status != MOERT_OK)
    return status;
  // Work on a stream that the program does not use is not recorded.
  if (number == streamNumbers.end())
    return work();
  Piece piece{task, number->second, nullptr, nullptr};
  status = makeEvent(stream, piece.start);
  if (status == MOERT_OK && task && *task < tasks.size() && !emulated[*task]) {
    emulated[*task] = true;
    if (tasks[*task].emulatedUs > 0)
      status = moert_delay(stream, tasks[*task].emulatedUs);
  }
  if (status == MOERT_OK)
    status = work();
  if (status == MOERT_OK)
    status = makeEvent(stream, piece.end);
  if (status == MOERT_OK)
    pieces.push_back(piece);
  return status;
}

moert_status Recorder::record(moert_comm *comm,
                              llvm::function_ref<moert_status()> work) {
  auto entry =
      llvm::find_if(comms, [&](auto &known) { return known.first == comm; });
  return entry == comms.end() ? work() : record(entry->second, work);
}

//===----------------------------------------------------------------------===//
// Replacements of the runtime's functions
//===----------------------------------------------------------------------===//

/// Replaces a function of the runtime that puts work on a stream, or on the
/// stream of a communicator.
template <auto function> struct Recorded;
template <typename... Args, moert_status (*function)(moert_stream *, Args...)>
struct Recorded<function> {
  static moert_status call(moert_stream *stream, Args... args) {
    auto work = [&] { return function(stream, args...); };
    return current ? current->record(stream, work) : work();
  }
};
template <typename... Args, moert_status (*function)(moert_comm *, Args...)>
struct Recorded<function> {
  static moert_status call(moert_comm *comm, Args... args) {
    auto work = [&] { return function(comm, args...); };
    return current ? current->record(comm, work) : work();
  }
};

static moert_status getStream(moert_context *context, const char *name,
                              int32_t priority, moert_stream **stream) {
  moert_status status = moert_stream_get(context, name, priority, stream);
  if (status == MOERT_OK && current)
    current->addStream(*stream, name);
  return status;
}

static moert_status getComm(moert_stream *stream, const int32_t *ranks,
                            int32_t size, int64_t deadlineUs,
                            moert_comm **comm) {
  moert_status status = moert_comm_split(stream, ranks, size, deadlineUs, comm);
  if (status == MOERT_OK && current)
    current->addComm(*comm, stream);
  return status;
}

static void setTask(int32_t number) {
  if (current)
    current->setTask(number < 0 ? std::nullopt
                                : std::optional<uint32_t>(number));
}

void moe::addRecordingSymbols(llvm::orc::SymbolMap &symbols,
                              llvm::orc::MangleAndInterner &mangle) {
  auto define = [&](llvm::StringRef name, auto *function) {
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported};
  };
  define(kTaskFunction, &setTask);
  define(rt::symbols::stream_get, &getStream);
  define(rt::symbols::comm_split, &getComm);
#define MOERT_WORK(name)                                                       \
  define(rt::symbols::name, &Recorded<&moert_##name>::call);
#define MOERT_KERNEL(name, Name, args) MOERT_WORK(name)
#include "moert_calls.def"
}

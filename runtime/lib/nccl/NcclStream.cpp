// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of GPUs.

#include "nccl/NcclStream.h"
#include "nccl/NcclComm.h"

using namespace moert;
using namespace moert::nccl;

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

NcclEvent::~NcclEvent() {
  if (!isTimed && isReached)
    nccl.giveEvent(event);
  else if (nccl.enter().ok())
    nccl.driver().EventDestroy(event);
}

Status NcclEvent::record(moert_stream &stream) {
  Status status = nccl.enter();
  if (!status.ok())
    return status;
  recordedOn.store(&stream);
  isReached = false;
  return nccl.driver().check(
      nccl.driver().EventRecord(event, static_cast<NcclStream &>(stream).get()),
      "cuEventRecord");
}

Status NcclEvent::query(bool &reached) {
  Status status = nccl.enter();
  if (!status.ok())
    return status;
  cuda::Result result = nccl.driver().EventQuery(event);
  reached = result == cuda::kSuccess;
  if (reached)
    isReached = true;
  if (result == cuda::kNotReady)
    return {};
  status = nccl.getFailure();
  return status.ok() ? nccl.driver().check(result, "cuEventQuery") : status;
}

Status NcclEvent::synchronize(Deadline deadline) {
  auto explain = [&]() -> std::string {
    moert_stream *stream = recordedOn.load();
    std::lock_guard<std::mutex> lock(nccl.mutex);
    if (!nccl.streams.count(stream))
      return "its stream is gone";
    return "on stream '" + stream->name + "' " +
           static_cast<NcclStream *>(stream)->explainWait();
  };
  Status status = nccl.wait([&] { return nccl.driver().EventQuery(event); },
                            deadline, "the work before the event", explain);
  if (status.ok())
    isReached = true;
  return status;
}

Status NcclEvent::getElapsed(moert_event &end, double &elapsedUs) {
  Status status = nccl.enter();
  if (!status.ok())
    return status;
  float ms = 0;
  cuda::Result result = nccl.driver().EventElapsedTime(
      &ms, event, static_cast<NcclEvent &>(end).get());
  elapsedUs = static_cast<double>(ms) * 1e3;
  if (result == cuda::kSuccess)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "expected two events that were recorded and reached: %s",
               nccl.driver().describe(result).c_str());
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

NcclStream::~NcclStream() {
  if (!nccl.enter().ok())
    return;
  std::string reason;
  if (const Blas *blas = blasHandle ? loadBlas(reason) : nullptr)
    blas->Destroy(blasHandle);
  for (const Scratch &piece : ownScratch)
    graphScratch.push_back(piece.space);
  for (cuda::Pointer space : graphScratch)
    nccl.driver().MemFreeAsync(space, stream);
  if (!isAdopted)
    nccl.driver().StreamDestroy(stream);
}

Status NcclStream::begin() {
  Status status = nccl.getFailure();
  return status.ok() ? nccl.enter() : status;
}

Status NcclStream::withScratch(size_t bytes,
                               const std::function<Status(char *space)> &work) {
  if (bytes == 0)
    return work(nullptr);
  if (size_t whole = scratch::align(bytes); givenBytes - usedBytes >= whole) {
    char *space = givenScratch + usedBytes;
    usedBytes += whole;
    Status status = work(space);
    usedBytes -= whole;
    return status;
  }
  const cuda::Driver &driver = nccl.driver();
  if (scratchDepth == ownScratch.size())
    ownScratch.emplace_back();
  bool isCaptured = false;
  Status captured = queryCapture(isCaptured);
  if (!captured.ok())
    return captured;
  if (Scratch &piece = ownScratch[scratchDepth]; piece.bytes < bytes) {
    // Memory allocated during a capture would belong to the graph.
    if (isCaptured)
      return error(MOERT_UNAVAILABLE,
                   "expected stream '%s' to have %zu bytes of scratch memory "
                   "before it is captured, got %zu: let what is captured run "
                   "once before",
                   name.c_str(), bytes, piece.bytes);
    // Free in stream order, because earlier work still uses the memory.
    Status status;
    if (piece.isInGraph)
      graphScratch.push_back(piece.space);
    else if (piece.bytes)
      status = driver.check(driver.MemFreeAsync(piece.space, stream),
                            "cuMemFreeAsync");
    piece = {};
    if (status.ok())
      status = driver.check(driver.MemAllocAsync(&piece.space, bytes, stream),
                            "cuMemAllocAsync");
    if (!status.ok())
      return status;
    piece.bytes = bytes;
  }
  ownScratch[scratchDepth].isInGraph |= isCaptured;
  auto *space = reinterpret_cast<char *>(ownScratch[scratchDepth].space);
  ++scratchDepth;
  Status status = work(space);
  --scratchDepth;
  return status;
}

Status NcclStream::setScratch(void *memory, size_t bytes) {
  givenScratch = static_cast<char *>(memory);
  givenBytes = bytes;
  return {};
}

Status NcclStream::synchronize(Deadline deadline) {
  return nccl.wait([&] { return nccl.driver().StreamQuery(stream); }, deadline,
                   "the work on stream '" + name + "'",
                   [&] {
                     std::lock_guard<std::mutex> lock(nccl.mutex);
                     return explainWait();
                   });
}

std::string NcclStream::describeCollective(bool &hasBegun) {
  std::string next;
  for (moert_comm *comm : nccl.comms) {
    if (comm->stream != this)
      continue;
    std::string own = static_cast<NcclComm *>(comm)->describeFlight(hasBegun);
    if (hasBegun)
      return own;
    if (next.empty())
      next = own;
  }
  hasBegun = false;
  return next;
}

std::string NcclStream::explainWait() {
  bool hasBegun;
  std::string own = describeCollective(hasBegun);
  if (hasBegun)
    return own + " is under way";
  std::string text = own.empty()
                         ? "a copy, a kernel or a wait for an event is under "
                           "way"
                         : own + " has not begun: what is before it is under "
                                 "way";
  // Events let streams wait for each other, but only the device knows which.
  for (moert_stream *other : nccl.streams) {
    if (other == this)
      continue;
    std::string words =
        static_cast<NcclStream *>(other)->describeCollective(hasBegun);
    if (hasBegun)
      text +=
          format(", and on stream '%s' %s", other->name.c_str(), words.c_str());
  }
  return text;
}

bool NcclStream::drain(Deadline deadline) {
  // If no time remains, grant none after a failure either.
  if (!deadline.hasPassed())
    (void)synchronize(deadline);
  return nccl.enter().ok() &&
         nccl.driver().StreamQuery(stream) != cuda::kNotReady;
}

Status NcclStream::waitEvent(moert_event &event) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(
      nccl.driver().StreamWaitEvent(stream,
                                    static_cast<NcclEvent &>(event).get(), 0),
      "cuStreamWaitEvent");
}

Status NcclStream::launch(const char *label, int (*)(void *), void *, size_t) {
  return error(MOERT_UNAVAILABLE,
               "functions of the processor do not run on streams of a device: "
               "'%s' needs a device kernel",
               label);
}

Status NcclStream::launchKernel(const moert_kernel_args &kernel) {
  Status status = begin();
  return status.ok() ? nccl.images().launch(kernel, stream) : status;
}

Status NcclStream::delay(double durationUs) {
  Status status = begin();
  auto nanoseconds = static_cast<long long>(durationUs * 1e3);
  void *parameters[] = {&nanoseconds};
  return status.ok()
             ? nccl.launch("moert_delay_ns", 1, 1, 0, stream, parameters)
             : status;
}

Status NcclStream::createComm(const std::vector<int32_t> &ranks,
                              int32_t position, uint64_t key, bool isSplit,
                              Deadline deadline, moert_comm **comm) {
  auto made = std::make_unique<NcclComm>(nccl, stream);
  made->stream = this;
  made->ranks = ranks;
  made->key = key;
  made->position = position;
  {
    std::lock_guard<std::mutex> lock(nccl.mutex);
    if (auto own = nccl.adoptedComms.find(ranks);
        own != nccl.adoptedComms.end())
      made->adopt(static_cast<Comm>(own->second));
  }
  Status status = made->connect(ranks, position, key, isSplit, deadline);
  if (status.ok())
    *comm = made.release();
  return status;
}

Status NcclStream::runOnHost(std::function<Status()>) {
  return error(MOERT_UNAVAILABLE, "this backend has no such kernel: expected "
                                  "backend host or mpi, got nccl");
}

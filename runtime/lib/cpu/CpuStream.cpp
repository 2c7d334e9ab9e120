// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams that are threads.

#include "cpu/CpuStream.h"
#include "core/StridedCopy.h"
#include "cpu/CpuContext.h"
#include "kernels/Kernels.h"
#include "kernels/Runs.h"
#include <algorithm>
#include <cstring>
#include <memory>

using namespace moert;

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

std::shared_ptr<EventRecord> CpuEvent::getRecord() const {
  std::lock_guard<std::mutex> lock(mutex);
  return last;
}

Status CpuEvent::record(moert_stream &stream) {
  auto &cpuStream = static_cast<CpuStream &>(stream);
  auto fresh = std::make_shared<EventRecord>(
      static_cast<CpuContext *>(context)->getSpins(), &cpuStream);
  {
    std::lock_guard<std::mutex> lock(mutex);
    last = fresh;
  }
  CpuStream::Work work;
  work.record = std::move(fresh);
  return cpuStream.enqueue(std::move(work));
}

Status CpuEvent::query(bool &reached) {
  std::shared_ptr<EventRecord> own = getRecord();
  reached = !own || own->isReached();
  return reached ? context->getFailure() : Status();
}

Status CpuEvent::synchronize(Deadline deadline) {
  std::shared_ptr<EventRecord> own = getRecord();
  if (own && !own->signal.wait([&] { return own->isReached(); }, deadline))
    return context->getFailure().ok()
               ? static_cast<CpuContext *>(context)->explainEvent(own)
               : context->getFailure();
  return context->getFailure();
}

Status CpuEvent::getElapsed(moert_event &end, double &elapsedUs) {
  std::shared_ptr<EventRecord> from = getRecord(),
                               to = static_cast<CpuEvent &>(end).getRecord();
  if (!from || !to || !from->isReached() || !to->isReached())
    return error(MOERT_INVALID_ARGUMENT,
                 "expected two events that were recorded and reached");
  elapsedUs =
      std::chrono::duration<double, std::micro>(to->time - from->time).count();
  return {};
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

CpuStream::CpuStream(CpuContext &context)
    : cpu(context), arrived(context.getSpins()), ended(context.getSpins()) {
  this->context = &context;
  thread = std::thread([this] { loop(); });
}

CpuStream::~CpuStream() {
  // Its work has ended, otherwise the stream would not be deleted.
  stopping.store(true);
  arrived.notify();
  if (thread.joinable())
    thread.join();
}

bool CpuStream::stop(Deadline deadline) {
  stopping.store(true);
  arrived.notify();
  uint64_t target = numEnqueued.load();
  if (!ended.wait([&] { return numEnded.load() >= target; }, deadline))
    return false;
  if (thread.joinable())
    thread.join();
  return true;
}

Status CpuStream::enqueue(Work work) {
  // Always accept a record, because waiters depend on it.
  if (!work.record)
    if (Status status = context->getFailure(); !status.ok())
      return status;
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back(std::move(work));
  }
  numEnqueued.fetch_add(1);
  arrived.notify();
  return {};
}

Status CpuStream::enqueue(std::function<Status()> run) {
  Work work;
  work.run = std::move(run);
  return enqueue(std::move(work));
}

void CpuStream::loop() {
  uint64_t done = 0;
  std::vector<Work> batch;
  const Deadline never = Deadline::inMicroseconds(INT64_MAX);
  for (;;) {
    arrived.wait([&] { return numEnqueued.load() > done || stopping.load(); },
                 never);
    if (numEnqueued.load() == done)
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      // Run consecutive collectives together.
      CpuComm *comm = queue.front().comm;
      size_t most = comm ? comm->getMostAhead() : 1;
      do {
        batch.push_back(std::move(queue.front()));
        queue.pop_front();
      } while (batch.size() < most && !queue.empty() &&
               queue.front().comm == comm);
      current = batch.data();
    }
    execute(batch);
    {
      std::lock_guard<std::mutex> lock(mutex);
      current = nullptr;
    }
    done += batch.size();
    batch.clear();
    numEnded.store(done);
    ended.notify();
  }
}

void CpuStream::execute(std::vector<Work> &batch) {
  Work &work = batch.front();
  if (work.record) {
    work.record->reach();
    return;
  }
  if (cpu.hasFailed())
    return;
  Status status;
  // No exception may end the thread, because that would end the process.
  try {
    if (work.comm) {
      std::vector<const Collective *> collectives;
      for (const Work &each : batch)
        collectives.push_back(each.collective.get());
      status = work.comm->run(collectives);
    } else {
      status = work.run();
    }
  } catch (const std::bad_alloc &) {
    status = Status(MOERT_OUT_OF_MEMORY, "no memory for work on a stream");
  }
  if (!status.ok())
    cpu.fail(status);
}

bool CpuStream::drain(Deadline deadline) {
  uint64_t target = numEnqueued.load();
  return ended.wait([&] { return numEnded.load() >= target; }, deadline);
}

Status CpuStream::synchronize(Deadline deadline) {
  if (drain(deadline) || cpu.hasFailed())
    return context->getFailure();
  std::string why = explainWait();
  // Another thread may have found a failure in the meantime.
  if (cpu.hasFailed())
    return context->getFailure();
  return error(
      MOERT_DEADLINE_EXCEEDED,
      "the work on stream '%s' did not end before the deadline: %s; %llu "
      "pieces are left",
      name.c_str(), why.c_str(),
      static_cast<unsigned long long>(numEnqueued.load() - numEnded.load()));
}

std::string CpuStream::explainWait() {
  std::lock_guard<std::mutex> lock(context->mutex);
  return describeWork(0);
}

std::string CpuStream::describeWork(unsigned depth) {
  std::shared_ptr<EventRecord> awaited;
  {
    // The lock keeps the communicator alive: it is not destroyed before its
    // collective has ended on this stream.
    std::lock_guard<std::mutex> lock(mutex);
    if (!current)
      return "its next piece has not begun";
    if (current->comm)
      return current->comm->describeWait();
    awaited = current->awaited;
    if (!awaited)
      return current->words.empty() ? "a copy or a kernel is under way"
                                    : current->words;
  }
  std::string text = "it waits for an event";
  constexpr unsigned kDeepest = 8;
  if (depth < kDeepest && !awaited->isReached() &&
      context->streams.count(awaited->stream))
    text += format(" of stream '%s', where %s", awaited->stream->name.c_str(),
                   awaited->stream->describeWork(depth + 1).c_str());
  return text;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

Status CpuStream::waitEvent(moert_event &event) {
  std::shared_ptr<EventRecord> record =
      static_cast<CpuEvent &>(event).getRecord();
  if (!record || record->isReached())
    return context->getFailure();
  // The event was recorded on a stream before this wait. That stream reaches
  // it, at the latest when a deadline ends the work before it.
  Work work;
  work.awaited = record;
  work.run = [record] {
    record->signal.wait([&] { return record->isReached(); },
                        Deadline::inMicroseconds(INT64_MAX));
    return Status();
  };
  return enqueue(std::move(work));
}

Status CpuStream::launchKernel(const moert_kernel_args &kernel) {
  return error(MOERT_UNAVAILABLE,
               "kernels of a device do not run on streams of the processor: "
               "'%s' is of a program that was compiled for nccl",
               kernel.name);
}

Status CpuStream::launch(const char *label, int (*function)(void *),
                         void *argument, size_t bytes) {
  // Units with the largest scalar alignment, so that any argument is aligned.
  struct alignas(16) Word {
    char bytes[16];
  };
  std::vector<Word> copy((bytes + sizeof(Word) - 1) / sizeof(Word));
  if (bytes)
    std::memcpy(copy.data(), argument, bytes);
  Work work;
  work.words = format("the function '%s' has not returned", label);
  work.run = [label = std::string(label), function, argument,
              copy = std::move(copy)]() mutable {
    int result = function(copy.empty() ? argument : copy.data());
    if (result == 0)
      return Status();
    return error(MOERT_BACKEND_ERROR,
                 "the function '%s' on a stream returned %d, expected 0",
                 label.c_str(), result);
  };
  return enqueue(std::move(work));
}

Status CpuStream::delay(double durationUs) {
  Work work;
  work.words = "a delay is not over";
  work.run = [this, durationUs] {
    auto end = Deadline::Clock::now() +
               std::chrono::duration_cast<Deadline::Clock::duration>(
                   std::chrono::duration<double, std::micro>(durationUs));
    // Sleep in slices, so that a failed job ends early.
    for (auto now = Deadline::Clock::now(); now < end && !cpu.hasFailed();
         now = Deadline::Clock::now())
      std::this_thread::sleep_until(
          std::min(end, now + std::chrono::milliseconds(50)));
    return Status();
  };
  return enqueue(std::move(work));
}

Status CpuStream::createComm(const std::vector<int32_t> &ranks,
                             int32_t position, uint64_t key, bool /*isSplit*/,
                             Deadline deadline, moert_comm **comm) {
  CpuComm *made = nullptr;
  Status status = cpu.createComm(ranks, position, key, deadline, &made);
  if (made)
    made->patienceUs = context->deadlineUs;
  *comm = made;
  return status;
}

Status CpuStream::copy(void *target, const void *source, size_t bytes) {
  return enqueue([=] {
    std::memmove(target, source, bytes);
    return Status();
  });
}

Status CpuStream::copyStrided(void *target,
                              const std::vector<int64_t> &targetStrides,
                              const void *source,
                              const std::vector<int64_t> &sourceStrides,
                              const std::vector<int64_t> &sizes,
                              size_t elementBytes) {
  Box box = normalizeBox(sizes, targetStrides, sourceStrides);
  return enqueue([=] {
    copyBox(box, target, source, elementBytes);
    return Status();
  });
}

Status CpuStream::fillZero(void *target, size_t bytes) {
  return enqueue([=] {
    std::memset(target, 0, bytes);
    return Status();
  });
}

#define MOERT_DEVICE_KERNEL(name, Name, args)                                  \
  Status CpuStream::name(const moert_##args##_args &arguments) {               \
    return enqueue(                                                            \
        [own = KeptArgs(arguments)] { return run##Name(own.get()); });         \
  }
#include "moert_calls.def"
Status CpuStream::runOnHost(std::function<Status()> kernel) {
  return enqueue(std::move(kernel));
}

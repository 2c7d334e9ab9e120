// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common code of the CPU backends.

#include "cpu/CpuContext.h"
#include <cstdlib>
#include <functional>
#include <numeric>
#include <sys/mman.h>

using namespace moert;

namespace {
struct CpuBuffer : moert_buffer {
  ~CpuBuffer() override { std::free(data); }
};
} // namespace

Status CpuContext::createStream(const char *name, int32_t,
                                moert_stream **stream) {
  auto *made = new CpuStream(*this);
  made->name = name;
  *stream = made;
  return {};
}

Status CpuContext::adoptStream(void *, moert_stream **) {
  return error(MOERT_UNAVAILABLE,
               "on CPU backends there are no streams but the runtime's own: "
               "expected one of moert_stream_create");
}

Status CpuContext::verifyComm(void *, int32_t, int32_t) {
  return error(MOERT_UNAVAILABLE,
               "on CPU backends there are no communicators but the runtime's "
               "own, which are made when they are needed");
}

Status CpuContext::createEvent(bool, moert_event **event) {
  auto *made = new CpuEvent;
  made->context = this;
  *event = made;
  return {};
}

Status CpuContext::createBuffer(size_t bytes, moert_memory_space,
                                moert_buffer **buffer) {
  // Request large pages for large buffers, so that copies miss the TLB less
  // often.
  constexpr size_t kLargePage = size_t(2) << 20;
  bool large = bytes >= kLargePage;
  size_t alignment = large ? kLargePage : 64;
  if (bytes > SIZE_MAX - alignment)
    return error(MOERT_OUT_OF_MEMORY, "no memory for a buffer of %zu bytes",
                 bytes);
  size_t rounded =
      (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void *data = std::aligned_alloc(alignment, rounded);
  if (!data)
    return error(MOERT_OUT_OF_MEMORY, "no memory for a buffer of %zu bytes",
                 bytes);
  if (large)
    madvise(data, rounded, MADV_HUGEPAGE);
  auto *made = new CpuBuffer;
  made->context = this;
  made->data = data;
  made->size = bytes;
  *buffer = made;
  return {};
}

Status CpuContext::explainEvent(const std::shared_ptr<EventRecord> &record) {
  std::string name, words;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!record->isReached() && streams.count(record->stream)) {
      name = record->stream->name;
      words = record->stream->describeWork(0);
    }
  }
  if (words.empty())
    return error(MOERT_DEADLINE_EXCEEDED,
                 "the event was not reached before the deadline");
  return error(MOERT_DEADLINE_EXCEEDED,
               "the event was not reached before the deadline; on its stream "
               "'%s' %s",
               name.c_str(), words.c_str());
}

bool CpuContext::stopStreams(Deadline deadline, Status &why) {
  bool stopped = true;
  for (moert_stream *stream : streams) {
    auto *own = static_cast<CpuStream *>(stream);
    if (own->stop(deadline))
      continue;
    if (stopped)
      why = error(MOERT_DEADLINE_EXCEEDED,
                  "the work on stream '%s' did not end before the deadline: "
                  "%s",
                  own->name.c_str(), own->explainWait().c_str());
    stopped = false;
  }
  return stopped;
}

/// A key that neither callers nor streams use.
static constexpr uint64_t kJobKey = 0x6a6f622e6d6f6572;

Status CpuContext::exchange(const std::string &name, const std::string &own,
                            Deadline deadline, std::vector<std::string> &all) {
  std::lock_guard<std::mutex> lock(exchangeMutex);
  auto explain = [&](const Status &status) {
    return Status(status.getCode(), name + ": " + status.getMessage());
  };
  if (hasFailed())
    return explain(getFailure());
  if (!jobComm) {
    std::vector<int32_t> ranks(worldSize);
    std::iota(ranks.begin(), ranks.end(), 0);
    CpuComm *made = nullptr;
    Status status = createComm(ranks, rank, kJobKey, deadline, &made);
    if (!status.ok())
      return explain(status);
    jobComm.reset(made);
    made->ranks = std::move(ranks);
    made->key = kJobKey;
    made->position = rank;
  }
  // The mark detects ranks that are at another exchange.
  uint64_t mark = std::hash<std::string>()(name);
  std::string record(reinterpret_cast<const char *>(&mark), sizeof(mark));
  record += own;
  std::string records(record.size() * worldSize, '\0');
  Collective collective;
  collective.signature = {CollectiveKind::AllGather, MOERT_I8, MOERT_SUM,
                          static_cast<int64_t>(record.size())};
  collective.send = record.data();
  collective.receive = records.data();
  jobComm->patienceUs = deadline.remainingUs();
  const Collective *const batch[] = {&collective};
  if (Status status = jobComm->run(batch); !status.ok())
    return explain(status);
  all.clear();
  for (int32_t other = 0; other < worldSize; ++other) {
    std::string part = records.substr(other * record.size(), record.size());
    if (part.compare(0, sizeof(mark), record, 0, sizeof(mark)) != 0) {
      fail(error(MOERT_MISMATCH,
                 "expected all ranks to exchange words in one order, got rank "
                 "%d at another exchange than '%s'",
                 other, name.c_str()));
      return getFailure();
    }
    all.push_back(part.substr(sizeof(mark)));
  }
  return {};
}

Status CpuComm::start(Collective collective) {
  CpuStream::Work work;
  work.comm = this;
  work.collective = std::make_shared<Collective>(std::move(collective));
  return static_cast<CpuStream *>(stream)->enqueue(std::move(work));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the tasks of a program.

#include "moe/Execution/Timeline.h"
#include "moe/Support/ChromeTrace.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace moe;

double RankTimeline::getMakespanUs() const {
  double end = 0;
  for (const TimelineEvent &event : events)
    end = std::max(end, event.endUs);
  return end;
}

size_t Measurement::findMedian(const std::vector<double> &makespansUs) {
  std::vector<size_t> order(makespansUs.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(makespansUs[a], a) < std::pair(makespansUs[b], b);
  });
  return order[(order.size() - 1) / 2];
}

//===----------------------------------------------------------------------===//
// Serialization
//===----------------------------------------------------------------------===//

namespace {
struct PackedEvent {
  int64_t task;
  uint64_t stream;
  double startUs, endUs;
};
} // namespace

std::string RankTimeline::serialize() const {
  std::string bytes;
  auto put = [&](const void *data, size_t size) {
    bytes.append(static_cast<const char *>(data), size);
  };
  uint64_t counts[] = {streams.size(), events.size()};
  put(counts, sizeof(counts));
  for (const std::string &stream : streams) {
    uint64_t size = stream.size();
    put(&size, sizeof(size));
    put(stream.data(), size);
  }
  for (const TimelineEvent &event : events) {
    PackedEvent packed{event.task ? int64_t(*event.task) : -1, event.stream,
                       event.startUs, event.endUs};
    put(&packed, sizeof(packed));
  }
  return bytes;
}

std::optional<RankTimeline>
RankTimeline::deserialize(const std::string &bytes) {
  size_t at = 0;
  auto take = [&](void *data, size_t size) {
    if (bytes.size() - at < size)
      return false;
    std::memcpy(data, bytes.data() + at, size);
    at += size;
    return true;
  };
  RankTimeline timeline;
  uint64_t counts[2];
  if (!take(counts, sizeof(counts)))
    return std::nullopt;
  for (uint64_t i = 0; i < counts[0]; ++i) {
    uint64_t size = 0;
    if (!take(&size, sizeof(size)) || bytes.size() - at < size)
      return std::nullopt;
    timeline.streams.push_back(bytes.substr(at, size));
    at += size;
  }
  for (uint64_t i = 0; i < counts[1]; ++i) {
    PackedEvent packed;
    if (!take(&packed, sizeof(packed)) || packed.stream >= counts[0])
      return std::nullopt;
    TimelineEvent event;
    if (packed.task >= 0)
      event.task = static_cast<uint32_t>(packed.task);
    event.stream = static_cast<uint32_t>(packed.stream);
    event.startUs = packed.startUs;
    event.endUs = packed.endUs;
    timeline.events.push_back(event);
  }
  if (at != bytes.size())
    return std::nullopt;
  return timeline;
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

void moe::printTrace(llvm::raw_ostream &os,
                     const std::vector<RankTimeline> &ranks,
                     const std::vector<TaskLabel> &tasks,
                     const std::string &file, const std::string &backend) {
  support::ChromeTrace trace(os, {{"backend", backend}, {"file", file}});
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    int64_t process = static_cast<int64_t>(rank) + 1;
    trace.nameProcess(process, "rank " + std::to_string(rank) + ", measured");
    for (size_t i = 0; i < ranks[rank].streams.size(); ++i)
      trace.nameThread(process, static_cast<int64_t>(i),
                       ranks[rank].streams[i]);
    for (const TimelineEvent &event : ranks[rank].events) {
      const TaskLabel *label = event.task && *event.task < tasks.size()
                                   ? &tasks[*event.task]
                                   : nullptr;
      std::optional<support::TracedTask> task;
      if (label)
        task = {label->layer, label->phase, label->chunk, label->chunks};
      trace.addEvent(process, event.stream,
                     label ? label->name : "outside of tasks", event.startUs,
                     event.endUs, task);
    }
  }
}

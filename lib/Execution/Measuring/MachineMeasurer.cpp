// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the machine of a job.

#include "MachineMeasurer.h"
#include "moe/Platform/Fit.h"
#include "moe/Support/Progress.h"

#include <chrono>
#include <numeric>
#include <unistd.h>

using namespace moe;
using cost::CollectiveKind;
using cost::Failure;
using cost::Result;
using platform::Measurements;
using platform::NcclLog;
using platform::Nodes;
using platform::Sample;

Result<Nodes> moe::findNodes(Job &job) {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  uint64_t hash = 0xcbf29ce484222325;
  for (const char *c = name; *c; ++c)
    hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
  Result<std::vector<int64_t>> all = job.allGather(static_cast<int64_t>(hash));
  if (!all)
    return all.getFailure();
  // The ranks of each node are neighbours if the name changes as often as there
  // are names.
  int64_t changes = 1;
  for (size_t i = 1; i < all->size(); ++i)
    changes += (*all)[i] != (*all)[i - 1];
  std::vector<int64_t> names = *all;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Nodes nodes{static_cast<int64_t>(all->size()),
              static_cast<int64_t>(names.size())};
  bool isEven = nodes.numRanks % nodes.numNodes == 0;
  for (int64_t i = 0; isEven && i < nodes.numRanks; ++i)
    isEven =
        (*all)[size_t(i)] == (*all)[size_t(i - i % nodes.getRanksPerNode())];
  if (changes != nodes.numNodes || !isEven)
    return Failure{"expected equally many ranks on each of " +
                   std::to_string(nodes.numNodes) +
                   " nodes, node after node, got another placement of the " +
                   std::to_string(nodes.numRanks) +
                   " ranks (OpenMPI: --map-by slot)"};
  return nodes;
}

/// Sizes of FSMoE's protocol: buffers are multiples of this number of bytes,
/// and GEMM inputs are multiples of this number of elements.
static constexpr int64_t kBufferBytes = int64_t(4) << 18, kMostBuffers = 24;
static constexpr int64_t kInputElements = int64_t(1) << 19, kMostInputs = 12;

MachineMeasurer::~MachineMeasurer() {
  for (moert_event *event : {start, end})
    if (event)
      moert_event_destroy(event);
  for (auto *all : {&comms, &secondComms})
    for (moert_comm *comm : *all)
      moert_comm_destroy(comm);
  for (moert_buffer *buffer : {source, target, other})
    if (buffer)
      moert_buffer_destroy(buffer);
  for (moert_stream *any : {stream, second})
    if (any)
      moert_stream_destroy(any);
}

Result<Measurements> MachineMeasurer::run() {
  Measurements all;
  Result<Nodes> found = findNodes(job);
  if (!found)
    return found.getFailure();
  all.nodes = nodes = *found;
  if (auto failure = prepare())
    return *failure;
  // Only rank 0 reports the progress.
  std::optional<support::Activity> activity;
  if (job.getRank() == 0)
    activity.emplace("measuring");
  // Seconds per part on this rank. Ranks synchronize at every call, so the
  // times of other ranks are similar.
  using Clock = std::chrono::steady_clock;
  Clock::time_point since = Clock::now();
  auto measure = [&](const char *part, auto function) {
    if (activity)
      activity->next(part);
    std::optional<Failure> failure = function();
    Clock::time_point now = Clock::now();
    all.seconds.emplace_back(
        part, std::chrono::duration<double>(now - since).count());
    since = now;
    return failure;
  };
  if (options.ofOneRank) {
    auto failure = measure("copies", [&] { return measureCopies(all.copies); });
    if (!failure)
      failure = measure("GEMMs", [&] { return measureGemms(all.gemms); });
    return failure ? Result<Measurements>(*failure) : all;
  }
  int64_t perNode = nodes.getRanksPerNode();
  if (perNode > 1)
    if (auto failure = measure("collectives inside nodes", [&] {
          return measureGroup(job.getRank() / perNode * perNode, perNode, 1,
                              all.collectives);
        }))
      return *failure;
  if (nodes.numNodes > 1)
    if (auto failure = measure("collectives of all ranks", [&] {
          return measureGroup(0, nodes.numRanks, nodes.numNodes,
                              all.collectives);
        }))
      return *failure;
  if (auto failure = measure("one link alone",
                             [&] { return measurePorts(all.portUsPerByte); }))
    return *failure;
  if (auto failure =
          measure("copies", [&] { return measureCopies(all.copies); }))
    return *failure;
  if (options.pairs)
    if (auto failure = measure("messages between pairs",
                               [&] { return measurePairs(all); }))
      return *failure;
  if (auto failure = measure("GEMMs", [&] { return measureGemms(all.gemms); }))
    return *failure;
  if (auto failure = prepareSecond())
    return *failure;
  if (auto failure = measure("contention",
                             [&] { return measureContention(all.contention); }))
    return *failure;
  if (auto failure =
          measure("pipelines", [&] { return measurePipelines(all); }))
    return *failure;
  if (auto failure =
          measure("repeated all-to-alls", [&] { return measureRepeat(all); }))
    return *failure;
  return all;
}

std::optional<Failure> MachineMeasurer::prepare() {
  // Tensor cores only reach their rates with large products.
  constexpr int64_t kMatrices = 4 * 4096 * 4096 * 2;
  bufferBytes = std::max(options.maxBytes, options.onDevices ? kMatrices : 0);
  if (takesMeans())
    bufferBytes = std::max(
        bufferBytes, kMostInputs * kInputElements * getElementBytes() +
                         2 * getMeansMatrix() * getMeansMatrix() *
                             getElementBytes());
  auto bytes = static_cast<size_t>(bufferBytes);
  moert_status status =
      moert_stream_create(job.getContext(), "measure", 0, &stream);
  for (moert_event **event : {&start, &end})
    if (status == MOERT_OK)
      status = moert_event_create_timed(job.getContext(), event);
  for (moert_buffer **buffer : {&source, &target, &other}) {
    if (status == MOERT_OK)
      status = moert_buffer_create(job.getContext(), bytes, MOERT_MEMORY_DEVICE,
                                   buffer);
    // Memory that was never written may not be mapped yet.
    if (status == MOERT_OK)
      status = moert_fill_zero(stream, moert_buffer_data(*buffer), bufferBytes,
                               MOERT_I8);
  }
  return check(status);
}

moert_status MachineMeasurer::call(moert_comm *comm, CollectiveKind kind,
                                   int64_t bytes) {
  constexpr int64_t kElementBytes = 4;
  int64_t count = bytes / kElementBytes;
  int64_t part = count / moert_comm_size(comm);
  bool onSecond = std::find(secondComms.begin(), secondComms.end(), comm) !=
                  secondComms.end();
  void *from = moert_buffer_data(source),
       *to = moert_buffer_data(onSecond ? other : target);
  switch (kind) {
  case CollectiveKind::AllToAll:
    return moert_all_to_all(comm, from, to, part, MOERT_F32);
  case CollectiveKind::AllGather:
    return moert_all_gather(comm, from, to, part, MOERT_F32);
  case CollectiveKind::ReduceScatter:
    return moert_reduce_scatter(comm, from, to, part, MOERT_F32, MOERT_SUM);
  case CollectiveKind::AllReduce:
    return moert_all_reduce(comm, from, to, count, MOERT_F32, MOERT_SUM);
  }
  return MOERT_INVALID_ARGUMENT;
}

moert_status MachineMeasurer::copy(moert_stream *on, int64_t bytes) {
  return moert_copy(on, moert_buffer_data(on == second ? other : target),
                    moert_buffer_data(source), static_cast<size_t>(bytes));
}

moert_status MachineMeasurer::experts(moert_stream *on, int64_t rows,
                                      int64_t size) {
  int64_t input = rows * size * getElementBytes();
  int64_t matrix = size * size * getElementBytes();
  auto *memory = static_cast<char *>(moert_buffer_data(source));
  moert_experts_args args = {};
  args.size = sizeof(args);
  args.kind = MOERT_EXPERTS_GPT;
  args.activation = MOERT_RELU;
  args.experts = 1;
  args.rows = rows;
  args.hidden = args.ffn = size;
  args.x = memory;
  args.w1 = memory + input;
  args.w3 = memory + input + matrix;
  args.result = moert_buffer_data(on == second ? other : target);
  args.type = options.onDevices ? MOERT_BF16 : MOERT_F32;
  return moert_experts(on, &args);
}

int MachineMeasurer::getMostRounds(size_t numSizes) const {
  constexpr double kLeast = 5, kMost = 200, kSeconds = 5;
  return static_cast<int>(std::clamp(
      kSeconds / (options.secondsPerSize * double(numSizes)), kLeast, kMost));
}

void MachineMeasurer::takeLargerAsBound(Samples &samples) const {
  if (takesMeans())
    return;
  for (size_t i = samples.size() - 1; i > 0; --i)
    samples[i - 1].time = std::min(samples[i - 1].time, samples[i].time);
}

template <typename Call>
std::optional<Failure> MachineMeasurer::measureSizes(Samples &samples,
                                                     Call callOf) {
  int round = 0;
  do {
    if (auto failure = measureOnce(samples, callOf))
      return failure;
    takeLargerAsBound(samples);
    if (takesMeans() || samples.back().time > samples.front().time * 1.1)
      break;
  } while (++round < getMostRounds(samples.size()));
  return std::nullopt;
}

int64_t MachineMeasurer::getFirstBytes() const {
  return takesMeans() ? kBufferBytes : 4096;
}

int64_t MachineMeasurer::getMostBytes() const {
  return takesMeans() ? std::min(options.maxBytes, kMostBuffers * kBufferBytes)
                      : options.maxBytes;
}

int64_t MachineMeasurer::getNextBytes(int64_t bytes) const {
  constexpr int64_t kLarge = 1 << 20;
  if (takesMeans())
    return bytes + kBufferBytes;
  // Curves bend at small message sizes, so these are measured more densely.
  return bytes * (bytes < kLarge ? 2 : 4);
}

template <typename Call>
std::optional<Failure> MachineMeasurer::measureOnce(Samples &samples,
                                                    Call callOf) {
  bool isFirst = samples.empty();
  int64_t bytes = getFirstBytes();
  for (size_t i = 0; isFirst ? bytes <= getMostBytes() : i < samples.size();
       ++i, bytes = getNextBytes(bytes)) {
    Result<double> us = timeAlone(stream, [&] { return callOf(bytes); });
    if (!us)
      return us.getFailure();
    if (!isFirst) {
      samples[i].time = std::min(samples[i].time, cost::Microseconds(*us));
      continue;
    }
    samples.push_back({cost::Bytes(double(bytes)), cost::Microseconds(*us)});
    if (samples.size() >= 3 &&
        *us * double(getNextBytes(bytes)) / double(bytes) >
            options.secondsPerSize * 1e7)
      break;
  }
  return std::nullopt;
}

std::optional<Failure>
MachineMeasurer::measureGroup(int64_t first, int64_t size, int64_t numNodes,
                              std::vector<NcclLog> &logs) {
  std::vector<int32_t> ranks(static_cast<size_t>(size));
  std::iota(ranks.begin(), ranks.end(), static_cast<int32_t>(first));
  moert_comm *comm = nullptr;
  if (auto failure = check(
          moert_comm_create(stream, ranks.data(), static_cast<int32_t>(size),
                            comms.size(), MOERT_DEADLINE_DEFAULT, &comm)))
    return failure;
  comms.push_back(comm);
  for (CollectiveKind kind :
       {CollectiveKind::AllToAll, CollectiveKind::AllGather,
        CollectiveKind::ReduceScatter, CollectiveKind::AllReduce}) {
    NcclLog log;
    log.file = "this run";
    log.kind = kind;
    log.numRanks = size;
    log.numHosts = numNodes;
    if (auto failure = measureSizes(log.samples, [&](int64_t bytes) {
          return call(comm, kind, bytes);
        }))
      return failure;
    logs.push_back(std::move(log));
  }
  return std::nullopt;
}

std::optional<Failure> MachineMeasurer::measureCopies(Samples &samples) {
  return measureSizes(samples,
                      [&](int64_t bytes) { return copy(stream, bytes); });
}

std::optional<Failure> MachineMeasurer::measureGemms(Samples &samples) {
  int round = 0;
  do {
    Samples again;
    if (auto failure = measureGemmsOnce(again))
      return failure;
    // A disturbed round may end early.
    for (size_t i = 0; i < again.size(); ++i)
      if (i < samples.size())
        samples[i].time = std::min(samples[i].time, again[i].time);
      else
        samples.push_back(again[i]);
    if (takesMeans() || platform::fitLine(samples))
      break;
  } while (++round < getMostRounds(samples.size()));
  return std::nullopt;
}

std::optional<Failure> MachineMeasurer::measureGemmsOnce(Samples &samples) {
  // Returns true if the next size, with `times` as many operations, would take
  // too long.
  auto measure = [&](int64_t rows, int64_t size,
                     double times) -> Result<bool> {
    Result<double> us =
        timeAlone(stream, [&] { return experts(stream, rows, size); });
    if (!us)
      return us.getFailure();
    // An expert has two GEMMs.
    samples.push_back({cost::Bytes(2.0 * double(rows * size * size)),
                       cost::Microseconds(*us)});
    return samples.size() >= 3 && *us * times > options.secondsPerSize * 1e7;
  };
  if (takesMeans()) {
    int64_t size = getMeansMatrix();
    for (int64_t n = 1; n <= kMostInputs; ++n) {
      Result<bool> ends =
          measure(n * kInputElements / size, size, double(n + 1) / double(n));
      if (!ends)
        return ends.getFailure();
      if (*ends)
        break;
    }
    return std::nullopt;
  }
  const int64_t first = options.onDevices ? 128 : 16;
  for (int64_t size = first; size <= 32 * first && hasRoom(size); size *= 2) {
    Result<bool> ends = measure(size, size, 8);
    if (!ends)
      return ends.getFailure();
    if (*ends)
      break;
  }
  return std::nullopt;
}

Result<Measurements> moe::measureMachine(Job &job,
                                         const MachineMeasureOptions &options) {
  return MachineMeasurer(job, options).run();
}

Result<Measurements>
moe::measureMachineOnThreads(const moert_config &config,
                             const MachineMeasureOptions &options) {
  std::vector<std::optional<Result<Measurements>>> results(
      static_cast<size_t>(config.world_size));
  auto refused = runOnThreads(config.world_size, [&](int64_t rank) {
    auto &result = results[static_cast<size_t>(rank)];
    moert_config own = config;
    own.rank = static_cast<int32_t>(rank);
    Result<std::unique_ptr<Job>> job = Job::join(own);
    if (job)
      result = measureMachine(**job, options);
    else
      result = job.getFailure();
  });
  if (refused)
    return *refused;
  for (auto &result : results)
    if (!*result)
      return result->getFailure();
  return std::move(**results.front());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures how concurrent operations affect each other.

#include "MachineMeasurer.h"
#include "moe/Schedule/Resources.h"
#include "moe/Schedule/Simulation.h"

#include <cmath>
#include <numeric>

using namespace moe;
using cost::CollectiveKind;
using cost::Failure;
using cost::Resource;
using cost::Result;
using platform::Measurements;

std::optional<Failure> MachineMeasurer::prepareSecond() {
  moert_status status =
      moert_stream_create(job.getContext(), "second", 0, &second);
  auto add = [&](int64_t first, int64_t size) {
    std::vector<int32_t> ranks(static_cast<size_t>(size));
    std::iota(ranks.begin(), ranks.end(), static_cast<int32_t>(first));
    moert_comm *comm = nullptr;
    if (status == MOERT_OK)
      status = moert_comm_create(
          second, ranks.data(), static_cast<int32_t>(size),
          comms.size() + secondComms.size(), MOERT_DEADLINE_DEFAULT, &comm);
    if (status == MOERT_OK)
      secondComms.push_back(comm);
  };
  int64_t perNode = nodes.getRanksPerNode();
  if (perNode > 1)
    add(job.getRank() / perNode * perNode, perNode);
  if (nodes.numNodes > 1)
    add(0, nodes.numRanks);
  return check(status);
}

/// Returns the median; 0 if there are no numbers. The mean would depend on
/// disturbed measurements.
static double getMedian(std::vector<double> numbers) {
  if (numbers.empty())
    return 0;
  auto middle = numbers.begin() + std::ptrdiff_t(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

namespace {
/// The difference between two times of the same operation: the time, and the
/// relative difference.
struct Difference {
  double us, ratio;
};
} // namespace

/// Returns the median over the longer half. Differences of short times are
/// mostly noise, which is not relevant for long times, and decisions depend on
/// long times.
static double getTypical(std::vector<Difference> all) {
  std::sort(
      all.begin(), all.end(),
      [](const Difference &a, const Difference &b) { return a.us > b.us; });
  all.resize((all.size() + 1) / 2);
  std::vector<double> ratios;
  for (const Difference &difference : all)
    ratios.push_back(difference.ratio);
  return getMedian(std::move(ratios));
}

/// Returns the simulated time of a pipeline on two streams if each operation
/// takes `stallUs` longer than alone, with contention.
static double simulatePipeline(double exchangeUs, double gatherUs, int chunks,
                               double stallUs, bool isInter,
                               const std::vector<cost::ContentionFactor> &all) {
  using namespace schedule;
  TaskGraph graph;
  StreamId first = graph.addStream(), then = graph.addStream();
  ResourceId inter = getResourceId(Resource::Inter),
             intra = getResourceId(Resource::Intra);
  for (int i = 0; i < chunks; ++i) {
    TaskId exchange =
        graph.addTask({exchangeUs + stallUs, first, isInter ? inter : intra});
    TaskId gather = graph.addTask({gatherUs + stallUs, then, intra});
    graph.addDependency(exchange, gather);
  }
  cost::Machine machine;
  machine.contention = all;
  Simulator simulator;
  Timeline timeline;
  bool done = simulator.run(graph, getContention(machine), timeline);
  assert(done && "expected a pipeline that ends");
  (void)done;
  return timeline.makespanUs;
}

std::optional<Failure> MachineMeasurer::measurePipeline(Pipeline &pipeline) {
  std::vector<moert_event *> events(size_t(pipeline.chunks), nullptr);
  moert_status status = MOERT_OK;
  for (moert_event *&event : events)
    if (status == MOERT_OK)
      status = moert_event_create(job.getContext(), &event);
  auto exchange = [&] {
    return call(comms.back(), CollectiveKind::AllToAll, pipeline.chunkBytes);
  };
  auto gather = [&] {
    return call(secondComms.front(), CollectiveKind::AllGather,
                pipeline.chunkBytes);
  };
  std::optional<Failure> failure = check(status);
  auto take = [&](double &us, auto measure) {
    if (failure)
      return;
    Result<double> time = measure();
    if (time)
      us = *time;
    else
      failure = time.getFailure();
  };
  take(pipeline.exchangeUs, [&] { return timeAlone(stream, exchange); });
  take(pipeline.gatherUs, [&] { return timeAlone(second, gather); });
  take(pipeline.us, [&] {
    return time(second, [&] {
      moert_status done = MOERT_OK;
      auto then = [&](moert_status next) {
        done = done == MOERT_OK ? next : done;
      };
      for (moert_event *event : events) {
        then(exchange());
        then(moert_event_record(event, stream));
        then(moert_stream_wait_event(second, event));
        then(gather());
      }
      return done;
    });
  });
  for (moert_event *event : events)
    if (event)
      moert_event_destroy(event);
  return failure;
}

std::optional<Failure> MachineMeasurer::measurePipelines(Measurements &all) {
  std::vector<Pipeline> pipelines;
  for (int64_t bytes : {16 << 10, 128 << 10, 1 << 20})
    for (int chunks : {2, 4, 8})
      if (bytes <= options.maxBytes)
        pipelines.push_back({chunks, bytes});
  auto simulate = [&](const Pipeline &pipeline, double stallUs) {
    return simulatePipeline(pipeline.exchangeUs, pipeline.gatherUs,
                            pipeline.chunks, stallUs, nodes.numNodes > 1,
                            all.contention);
  };
  // Each operation on the longest path through a pipeline is delayed by the
  // stall.
  std::vector<double> stallsUs;
  std::vector<Difference> differences;
  for (Pipeline &pipeline : pipelines) {
    if (auto failure = measurePipeline(pipeline))
      return failure;
    stallsUs.push_back((pipeline.us - simulate(pipeline, 0)) /
                       (pipeline.chunks + 1));
  }
  all.stallUs = std::max(0.0, getMedian(stallsUs));
  for (const Pipeline &pipeline : pipelines)
    differences.push_back(
        {pipeline.us,
         std::abs(simulate(pipeline, all.stallUs) / pipeline.us - 1)});
  all.pipelineError = getTypical(std::move(differences));
  return std::nullopt;
}

std::optional<Failure> MachineMeasurer::measureRepeat(Measurements &all) {
  std::vector<Difference> differences;
  size_t group = 0;
  for (platform::NcclLog &log : all.collectives) {
    if (log.kind != CollectiveKind::AllToAll)
      continue;
    moert_comm *comm = comms[group++];
    for (platform::Sample &sample : log.samples) {
      auto bytes = static_cast<int64_t>(sample.size.value());
      Result<double> us = timeAlone(
          stream, [&] { return call(comm, CollectiveKind::AllToAll, bytes); });
      if (!us)
        return us.getFailure();
      double before = sample.time.value(), least = std::min(*us, before);
      differences.push_back({least, std::max(*us, before) / least - 1});
      if (!takesMeans())
        sample.time = cost::Microseconds(least);
    }
    takeLargerAsBound(log.samples);
  }
  all.repeatError = getTypical(std::move(differences));
  return std::nullopt;
}

moert_status MachineMeasurer::run(const Load &load, bool onSecond) {
  moert_stream *on = onSecond ? second : stream;
  const std::vector<moert_comm *> &group = onSecond ? secondComms : comms;
  moert_status status = MOERT_OK;
  for (int i = 0; i < load.times && status == MOERT_OK; ++i)
    switch (load.resource) {
    case Resource::Inter:
      status = call(group.back(), CollectiveKind::AllToAll, load.size);
      break;
    case Resource::Intra:
      status = call(group.front(), CollectiveKind::AllGather, load.size);
      break;
    case Resource::Copy:
      status = copy(on, load.size);
      break;
    case Resource::Compute:
      status = experts(on, load.size, load.size);
      break;
    }
  return status;
}

std::optional<Failure> MachineMeasurer::findLoad(Load &load) {
  constexpr double kLeastUs = 10000;
  bool isGemm = load.resource == Resource::Compute;
  int64_t size = isGemm ? 16 : 65536;
  // The first GEMM always fits.
  auto fits = [&](int64_t next) {
    return isGemm ? hasRoom(next) : next <= options.maxBytes;
  };
  for (;; size *= 2) {
    load.size = size;
    Result<double> us = time(stream, [&] { return run(load, false); });
    if (!us)
      return us.getFailure();
    load.us = *us;
    if (load.us >= kLeastUs || !fits(size * 2))
      break;
  }
  load.times = static_cast<int>(
      std::clamp(std::ceil(kLeastUs / std::max(load.us, 1.0)), 1.0, 256.0));
  Result<double> us = time(stream, [&] { return run(load, false); });
  if (!us)
    return us.getFailure();
  load.us = *us / load.times;
  return std::nullopt;
}

std::optional<Failure> MachineMeasurer::measureContention(
    std::vector<cost::ContentionFactor> &factors) {
  std::vector<Load> loads;
  if (nodes.numNodes > 1)
    loads.push_back({Resource::Inter});
  if (nodes.getRanksPerNode() > 1)
    loads.push_back({Resource::Intra});
  loads.push_back({Resource::Copy});
  loads.push_back({Resource::Compute});
  for (Load &load : loads)
    if (auto failure = findLoad(load))
      return failure;
  for (const Load &slowed : loads)
    for (const Load &by : loads) {
      if (slowed.resource == by.resource)
        continue;
      // Repeats the other operation so often that it does not end first, even
      // if the measured one becomes twice as slow.
      double aloneUs = slowed.us * slowed.times;
      Load others = by;
      others.times = static_cast<int>(
          std::clamp(std::ceil(2 * aloneUs / by.us), 1.0, 1024.0));
      Result<double> us = time(stream, [&] {
        moert_status status = run(others, true);
        return status == MOERT_OK ? run(slowed, false) : status;
      });
      if (!us)
        return us.getFailure();
      factors.push_back({slowed.resource, by.resource,
                         std::max(1.0, *us / aloneUs), std::string()});
    }
  return check(moert_stream_synchronize(second, MOERT_DEADLINE_DEFAULT));
}

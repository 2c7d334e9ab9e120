// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank that measures.

#ifndef MOE_EXECUTION_MEASURING_MACHINEMEASURER_H
#define MOE_EXECUTION_MEASURING_MACHINEMEASURER_H

#include "moe/Execution/MeasureMachine.h"
#include "moe/Platform/Pairs.h"

#include <algorithm>
#include <array>

namespace moe {

/// Measures on one rank of the job; all ranks do the same in the same order.
class MachineMeasurer {
public:
  MachineMeasurer(Job &job, const MachineMeasureOptions &options)
      : job(job), options(options) {}
  ~MachineMeasurer();

  cost::Result<platform::Measurements> run();

private:
  using Failure = cost::Failure;
  using Samples = std::vector<platform::Sample>;

  std::optional<Failure> check(moert_status status) const {
    if (status == MOERT_OK)
      return std::nullopt;
    return job.getFailure(status);
  }

  std::optional<Failure> prepare();
  bool takesMeans() const {
    return options.protocol == MeasureProtocol::Means;
  }

  //===--------------------------------------------------------------------===//
  // Operations alone
  //===--------------------------------------------------------------------===//

  /// Time from when all ranks have met to the end of what a call put on a
  /// stream, as moe-run takes it; the slowest rank counts, and of repeated
  /// calls the fastest: what else the machine does is not measured. Or the mean
  /// of all, if the protocol says so.
  template <typename Call>
  cost::Result<double> time(moert_stream *last, Call call) {
    // The first one warms up.
    cost::Result<double> first = timeOnce(last, call);
    if (!first)
      return first;
    constexpr int kLeast = 5, kMost = 51;
    int calls = kLeast;
    if (!takesMeans())
      calls = static_cast<int>(std::clamp(options.secondsPerSize * 1e6 / *first,
                                          double(kLeast), double(kMost)));
    double best = *first, sum = 0;
    for (int i = 0; i < calls; ++i) {
      cost::Result<double> us = timeOnce(last, call);
      if (!us)
        return us;
      best = i == 0 ? *us : std::min(best, *us);
      sum += *us;
    }
    return takesMeans() ? sum / calls : best;
  }

  /// The same of one operation, where ranks have devices in a row of them.
  template <typename Call>
  cost::Result<double> timeAlone(moert_stream *last, Call call) {
    const int row = options.onDevices ? 16 : 1;
    cost::Result<double> us = time(last, [&] {
      moert_status status = MOERT_OK;
      for (int i = 0; i < row && status == MOERT_OK; ++i)
        status = call();
      return status;
    });
    return us ? cost::Result<double>(*us / row) : us;
  }

  template <typename Call>
  cost::Result<double> timeOnce(moert_stream *last, Call call) {
    // What the call before left on the second stream is not this one's.
    if (second)
      if (auto failure =
              check(moert_stream_synchronize(second, MOERT_DEADLINE_DEFAULT)))
        return *failure;
    if (auto failure = job.barrier())
      return *failure;
    double us = 0;
    moert_status status = moert_event_record(start, job.getStream());
    // A device starts when it is asked to.
    if (status == MOERT_OK && !options.onDevices)
      status = job.synchronize();
    if (status == MOERT_OK)
      status = call();
    if (status == MOERT_OK)
      status = moert_event_record(end, last);
    if (status == MOERT_OK)
      status = moert_stream_synchronize(last, MOERT_DEADLINE_DEFAULT);
    if (status == MOERT_OK)
      status = moert_event_elapsed(start, end, &us);
    if (status != MOERT_OK)
      return job.getFailure(status);
    return job.max(us);
  }

  /// A collective on a buffer of so many bytes.
  moert_status call(moert_comm *comm, cost::CollectiveKind kind, int64_t bytes);
  moert_status copy(moert_stream *on, int64_t bytes);
  /// Bytes of an element of matrices.
  int64_t getElementBytes() const { return options.onDevices ? 2 : 4; }
  /// Rows and columns of matrices that inputs of all sizes are multiplied with:
  /// the paper states the elements of inputs alone.
  int64_t getMeansMatrix() const { return options.onDevices ? 1024 : 128; }
  /// True when the four matrices of an expert of this size have room.
  bool hasRoom(int64_t size) const {
    return 4 * size * size * getElementBytes() <= bufferBytes;
  }
  /// The two GEMMs of an expert on so many rows, with matrices of `size` by
  /// `size`.
  moert_status experts(moert_stream *on, int64_t rows, int64_t size);

  /// Measures the sizes of the protocol while a call is short enough, at least
  /// the three that a line takes. Of those whose fastest call counts, where the
  /// largest took no longer than the smallest, the machine did something else:
  /// they are measured again.
  template <typename Call>
  std::optional<Failure> measureSizes(Samples &samples, Call callOf);
  /// How often so many sizes are measured where something else was measured:
  /// five times, or for about five seconds where sizes are given little time.
  int getMostRounds(size_t numSizes) const;
  /// What a larger buffer was done in is enough for a smaller one, where the
  /// fastest call counts. Not empty.
  void takeLargerAsBound(Samples &samples) const;
  /// Of the first and the last that are measured, and the size behind one.
  int64_t getFirstBytes() const;
  int64_t getMostBytes() const;
  int64_t getNextBytes(int64_t bytes) const;
  /// Times each size, or those there are again, of which the faster counts.
  template <typename Call>
  std::optional<Failure> measureOnce(Samples &samples, Call callOf);

  std::optional<Failure> measureGroup(int64_t first, int64_t size,
                                      int64_t numNodes,
                                      std::vector<platform::NcclLog> &logs);
  std::optional<Failure> measureCopies(Samples &samples);
  /// The two GEMMs of experts of several sizes, again while their times grow
  /// with no size: of each the fastest counts.
  std::optional<Failure> measureGemms(Samples &samples);
  std::optional<Failure> measureGemmsOnce(Samples &samples);

  //===--------------------------------------------------------------------===//
  // One endpoint alone (Ports.cpp)
  //===--------------------------------------------------------------------===//

  /// What a byte takes that passes one endpoint, of each level that collectives
  /// were measured on.
  std::optional<Failure> measurePorts(std::vector<double> &usPerByte);
  /// The same of the endpoint that the first ranks of a group share, one way;
  /// 0 where larger messages take no longer.
  cost::Result<double> measurePort(moert_comm *comm, int64_t endpointRanks,
                                   bool isReceiving);

  //===--------------------------------------------------------------------===//
  // Messages between two ranks (Pairs.cpp)
  //===--------------------------------------------------------------------===//

  /// Each ordered pair alone, and what a rank takes for a copy of its own, by
  /// the copies that were measured.
  std::optional<Failure> measurePairs(platform::Measurements &all);
  /// A link by messages one way; no communicator on other ranks.
  std::optional<Failure> measureLink(moert_comm *comm, bool isSender,
                                     platform::LinkFit &fit);

  //===--------------------------------------------------------------------===//
  // Operations beside others (Overlap.cpp)
  //===--------------------------------------------------------------------===//

  /// A second stream, with communicators of its own.
  std::optional<Failure> prepareSecond();

  /// A pipeline of all-to-alls on one stream, and all-gathers of their results
  /// on another. Streams hand work to each other here as they do in programs.
  struct Pipeline {
    int chunks;
    int64_t chunkBytes;
    /// One operation alone, and all of the pipeline.
    double exchangeUs = 0, gatherUs = 0, us = 0;
  };
  std::optional<Failure> measurePipeline(Pipeline &pipeline);
  /// What pipelines take beside simulations of them with the contention that
  /// was measured: the stall, and what is left unexplained.
  std::optional<Failure> measurePipelines(platform::Measurements &all);
  /// Measures all-to-alls again. The faster counts.
  std::optional<Failure> measureRepeat(platform::Measurements &all);

  /// How much longer what uses one resource takes while what uses another one
  /// runs on the second stream.
  std::optional<Failure>
  measureContention(std::vector<cost::ContentionFactor> &factors);

  /// An operation that uses one resource, repeated until it takes long enough
  /// to be seen.
  struct Load {
    cost::Resource resource;
    int64_t size = 0;
    int times = 1;
    /// One of them, alone.
    double us = 0;
  };
  moert_status run(const Load &load, bool onSecond);
  std::optional<Failure> findLoad(Load &load);

  Job &job;
  const MachineMeasureOptions &options;
  moert_stream *stream = nullptr, *second = nullptr;
  moert_event *start = nullptr, *end = nullptr;
  /// Of each buffer: what the largest operation needs.
  int64_t bufferBytes = 0;
  moert_buffer *source = nullptr, *target = nullptr;
  /// What the second stream writes.
  moert_buffer *other = nullptr;
  /// Ranks of a node and all ranks, those of them that there are.
  std::vector<moert_comm *> comms, secondComms;
  platform::Nodes nodes;
};

} // namespace moe

#endif // MOE_EXECUTION_MEASURING_MACHINEMEASURER_H

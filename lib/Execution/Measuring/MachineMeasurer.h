// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures on one rank of a job.

#ifndef MOE_EXECUTION_MEASURING_MACHINEMEASURER_H
#define MOE_EXECUTION_MEASURING_MACHINEMEASURER_H

#include "moe/Execution/MeasureMachine.h"
#include "moe/Platform/Pairs.h"

#include <algorithm>
#include <array>

namespace moe {

/// Measures on one rank of the job. All ranks must do the same in the same
/// order.
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

  /// Returns the time, in microseconds, from the synchronization of all ranks
  /// to the end of the work that `call` put on a stream, as moe-run measures
  /// it. The slowest rank counts. Of repeated calls the fastest counts, because
  /// other processes only make calls slower; or the mean, if the protocol
  /// requires it.
  template <typename Call>
  cost::Result<double> time(moert_stream *last, Call call) {
    // The first call is a warm-up.
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

  /// Returns the time of one operation. If ranks have devices, divides the time
  /// of a row of operations.
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
    // Waits for work of the previous call on the second stream, which must not
    // be measured.
    if (second)
      if (auto failure =
              check(moert_stream_synchronize(second, MOERT_DEADLINE_DEFAULT)))
        return *failure;
    if (auto failure = job.barrier())
      return *failure;
    double us = 0;
    moert_status status = moert_event_record(start, job.getStream());
    // On devices, the time starts when the device reaches the event.
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

  /// Enqueues a collective on a buffer of this size.
  moert_status call(moert_comm *comm, cost::CollectiveKind kind, int64_t bytes);
  moert_status copy(moert_stream *on, int64_t bytes);
  /// Returns the bytes per element of matrices.
  int64_t getElementBytes() const { return options.onDevices ? 2 : 4; }
  /// Returns the number of rows and columns of the matrices that inputs of all
  /// sizes are multiplied with. The paper only states the number of input
  /// elements.
  int64_t getMeansMatrix() const { return options.onDevices ? 1024 : 128; }
  /// Returns true if the buffers can hold four matrices of this size, as an
  /// expert has.
  bool hasRoom(int64_t size) const {
    return 4 * size * size * getElementBytes() <= bufferBytes;
  }
  /// Enqueues an expert's two GEMMs on this number of rows, with matrices of
  /// `size` by `size`.
  moert_status experts(moert_stream *on, int64_t rows, int64_t size);

  /// Measures the sizes of the protocol while calls are short enough, but at
  /// least the three that a line needs. If the fastest call counts and the
  /// largest size took no longer than the smallest, the machine was disturbed,
  /// so the sizes are measured again.
  template <typename Call>
  std::optional<Failure> measureSizes(Samples &samples, Call callOf);
  /// Returns the maximum number of rounds for this number of sizes: five, or as
  /// many as take about five seconds if sizes are given little time.
  int getMostRounds(size_t numSizes) const;
  /// If the fastest call counts, bounds the time of each size by the time of
  /// the next larger one. `samples` must not be empty.
  void takeLargerAsBound(Samples &samples) const;
  /// The first and the largest measured size, and the size after `bytes`.
  int64_t getFirstBytes() const;
  int64_t getMostBytes() const;
  int64_t getNextBytes(int64_t bytes) const;
  /// Measures each size; if there are samples already, measures them again and
  /// keeps the faster time.
  template <typename Call>
  std::optional<Failure> measureOnce(Samples &samples, Call callOf);

  std::optional<Failure> measureGroup(int64_t first, int64_t size,
                                      int64_t numNodes,
                                      std::vector<platform::NcclLog> &logs);
  std::optional<Failure> measureCopies(Samples &samples);
  /// Measures the two GEMMs of experts of several sizes. Repeats this until
  /// their times grow with the size; the fastest time of each size counts.
  std::optional<Failure> measureGemms(Samples &samples);
  std::optional<Failure> measureGemmsOnce(Samples &samples);

  //===--------------------------------------------------------------------===//
  // One endpoint alone (Ports.cpp)
  //===--------------------------------------------------------------------===//

  /// Measures the time per byte through one endpoint, for each level that
  /// collectives were measured on.
  std::optional<Failure> measurePorts(std::vector<double> &usPerByte);
  /// Measures the time per byte, in one direction, through the endpoint that
  /// the first ranks of a group share; 0 if larger messages take no longer.
  cost::Result<double> measurePort(moert_comm *comm, int64_t endpointRanks,
                                   bool isReceiving);

  //===--------------------------------------------------------------------===//
  // Messages between two ranks (Pairs.cpp)
  //===--------------------------------------------------------------------===//

  /// Measures each ordered pair alone. The diagonal entries are taken from the
  /// measured copies.
  std::optional<Failure> measurePairs(platform::Measurements &all);
  /// Measures a link with messages in one direction. `comm` is null on other
  /// ranks.
  std::optional<Failure> measureLink(moert_comm *comm, bool isSender,
                                     platform::LinkFit &fit);

  //===--------------------------------------------------------------------===//
  // Concurrent operations (Overlap.cpp)
  //===--------------------------------------------------------------------===//

  std::optional<Failure> prepareSecond();

  /// A pipeline of all-to-alls on one stream, and all-gathers of their results
  /// on another one. The streams synchronize as they do in programs.
  struct Pipeline {
    int chunks;
    int64_t chunkBytes;
    /// Time of one operation alone, and of the whole pipeline.
    double exchangeUs = 0, gatherUs = 0, us = 0;
  };
  std::optional<Failure> measurePipeline(Pipeline &pipeline);
  /// Compares pipelines with their simulations under the measured contention.
  /// The differences give the stall and the unexplained error.
  std::optional<Failure> measurePipelines(platform::Measurements &all);
  /// Measures all-to-alls again; the faster time counts.
  std::optional<Failure> measureRepeat(platform::Measurements &all);

  /// Measures the slowdown of an operation on one resource by concurrent
  /// operations on another resource, on the second stream.
  std::optional<Failure>
  measureContention(std::vector<cost::ContentionFactor> &factors);

  /// An operation that uses one resource, repeated until its time is
  /// measurable.
  struct Load {
    cost::Resource resource;
    int64_t size = 0;
    int times = 1;
    /// Time of one operation alone.
    double us = 0;
  };
  moert_status run(const Load &load, bool onSecond);
  std::optional<Failure> findLoad(Load &load);

  Job &job;
  const MachineMeasureOptions &options;
  moert_stream *stream = nullptr, *second = nullptr;
  moert_event *start = nullptr, *end = nullptr;
  /// The size of each buffer, which is enough for the largest operation.
  int64_t bufferBytes = 0;
  moert_buffer *source = nullptr, *target = nullptr;
  /// The target of the second stream.
  moert_buffer *other = nullptr;
  /// Communicators inside nodes and of all ranks, as far as they exist.
  std::vector<moert_comm *> comms, secondComms;
  platform::Nodes nodes;
};

} // namespace moe

#endif // MOE_EXECUTION_MEASURING_MACHINEMEASURER_H

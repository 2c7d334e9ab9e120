// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank of a job of the runtime.
//
// Standard C++ over the runtime's C interface, for tools whose ranks must
// agree. Ranks are threads of this process on the backend `host`, and processes
// on the other backends.

#ifndef MOE_EXECUTION_JOB_H
#define MOE_EXECUTION_JOB_H

#include "moe/Cost/Result.h"
#include "moert.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace moe {

/// Settings for NCCL and CUDA, see `moert_config`.
struct NcclOptions {
  bool cudaGraph = false;
  /// Register buffers with NCCL; by default as the program was compiled.
  std::optional<bool> registerBuffers;
  /// Number of blocks of a collective, 0 for NCCL's choice; by default as the
  /// program was compiled.
  std::optional<int32_t> minCtas, maxCtas;

  void apply(moert_config &config) const {
    config.cuda_graph = cudaGraph;
    // A 0 in the configuration means the program's setting, so "none" needs
    // another value.
    constexpr int32_t kNone = -1;
    if (registerBuffers)
      config.register_buffers = *registerBuffers ? 1 : kNone;
    if (minCtas)
      config.min_ctas = *minCtas ? *minCtas : kNone;
    if (maxCtas)
      config.max_ctas = *maxCtas ? *maxCtas : kNone;
  }
  /// Returns how often a program must be called for its results. With a CUDA
  /// graph, the first call creates the objects that the graph uses, the second
  /// call captures the graph, and the third call only launches it.
  int getNumRuns() const { return cudaGraph ? 3 : 1; }
};

/// One rank of a job of the runtime. It has a stream and a communicator of all
/// ranks, separate from the objects of the program that runs. All ranks must
/// call the methods that communicate, in the same order; each method waits for
/// the other ranks up to the deadline of the configuration. Failures contain
/// the runtime's error message.
class Job {
public:
  /// Joins the job; returns when all ranks have joined.
  static cost::Result<std::unique_ptr<Job>> join(const moert_config &config);
  /// Leaves the job, even after a failure, within the deadline of the
  /// configuration, or within 1 s after `leaveSoon`. Work that does not end is
  /// abandoned with its threads and memory.
  ~Job();
  Job(const Job &) = delete;
  Job &operator=(const Job &) = delete;

  int32_t getRank() const { return moert_rank(context); }
  int32_t getNumRanks() const { return moert_world_size(context); }
  moert_context *getContext() const { return context; }
  /// Shortens the deadline for leaving, because the job has failed. Work that
  /// the failure did not end, for example an endless loop, would not end later.
  void leaveSoon();
  /// Returns the stream that the methods below use.
  moert_stream *getStream() const { return stream; }

  /// Returns the failure that the runtime reported with this status.
  cost::Failure getFailure(moert_status status) const;

  /// Returns when all ranks have called it.
  std::optional<cost::Failure> barrier();
  cost::Result<double> max(double value);
  cost::Result<int64_t> min(int64_t value);
  /// Returns the number of each rank, on every rank.
  cost::Result<std::vector<int64_t>> allGather(int64_t value);
  /// Returns the bytes of rank `root`, on every rank.
  cost::Result<std::string> broadcast(const std::string &bytes, int32_t root);
  /// Returns the bytes of each rank on rank 0, and nothing on other ranks.
  cost::Result<std::vector<std::string>> gather(const std::string &bytes);

  /// Waits for the work of `getStream`.
  moert_status synchronize();

private:
  Job() = default;

  /// Copies bytes to memory that streams can access, runs the work, and copies
  /// the result back.
  template <typename Work>
  moert_status exchange(const void *send, size_t sendBytes, void *receive,
                        size_t receiveBytes, Work work);
  moert_status raggedToAll(const std::vector<int64_t> &sendSizes,
                           const std::vector<int64_t> &receiveSizes,
                           const std::string &send, std::string &receive);

  moert_context *context = nullptr;
  moert_stream *stream = nullptr;
  moert_comm *comm = nullptr;
  int64_t leaveDeadlineUs = MOERT_DEADLINE_DEFAULT;
};

/// Calls `body` with each number from 0 to `count` - 1 concurrently, each on
/// its own thread, and returns when all calls have returned. If the system
/// cannot create this many threads, fails before any call.
std::optional<cost::Failure>
runOnThreads(int64_t count, const std::function<void(int64_t)> &body);

} // namespace moe

#endif // MOE_EXECUTION_JOB_H

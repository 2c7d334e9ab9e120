// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's place among the others.
//
// Standard C++ over the runtime's C interface, for tools whose ranks must
// agree: a thread of this process on the backend `host`, a process elsewhere.

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

/// What NCCL and CUDA are used for, as `moert_config` has it.
struct NcclOptions {
  bool cudaGraph = false;
  /// Whether buffers are registered; as the program was compiled for where it is
  /// not said.
  std::optional<bool> registerBuffers;
  /// Blocks of a collective, 0 for NCCL's own choice; as above.
  std::optional<int32_t> minCtas, maxCtas;

  void apply(moert_config &config) const {
    config.cuda_graph = cudaGraph;
    // 0 stands for what the program was compiled for.
    constexpr int32_t kNone = -1;
    if (registerBuffers)
      config.register_buffers = *registerBuffers ? 1 : kNone;
    if (minCtas)
      config.min_ctas = *minCtas ? *minCtas : kNone;
    if (maxCtas)
      config.max_ctas = *maxCtas ? *maxCtas : kNone;
  }
  /// How often a program is called for its results: the first call makes what
  /// a graph is made with, the second the graph, the third only launches it.
  int getNumRuns() const { return cudaGraph ? 3 : 1; }
};

/// One rank of a job of the runtime, with a stream and a communicator of all
/// ranks beside those of the program that runs. All ranks call the methods
/// that talk to others, in one order; each waits for them until the deadline
/// of the configuration. Failures carry the runtime's words.
class Job {
public:
  /// Joins; returns when all ranks have.
  static cost::Result<std::unique_ptr<Job>> join(const moert_config &config);
  /// Leaves the job, whatever became of it, within the deadline of the
  /// configuration, or within a second after `leaveSoon`. Work that never ends
  /// is left behind, with the threads and the memory that it has.
  ~Job();
  Job(const Job &) = delete;
  Job &operator=(const Job &) = delete;

  int32_t getRank() const { return moert_rank(context); }
  int32_t getNumRanks() const { return moert_world_size(context); }
  moert_context *getContext() const { return context; }
  /// The job has failed: work that its failure has not ended, as a loop without
  /// end, would not end later.
  void leaveSoon();
  /// The stream of the methods below.
  moert_stream *getStream() const { return stream; }

  /// What a call that returned this status found.
  cost::Failure getFailure(moert_status status) const;

  /// Returns when all ranks have come.
  std::optional<cost::Failure> barrier();
  cost::Result<double> max(double value);
  cost::Result<int64_t> min(int64_t value);
  /// Of each rank its number, on every rank.
  cost::Result<std::vector<int64_t>> allGather(int64_t value);
  /// The bytes of rank `root`, on every rank.
  cost::Result<std::string> broadcast(const std::string &bytes, int32_t root);
  /// The bytes of each rank, on rank 0; nothing elsewhere.
  cost::Result<std::vector<std::string>> gather(const std::string &bytes);

  /// Waits for the work of `getStream`.
  moert_status synchronize();

private:
  Job() = default;

  /// Puts bytes in the memory that streams work on, runs the work, and takes
  /// the result from there.
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

/// Calls `body` with each number from 0 to `count` - 1, all at once, each on a
/// thread of its own, and returns when all have returned. Where the system does
/// not give so many threads, fails before any call.
std::optional<cost::Failure>
runOnThreads(int64_t count, const std::function<void(int64_t)> &body);

} // namespace moe

#endif // MOE_EXECUTION_JOB_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators of the emulated NCCL.

#ifndef MOERT_STANDINS_NCCLCOMM_H
#define MOERT_STANDINS_NCCLCOMM_H

#include "StandIn.h"
#include "nccl/NcclLibrary.h"
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace moert::standin {

/// Status codes of NCCL.
constexpr nccl::Result kUnhandledCudaError = 1, kInvalidArgument = 4,
                       kInvalidUsage = 5;

enum class Kind { AllGather, ReduceScatter, AllReduce, AllToAll };

struct Operation {
  Kind kind;
  const void *send;
  void *receive;
  size_t count;
  int type, reduction;
};

/// A collective of a communicator, identified by its number.
struct Round {
  std::vector<std::shared_ptr<Operation>> operations;
  size_t done = 0, left = 0;
};

struct Message {
  const void *data;
  size_t bytes;
  bool received = false;
};

struct Shared;

/// A split of a communicator. Its results exist when all members have called.
struct Split {
  struct Call {
    int color, key, rank;
  };
  std::vector<Call> calls;
  /// State of the communicators that are made, by their color.
  std::map<int, std::shared_ptr<Shared>> shared;
};

/// State that the members of a communicator share.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<uint64_t, Round> rounds;
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Message>>> messages;
  /// The splits of this communicator by their number.
  std::map<uint64_t, Split> splits;
};

/// Returns the bytes of an element of an NCCL type.
size_t sizeOf(int type);
/// Prints bytes as in the log.
std::string printBytes(size_t bytes);

/// Combines the operands of all members in rank order.
void reduce(int type, const std::vector<const char *> &from, char *to,
            size_t count, int reduction);

/// If the communicator is non-blocking, marks it as in progress for a number of
/// queries.
nccl::Result begin(nccl::Comm comm);

/// Returns true if this thread is inside of a group.
bool isInGroup();
/// Releases a communicator at the end of the group; its caller must not use it
/// any more.
void endWithGroup(nccl::Comm comm);
/// Frees the memory of a communicator. This waits for all work on the device,
/// where kernels of other communicators may wait for their peers; its own
/// kernels have ended.
void release(nccl::Comm comm);

} // namespace moert::standin

namespace moert::nccl {
struct CommHandle {
  std::shared_ptr<standin::Shared> shared;
  size_t size;
  int rank;
  /// The number of the next collective to run. It is counted at run time,
  /// because a captured collective may run many times.
  std::shared_ptr<uint64_t> next = std::make_shared<uint64_t>(0);
  std::shared_ptr<bool> aborted = std::make_shared<bool>(false);
  /// Shared by its kernels, including kernels in graphs.
  std::shared_ptr<int> uses = std::make_shared<int>(0);
  /// The context of the thread that created it.
  cuda::Context context = nullptr;
  /// Number of queries that still return "in progress".
  long long pending = 0;
  bool hasStarted = false;
  /// If true, calls return when they have ended, so there is nothing to wait
  /// for.
  bool isBlocking = false;
  /// The result of the last split is stored at `splitPlace` when it has ended;
  /// `split` is null for a rank without a color.
  uint64_t numSplits = 0;
  int splitColor = 0;
  CommHandle *split = nullptr, **splitPlace = nullptr;
};
} // namespace moert::nccl

#endif // MOERT_STANDINS_NCCLCOMM_H

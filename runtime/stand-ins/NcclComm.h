// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators of the NCCL stand-in.

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

/// Results of NCCL.
constexpr nccl::Result kUnhandledCudaError = 1, kInvalidArgument = 4;

enum class Kind { AllGather, ReduceScatter, AllReduce, AllToAll };

struct Operation {
  Kind kind;
  const void *send;
  void *receive;
  size_t count;
  int type, reduction;
};

/// Collective number so-and-so of a communicator.
struct Round {
  std::vector<std::shared_ptr<Operation>> operations;
  size_t done = 0, left = 0;
};

struct Message {
  const void *data;
  size_t bytes;
  bool received = false;
};

/// What the members of a communicator share.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<uint64_t, Round> rounds;
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Message>>> messages;
  /// Of the communicators that were made from this one.
  std::map<uint64_t, std::shared_ptr<Shared>> splits;
};

/// Bytes of an element of one of NCCL's types.
size_t sizeOf(int type);
/// As the log has them.
std::string printBytes(size_t bytes);

/// Combines the operands of all members in their order.
void reduce(int type, const std::vector<const char *> &from, char *to,
            size_t count, int reduction);

/// Where a communicator does not block, what was called goes on for so many
/// questions.
nccl::Result begin(nccl::Comm comm);

/// Whether this thread has begun a group that has not ended.
bool isInGroup();
/// Gives a communicator back that its caller has no more, when the group ends.
void endWithGroup(nccl::Comm comm);
/// Gives back its memory, which waits for everything on the device: its own
/// kernels have ended, those of another communicator may wait for their peers.
void release(nccl::Comm comm);

} // namespace moert::standin

namespace moert::nccl {
struct CommHandle {
  std::shared_ptr<standin::Shared> shared;
  size_t size;
  int rank;
  /// The number of the next collective that runs: one that was captured runs
  /// often.
  std::shared_ptr<uint64_t> next = std::make_shared<uint64_t>(0);
  std::shared_ptr<bool> aborted = std::make_shared<bool>(false);
  /// Held by its kernels, those in graphs among them.
  std::shared_ptr<int> uses = std::make_shared<int>(0);
  /// That of the thread that made it.
  cuda::Context context = nullptr;
  /// Answers still to be given with "in progress".
  long long pending = 0;
  bool hasStarted = false;
  /// Whether calls answer when they have ended: there is nothing to wait for.
  bool isBlocking = false;
  /// What a split makes is there when it has ended.
  uint64_t numSplits = 0;
  CommHandle *split = nullptr, **splitPlace = nullptr;
};
} // namespace moert::nccl

#endif // MOERT_STANDINS_NCCLCOMM_H

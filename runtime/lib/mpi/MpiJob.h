// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are processes.

#ifndef MOERT_MPI_MPIJOB_H
#define MOERT_MPI_MPIJOB_H

#include "core/Wait.h"
#include "cpu/Failure.h"
#include "mpi/Messages.h"
#include "mpi/MpiTurns.h"
#include "mpi/MpiWaits.h"
#include "net/Member.h"
#include <functional>
#include <memory>

namespace moert {

/// Requests under way and the waiting for them.
class MpiRequests {
public:
  explicit MpiRequests(Messages &transport) : transport(transport) {}
  ~MpiRequests() { cancel(); }
  MpiRequests(const MpiRequests &) = delete;

  void send(const void *data, size_t bytes, int32_t peer, int tag);
  void receive(void *data, size_t bytes, int32_t peer, int tag);

  /// Drives what is under way; true when nothing is left.
  bool poll();
  bool hasFailed() const { return failed; }
  /// Peers of receives that are not done; when all are, of sends.
  std::vector<int32_t> getWaitedFor() const;
  void cancel();

private:
  struct Request {
    void *handle;
    int32_t peer;
    bool receives;
  };
  void add(void *handle, int32_t peer, bool receives);

  Messages &transport;
  std::vector<Request> requests;
  bool failed = false;
};

/// A job of processes: of those that mpirun started, one at a time in a
/// process, or of processes of one machine whose caller brings an all-gather.
class MpiJob {
public:
  /// Tags of messages that belong to no communicator.
  enum Tag { kJoin = 1, kJoined, kAbort, kCreate, kCreated, kFirstComm };

  /// `member` is null in a job of mpirun's.
  MpiJob(std::unique_ptr<Messages> transport, std::unique_ptr<Member> member,
         int32_t rank, int32_t worldSize, uint64_t generation);
  ~MpiJob();

  static Status join(const moert_config &config, Deadline deadline,
                     std::unique_ptr<MpiJob> &job);
  /// The same by the configuration's `all_gather`. UNAVAILABLE when ranks are
  /// on other machines.
  static Status joinByCaller(const moert_config &config, Deadline deadline,
                             std::unique_ptr<MpiJob> &job);

  /// Agrees with the members of a group on a tag that is theirs alone.
  Status agreeOnTag(const std::vector<int32_t> &ranks, int32_t position,
                    uint64_t key, Deadline deadline, int &tag);

  /// Waits until all requests are done, the job fails or the deadline passes.
  /// On failure gives them up and returns what this rank is told; `explain`
  /// makes the error of a deadline. `what` says in words what is waited in,
  /// for other ranks of the node to see; none are seen before all have joined.
  Status wait(MpiRequests &requests, Deadline deadline,
              const std::vector<int32_t> &concerned,
              const std::function<Status()> &explain,
              const std::function<std::string()> &what = nullptr, int tag = 0);
  /// "missing are ranks [2]; ...": whom requests wait for in the end.
  std::string describeMissing(const MpiRequests &requests) {
    return waits.describe(requests.getWaitedFor());
  }
  /// What a thread of this rank waits for in the collectives of a tag; false
  /// when it does not, or not for long.
  bool describeWait(int tag, std::string &words);
  /// Tells the node that this rank takes part in nothing any more.
  void leave();
  /// Whether it is mpirun's, so that the process may join another one only when
  /// this has ended.
  bool isOfMpi() const { return !member; }

  /// Ends the job and tells everyone.
  void fail(Status status, std::vector<int32_t> concerned);
  /// Takes in what others said about the end of the job.
  bool hasFailed();
  const Failure &getFailure() const { return failure; }
  Messages &getTransport() const { return *transport; }
  int32_t getRank() const { return rank; }
  MpiTurns &getTurns() { return turns; }

private:
  /// Fixed in size, so that a receive for it can be posted ahead.
  struct AbortMessage {
    uint64_t generation;
    int32_t code, concernsYou;
    char text[2032];
  };
  /// Rank 0 hears of all others and then lets them go, each with the
  /// processes of all.
  Status joinAsHub(const moert_config &config, Deadline deadline,
                   std::vector<ProcessName> &processes);
  Status joinAsGuest(const moert_config &config, Deadline deadline,
                     std::vector<ProcessName> &processes);
  void postAbort();
  /// Keeps why the job is over; true for the first reason. Tells the caller.
  bool raise(const Status &status, const std::vector<int32_t> &concerned);

  const std::unique_ptr<Messages> transport;
  const std::unique_ptr<Member> member;
  const int32_t rank, worldSize;
  const uint64_t generation;
  Failure failure;
  MpiWaits waits;
  MpiTurns turns;
  std::mutex abortMutex;
  AbortMessage incoming{};
  void *incomingRequest = nullptr;
  /// Sent when the job failed, with their requests; kept until they are gone.
  std::vector<std::pair<std::unique_ptr<AbortMessage>, void *>> outgoing;
  std::mutex createMutex;
  int nextTag = 0;
};

/// Leaves the job; the process may join another.
void endMpiJob(std::unique_ptr<MpiJob> job);

} // namespace moert

#endif // MOERT_MPI_MPIJOB_H

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

/// Pending requests.
class MpiRequests {
public:
  explicit MpiRequests(Messages &transport) : transport(transport) {}
  ~MpiRequests() { cancel(); }
  MpiRequests(const MpiRequests &) = delete;

  void send(const void *data, size_t bytes, int32_t peer, int tag);
  void receive(void *data, size_t bytes, int32_t peer, int tag);

  /// Makes progress; returns true if no request is pending.
  bool poll();
  bool hasFailed() const { return failed; }
  /// Returns the peers of pending receives or, if there are none, of pending
  /// sends.
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

/// A job of processes: either processes that mpirun started, with one job at a
/// time per process, or processes of one machine with an all-gather of the
/// caller.
class MpiJob {
public:
  /// Tags of messages that belong to no communicator.
  enum Tag { kJoin = 1, kJoined, kAbort, kCreate, kCreated, kFirstComm };

  /// `member` is null in a job that mpirun started.
  MpiJob(std::unique_ptr<Messages> transport, std::unique_ptr<Member> member,
         int32_t rank, int32_t worldSize, uint64_t generation);
  ~MpiJob();

  static Status join(const moert_config &config, Deadline deadline,
                     std::unique_ptr<MpiJob> &job);
  /// Joins with the configuration's `all_gather`. UNAVAILABLE if ranks are on
  /// other machines.
  static Status joinByCaller(const moert_config &config, Deadline deadline,
                             std::unique_ptr<MpiJob> &job);

  /// Agrees with the members of a group on a tag that no other group uses.
  Status agreeOnTag(const std::vector<int32_t> &ranks, int32_t position,
                    uint64_t key, Deadline deadline, int &tag);

  /// Waits until all requests are done, the job fails or the deadline passes.
  /// On a failure, cancels the requests and returns the status for this rank;
  /// `explain` creates the error of a deadline. `what` describes the wait for
  /// other ranks of the node; they see no waits before all ranks have joined.
  Status wait(MpiRequests &requests, Deadline deadline,
              const std::vector<int32_t> &concerned,
              const std::function<Status()> &explain,
              const std::function<std::string()> &what = nullptr, int tag = 0);
  /// Returns "missing are ranks [2]; ...", following the waits of the requests'
  /// peers.
  std::string describeMissing(const MpiRequests &requests) {
    return waits.describe(requests.getWaitedFor());
  }
  /// Describes the wait of a thread of this rank in collectives with a tag;
  /// returns false if it does not wait, or only briefly.
  bool describeWait(int tag, std::string &words);
  /// Informs the node that this rank no longer takes part.
  void leave();
  /// Returns true for a job that mpirun started; the process may join another
  /// one only after this has ended.
  bool isOfMpi() const { return !member; }

  /// Ends the job and notifies all ranks.
  void fail(Status status, std::vector<int32_t> concerned);
  /// Returns true if the job has failed, after receiving reports of other
  /// ranks.
  bool hasFailed();
  const Failure &getFailure() const { return failure; }
  Messages &getTransport() const { return *transport; }
  int32_t getRank() const { return rank; }
  MpiTurns &getTurns() { return turns; }

private:
  /// The size is fixed, so that its receive can be posted in advance.
  struct AbortMessage {
    uint64_t generation;
    int32_t code, concernsYou;
    char text[2032];
  };
  /// Rank 0 waits for all other ranks, and then sends each of them the
  /// processes of all ranks.
  Status joinAsHub(const moert_config &config, Deadline deadline,
                   std::vector<ProcessName> &processes);
  Status joinAsGuest(const moert_config &config, Deadline deadline,
                     std::vector<ProcessName> &processes);
  void postAbort();
  /// Stores the reason for the end of the job and notifies the caller; returns
  /// true for the first reason.
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
  /// Messages sent after a failure, with their requests, which must stay valid
  /// until they are sent.
  std::vector<std::pair<std::unique_ptr<AbortMessage>, void *>> outgoing;
  std::mutex createMutex;
  int nextTag = 0;
};

/// Leaves the job, after which the process may join another one.
void endMpiJob(std::unique_ptr<MpiJob> job);

} // namespace moert

#endif // MOERT_MPI_MPIJOB_H

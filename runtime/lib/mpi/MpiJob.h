// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that mpirun started.

#ifndef MOERT_MPI_MPIJOB_H
#define MOERT_MPI_MPIJOB_H

#include "core/Wait.h"
#include "cpu/Failure.h"
#include "mpi/MpiTransport.h"
#include "mpi/MpiTurns.h"
#include "mpi/MpiWaits.h"
#include <functional>
#include <memory>

namespace moert {

/// Loads libmoert_mpi; null, with the reason, where there is none.
const moert_mpi_transport *loadMpiTransport(std::string &reason);

/// Requests under way and the waiting for them.
class MpiRequests {
public:
  explicit MpiRequests(const moert_mpi_transport &transport)
      : transport(transport) {}
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

  const moert_mpi_transport &transport;
  std::vector<Request> requests;
  bool failed = false;
};

/// A job of the processes that mpirun started: one at a time in a process.
class MpiJob {
public:
  /// Tags of messages that belong to no communicator.
  enum Tag { kJoin = 1, kJoined, kAbort, kCreate, kCreated, kFirstComm };

  MpiJob(const moert_mpi_transport &transport, int32_t rank, int32_t worldSize,
         uint64_t generation);
  ~MpiJob();

  static Status join(const moert_config &config, Deadline deadline,
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
  void leave() { waits.leave(); }

  /// Ends the job and tells everyone.
  void fail(Status status, std::vector<int32_t> concerned);
  /// Takes in what others said about the end of the job.
  bool hasFailed();
  const Failure &getFailure() const { return failure; }
  const moert_mpi_transport &getTransport() const { return transport; }
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

  const moert_mpi_transport &transport;
  const int32_t rank, worldSize;
  const uint64_t generation;
  Failure failure;
  MpiWaits waits;
  MpiTurns turns;
  std::mutex abortMutex;
  AbortMessage incoming{};
  void *incomingRequest = nullptr;
  /// Sent when the job failed; kept until they are gone.
  std::vector<std::unique_ptr<AbortMessage>> outgoing;
  std::mutex createMutex;
  int nextTag = 0;
};

/// Leaves the job; the process may join another.
void endMpiJob(std::unique_ptr<MpiJob> job);

} // namespace moert

#endif // MOERT_MPI_MPIJOB_H

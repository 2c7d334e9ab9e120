// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are threads of one process.

#ifndef MOERT_HOST_HOSTJOB_H
#define MOERT_HOST_HOSTJOB_H

#include "core/Wait.h"
#include "core/WaitGraph.h"
#include "cpu/Failure.h"
#include "host/Links.h"
#include <map>
#include <memory>
#include <string>

namespace moert {

class CollectiveSlots;

/// The ranks of one job that share this process. Ranks find the job by its
/// address until all have joined; then the address is free again.
class HostJob {
public:
  HostJob(std::string address, std::string token, int32_t worldSize,
          std::vector<moert_link> links);

  /// Joins the job of this configuration and waits until all ranks have joined.
  static Status join(const moert_config &config, Deadline deadline,
                     std::shared_ptr<HostJob> &job);

  /// Finds or creates the board of a group for the member at `position`, and
  /// waits until all members have joined it.
  Status joinBoard(const std::vector<int32_t> &ranks, int32_t position,
                   uint64_t key, Deadline deadline,
                   std::shared_ptr<CollectiveSlots> &board);

  /// Ends the job, keeping only the first failure, and wakes all waiters.
  void fail(Status status, std::vector<int32_t> concerned);

  /// Marks `rank` as no longer taking part.
  void leave(int32_t rank);
  /// Returns true if a member left before it reached collective `number`, so
  /// that it never will. Fast while no member has left.
  bool isAbandoned(const CollectiveSlots &board, uint64_t number) const;

  /// Describes the state of `rank`: in collectives that wait for others, in
  /// none, or gone.
  Whereabouts findWhereabouts(int32_t rank);
  /// Describes the ranks that collective `number` of a board waits for,
  /// following waits to the ranks that do not wait; "" if all have arrived.
  std::string describeMissing(const CollectiveSlots &board, uint64_t number);

  int32_t getWorldSize() const { return worldSize; }
  const Failure &getFailure() const { return failure; }
  unsigned getSpins() const { return spins; }
  /// Returns the maximum number of bytes in a collective that one member
  /// executes for all.
  size_t getMostForAll() const { return spins ? 16384 : 262144; }
  /// Null if no links are emulated.
  Links *getLinks() { return links.get(); }

private:
  std::vector<std::shared_ptr<CollectiveSlots>> getBoards();
  /// If any of the missing ranks has left, keeps only those, because the others
  /// still had time.
  void keepThoseWhoLeft(std::vector<int32_t> &missing) const;

  const std::string address, token;
  const int32_t worldSize;
  const unsigned spins;
  std::unique_ptr<Links> links;
  Failure failure;
  Signal joined;
  std::atomic<int32_t> numJoined{0};
  struct Place {
    std::atomic<bool> left{false};
  };
  std::unique_ptr<Place[]> places;
  std::atomic<int32_t> numLeft{0};

  std::mutex mutex;
  std::vector<bool> present;
  /// Boards that members have yet to join, by sorted ranks and key.
  std::map<std::pair<std::vector<int32_t>, uint64_t>,
           std::vector<std::shared_ptr<CollectiveSlots>>>
      gathering;
  /// All boards that are still in use.
  std::vector<std::weak_ptr<CollectiveSlots>> boards;
};

} // namespace moert

#endif // MOERT_HOST_HOSTJOB_H

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

/// The ranks of one job that share this process. A job is found by its
/// address while ranks are still to come; then the address is free again.
class HostJob {
public:
  HostJob(std::string address, std::string token, int32_t worldSize,
          std::vector<moert_link> links);

  /// Joins the job of this configuration and waits until all ranks have.
  static Status join(const moert_config &config, Deadline deadline,
                     std::shared_ptr<HostJob> &job);

  /// Finds or makes the board of a group for the member at `position`, and
  /// waits until all members have come.
  Status joinBoard(const std::vector<int32_t> &ranks, int32_t position,
                   uint64_t key, Deadline deadline,
                   std::shared_ptr<CollectiveSlots> &board);

  /// Ends the job; keeps the first failure only, and wakes whoever waits.
  void fail(Status status, std::vector<int32_t> concerned);

  /// The rank takes part in nothing any more.
  void leave(int32_t rank);
  /// Whether a member that has left did not come to collective `number`: it
  /// never will. Cheap while nobody has left.
  bool isAbandoned(const CollectiveSlots &board, uint64_t number) const;

  /// Where `rank` is now: in collectives that wait for others, in none, or
  /// gone.
  Whereabouts findWhereabouts(int32_t rank);
  /// Which ranks collective `number` of a board waits for, followed to those
  /// that wait for nobody; empty when all have come.
  std::string describeMissing(const CollectiveSlots &board, uint64_t number);

  int32_t getWorldSize() const { return worldSize; }
  const Failure &getFailure() const { return failure; }
  unsigned getSpins() const { return spins; }
  /// The most bytes that one member moves for all in a collective.
  size_t getMostForAll() const { return spins ? 16384 : 262144; }
  /// Null when none are emulated.
  Links *getLinks() { return links.get(); }

private:
  std::vector<std::shared_ptr<CollectiveSlots>> getBoards();
  /// Of ranks that did not come only those that left, if any did: the others
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
  /// Boards that members are still to come to, by sorted ranks and key.
  std::map<std::pair<std::vector<int32_t>, uint64_t>,
           std::vector<std::shared_ptr<CollectiveSlots>>>
      gathering;
  /// All boards somebody holds.
  std::vector<std::weak_ptr<CollectiveSlots>> boards;
};

} // namespace moert

#endif // MOERT_HOST_HOSTJOB_H

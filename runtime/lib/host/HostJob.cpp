// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are threads of one process.

#include "host/HostJob.h"
#include "core/Collective.h"
#include "host/CollectiveSlots.h"
#include <algorithm>
#include <functional>

using namespace moert;

HostJob::HostJob(std::string address, std::string token, int32_t worldSize,
                 std::vector<moert_link> levels)
    : address(std::move(address)), token(std::move(token)),
      worldSize(worldSize), spins(getUsefulSpins(worldSize)), joined(spins),
      places(new Place[worldSize]), present(worldSize, false) {
  if (!levels.empty())
    links = std::make_unique<Links>(std::move(levels), worldSize);
}

namespace {
/// Jobs that not all ranks have joined, by address.
struct Lobby {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<HostJob>> jobs;
};
} // namespace

static Lobby &getLobby() {
  static Lobby lobby;
  return lobby;
}

static void leaveLobby(const std::string &address,
                       const std::shared_ptr<HostJob> &job) {
  std::lock_guard<std::mutex> lock(getLobby().mutex);
  auto it = getLobby().jobs.find(address);
  if (it != getLobby().jobs.end() && it->second == job)
    getLobby().jobs.erase(it);
}

Status HostJob::join(const moert_config &config, Deadline deadline,
                     std::shared_ptr<HostJob> &job) {
  std::string address = config.address ? config.address : "";
  std::string token = config.token ? config.token : "";
  bool isLast = false;
  {
    std::lock_guard<std::mutex> lock(getLobby().mutex);
    std::shared_ptr<HostJob> &entry = getLobby().jobs[address];
    if (!entry)
      entry = std::make_shared<HostJob>(
          address, token, config.world_size,
          std::vector<moert_link>(config.links,
                                  config.links + config.num_links));
    // Refuse a wrong rank; the others keep waiting for the right one.
    if (entry->token != token)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the token of the job at '%s', got another one",
                   address.c_str());
    if (entry->worldSize != config.world_size)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the %d ranks of the job at '%s', got world_size "
                   "%d",
                   entry->worldSize, address.c_str(), config.world_size);
    if (entry->present[config.rank])
      return error(MOERT_INVALID_ARGUMENT,
                   "expected one rank %d in the job at '%s', got a second one",
                   config.rank, address.c_str());
    job = entry;
    job->present[config.rank] = true;
    isLast = job->numJoined.fetch_add(1) + 1 == config.world_size;
    if (isLast)
      getLobby().jobs.erase(address);
  }
  if (isLast) {
    job->joined.notify();
    return {};
  }
  auto isOver = [&] {
    return job->numJoined.load() == job->worldSize || job->failure.isRaised();
  };
  job->joined.wait(isOver, deadline);
  if (job->numJoined.load() == job->worldSize)
    return {};
  leaveLobby(address, job);
  std::vector<int32_t> missing, here;
  {
    std::lock_guard<std::mutex> lock(getLobby().mutex);
    for (int32_t rank = 0; rank < job->worldSize; ++rank)
      (job->present[rank] ? here : missing).push_back(rank);
  }
  // The last rank may have joined between the wait and the lock.
  if (missing.empty())
    return {};
  job->fail(error(MOERT_DEADLINE_EXCEEDED,
                  "expected all %d ranks to join the job at '%s' before the "
                  "deadline, missing are ranks %s",
                  job->worldSize, address.c_str(),
                  printRanks(missing.data(), missing.size()).c_str()),
            here);
  job->joined.notify();
  return job->failure.getStatusOf(config.rank);
}

std::vector<std::shared_ptr<CollectiveSlots>> HostJob::getBoards() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::shared_ptr<CollectiveSlots>> alive;
  for (const std::weak_ptr<CollectiveSlots> &board : boards)
    if (std::shared_ptr<CollectiveSlots> held = board.lock())
      alive.push_back(held);
  return alive;
}

void HostJob::fail(Status status, std::vector<int32_t> concerned) {
  failure.raise(std::move(status), std::move(concerned));
  for (const std::shared_ptr<CollectiveSlots> &board : getBoards())
    board->wake();
}

Status HostJob::joinBoard(const std::vector<int32_t> &ranks, int32_t position,
                          uint64_t key, Deadline deadline,
                          std::shared_ptr<CollectiveSlots> &board) {
  std::vector<int32_t> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  std::pair<std::vector<int32_t>, uint64_t> name(sorted, key);
  bool isLast = false;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto &candidates = gathering[name];
    // If this member has already joined a board, it is an earlier one of the
    // same name that another member has yet to join.
    for (const std::shared_ptr<CollectiveSlots> &candidate : candidates)
      if (candidate->getRanks() != ranks || !candidate->joined[position]) {
        board = candidate;
        break;
      }
    if (!board) {
      board = std::make_shared<CollectiveSlots>(ranks, key, spins);
      candidates.push_back(board);
      std::erase_if(boards, [](const std::weak_ptr<CollectiveSlots> &other) {
        return other.expired();
      });
      boards.push_back(board);
    }
    if (board->getRanks() == ranks) {
      board->joined[position] = true;
      isLast = board->numJoined.fetch_add(1) + 1 == ranks.size();
      if (isLast) {
        std::erase(candidates, board);
        if (candidates.empty())
          gathering.erase(name);
      }
    }
  }
  if (board->getRanks() != ranks)
    fail(error(MOERT_MISMATCH,
               "expected all members of %s to list the same order, got %s on "
               "rank %d",
               board->describe().c_str(),
               printRanks(ranks.data(), ranks.size()).c_str(), ranks[position]),
         sorted);
  if (isLast)
    board->wake();
  auto allHere = [&] { return board->numJoined.load() == ranks.size(); };
  // A member that left before it joined will never join.
  auto isAbandoned = [&] {
    if (numLeft.load(std::memory_order_acquire) == 0)
      return false;
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < ranks.size(); ++i)
      if (!board->joined[i] && places[ranks[i]].left.load())
        return true;
    return false;
  };
  board->signal.wait(
      [&] { return allHere() || failure.isRaised() || isAbandoned(); },
      deadline);
  if (failure.isRaised())
    return failure.getStatusOf(ranks[position]);
  if (allHere())
    return {};
  std::vector<int32_t> missing;
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < ranks.size(); ++i)
      if (!board->joined[i])
        missing.push_back(ranks[i]);
  }
  if (missing.empty())
    return {};
  keepThoseWhoLeft(missing);
  std::string blame = describeBlame(
      missing, [&](int32_t rank) { return findWhereabouts(rank); });
  bool inTime = !deadline.hasPassed();
  fail(error(inTime ? MOERT_ABORTED : MOERT_DEADLINE_EXCEEDED,
             "expected all members to create the communicator of %s%s, %s",
             board->describe().c_str(), inTime ? "" : " before the deadline",
             blame.c_str()),
       sorted);
  return failure.getStatusOf(ranks[position]);
}

void HostJob::leave(int32_t rank) {
  places[rank].left.store(true);
  numLeft.fetch_add(1);
  for (const std::shared_ptr<CollectiveSlots> &board : getBoards())
    board->wake();
}

bool HostJob::isAbandoned(const CollectiveSlots &board, uint64_t number) const {
  if (numLeft.load(std::memory_order_acquire) == 0)
    return false;
  for (size_t i = 0; i < board.getSize(); ++i)
    if (places[board.getRanks()[i]].left.load() && !board.hasCome(i, number))
      return true;
  return false;
}

void HostJob::keepThoseWhoLeft(std::vector<int32_t> &missing) const {
  auto hasLeft = [&](int32_t rank) { return places[rank].left.load(); };
  if (std::any_of(missing.begin(), missing.end(), hasLeft))
    std::erase_if(missing, std::not_fn(hasLeft));
}

Whereabouts HostJob::findWhereabouts(int32_t rank) {
  if (places[rank].left.load())
    return {"has left the job", {}};
  Whereabouts found;
  for (const std::shared_ptr<CollectiveSlots> &board : getBoards()) {
    const std::vector<int32_t> &ranks = board->getRanks();
    auto it = std::find(ranks.begin(), ranks.end(), rank);
    if (it == ranks.end())
      continue;
    uint64_t number;
    if (!board->isIn(it - ranks.begin(), number))
      continue;
    std::vector<int32_t> missing = board->findMissing(number);
    found.words += found.words.empty() ? "" : " and ";
    found.words += missing.empty() ? "is at the data of " : "waits in ";
    found.words += board->describeCollective(it - ranks.begin());
    if (!missing.empty())
      found.words += " for ranks " + printRanks(missing.data(), missing.size());
    found.waitsFor.insert(found.waitsFor.end(), missing.begin(), missing.end());
  }
  if (found.words.empty())
    found.words = "is in no collective";
  return found;
}

std::string HostJob::describeMissing(const CollectiveSlots &board,
                                     uint64_t number) {
  std::vector<int32_t> missing = board.findMissing(number);
  if (missing.empty())
    return "";
  keepThoseWhoLeft(missing);
  return describeBlame(missing,
                       [&](int32_t rank) { return findWhereabouts(rank); });
}

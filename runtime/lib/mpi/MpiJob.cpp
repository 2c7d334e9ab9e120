// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are processes.

#include "mpi/MpiJob.h"
#include "core/Hash.h"
#include "host/LocalMesh.h"
#include "mpi/MpiMessages.h"
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstring>
#include <numeric>
#include <sched.h>
#include <thread>

using namespace moert;

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// MPI counts are of type int, so larger messages are split.
static constexpr size_t kLargestMessage = size_t(1) << 30;

void MpiRequests::add(void *handle, int32_t peer, bool receives) {
  if (handle)
    requests.push_back({handle, peer, receives});
  else
    failed = true;
}

void MpiRequests::send(const void *data, size_t bytes, int32_t peer, int tag) {
  auto *from = static_cast<const char *>(data);
  for (size_t done = 0; done < bytes; done += kLargestMessage)
    add(transport.send(from + done, std::min(kLargestMessage, bytes - done),
                       peer, tag),
        peer, false);
}

void MpiRequests::receive(void *data, size_t bytes, int32_t peer, int tag) {
  auto *to = static_cast<char *>(data);
  for (size_t done = 0; done < bytes; done += kLargestMessage)
    add(transport.receive(to + done, std::min(kLargestMessage, bytes - done),
                          peer, tag),
        peer, true);
}

bool MpiRequests::poll() {
  std::erase_if(requests, [&](const Request &request) {
    int result = transport.test(request.handle);
    failed |= result < 0;
    return result != 0;
  });
  return requests.empty();
}

std::vector<int32_t> MpiRequests::getWaitedFor() const {
  std::vector<int32_t> peers;
  for (bool receives : {true, false})
    for (const Request &request : requests)
      if (request.receives == receives && (receives || peers.empty()))
        peers.push_back(request.peer);
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  return peers;
}

void MpiRequests::cancel() {
  for (const Request &request : requests)
    transport.cancel(request.handle);
  requests.clear();
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

namespace {
/// The number of earlier jobs of this process, and whether one has failed: a
/// further job could not distinguish pending messages of a failed one from its
/// own.
struct Past {
  std::mutex mutex;
  uint64_t generations = 0;
  bool isActive = false, failed = false;
};

struct JoinMessage {
  uint64_t generation, token;
  int32_t rank, worldSize;
  ProcessName process;
};
} // namespace

static Past past;

MpiJob::MpiJob(std::unique_ptr<Messages> transport,
               std::unique_ptr<Member> member, int32_t rank, int32_t worldSize,
               uint64_t generation)
    : transport(std::move(transport)), member(std::move(member)), rank(rank),
      worldSize(worldSize), generation(generation), waits(rank, worldSize) {
  postAbort();
}

MpiJob::~MpiJob() {
  std::lock_guard<std::mutex> lock(abortMutex);
  if (incomingRequest)
    transport->cancel(incomingRequest);
  // Pending messages must outlive the job.
  for (auto &[message, request] : outgoing)
    if (!request || transport->test(request) == 0)
      (void)message.release();
}

void MpiJob::leave() {
  waits.leave();
  if (member)
    member->release();
}

bool MpiJob::raise(const Status &status,
                   const std::vector<int32_t> &concerned) {
  if (!failure.raise(status, concerned))
    return false;
  waits.setOver();
  transport->setFailed();
  if (member) {
    member->fail(status, concerned);
    return true;
  }
  std::lock_guard<std::mutex> lock(past.mutex);
  past.failed = true;
  return true;
}

void MpiJob::postAbort() {
  incomingRequest = transport->receive(&incoming, sizeof(incoming), -1, kAbort);
}

static uint64_t hashText(const char *text) {
  return hashBytes(text, text ? std::strlen(text) : 0);
}

Status MpiJob::joinAsHub(const moert_config &config, Deadline deadline,
                         std::vector<ProcessName> &processes) {
  std::vector<JoinMessage> guests(worldSize);
  MpiRequests requests(*transport);
  for (int32_t peer = 1; peer < worldSize; ++peer)
    requests.receive(&guests[peer], sizeof(JoinMessage), peer, kJoin);
  std::vector<int32_t> all(worldSize);
  std::iota(all.begin(), all.end(), 0);
  Status status = wait(requests, deadline, all, [&] {
    std::vector<int32_t> missing = requests.getWaitedFor();
    return error(MOERT_DEADLINE_EXCEEDED,
                 "expected all %d ranks to join the job before the deadline, "
                 "missing are ranks %s",
                 worldSize, printRanks(missing.data(), missing.size()).c_str());
  });
  for (int32_t peer = 1; status.ok() && peer < worldSize; ++peer)
    if (guests[peer].token != hashText(config.token) ||
        guests[peer].generation != generation ||
        guests[peer].worldSize != worldSize) {
      status = error(MOERT_INVALID_ARGUMENT,
                     "expected rank %d to join with the token of the job, "
                     "world_size %d, as its job number %" PRIu64
                     "; got %s token, %d and %" PRIu64,
                     peer, worldSize, generation,
                     guests[peer].token == hashText(config.token) ? "this"
                                                                  : "another",
                     guests[peer].worldSize, guests[peer].generation);
      fail(status, all);
    }
  if (!status.ok())
    return status;
  for (int32_t peer = 1; peer < worldSize; ++peer)
    processes[peer] = guests[peer].process;
  for (int32_t peer = 1; peer < worldSize; ++peer)
    requests.send(processes.data(), processes.size() * sizeof(ProcessName),
                  peer, kJoined);
  return wait(requests, deadline, all, [] {
    return error(MOERT_DEADLINE_EXCEEDED, "the ranks did not all hear that "
                                          "the job is complete");
  });
}

Status MpiJob::joinAsGuest(const moert_config &config, Deadline deadline,
                           std::vector<ProcessName> &processes) {
  JoinMessage own{generation, hashText(config.token), rank, worldSize,
                  processes[rank]};
  MpiRequests requests(*transport);
  requests.send(&own, sizeof(own), 0, kJoin);
  requests.receive(processes.data(), processes.size() * sizeof(ProcessName), 0,
                   kJoined);
  return wait(requests, deadline, {rank}, [] {
    return error(MOERT_DEADLINE_EXCEEDED,
                 "expected all ranks to join the job before the deadline, rank "
                 "0 did not say so");
  });
}

Status MpiJob::join(const moert_config &config, Deadline deadline,
                    std::unique_ptr<MpiJob> &job) {
  std::string reason;
  const moert_mpi_transport *transport = loadMpiTransport(reason);
  if (!transport)
    return Status(MOERT_UNAVAILABLE, reason);
  uint64_t generation;
  {
    std::lock_guard<std::mutex> lock(past.mutex);
    if (past.isActive)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected one rank in a process on the backend 'mpi', got "
                   "a second one");
    if (past.failed)
      return error(MOERT_UNAVAILABLE,
                   "a job of these processes has failed: start new ones with "
                   "mpirun");
    past.isActive = true;
    generation = past.generations++;
  }
  int rank = 0, size = 0;
  char text[256];
  Status status;
  if (transport->start(config.rank, config.world_size, config.deadline_us,
                       &rank, &size, text, sizeof(text)) != 0)
    status = Status(MOERT_UNAVAILABLE, text);
  else if (rank != config.rank || size != config.world_size)
    status = error(MOERT_INVALID_ARGUMENT,
                   "expected rank %d of %d, as mpirun says, got %d of %d", rank,
                   size, config.rank, config.world_size);
  if (status.ok()) {
    job = std::make_unique<MpiJob>(makeMpiMessages(*transport), nullptr, rank,
                                   size, generation);
    std::vector<ProcessName> processes(size);
    processes[rank] = ProcessName::ofThisProcess();
    processes[rank].waits = job->waits.getFile();
    status = rank == 0 ? job->joinAsHub(config, deadline, processes)
                       : job->joinAsGuest(config, deadline, processes);
    if (status.ok())
      job->waits.watch(processes);
    else
      job.reset();
  }
  if (!status.ok()) {
    std::lock_guard<std::mutex> lock(past.mutex);
    past.isActive = false;
  }
  return status;
}

Status MpiJob::joinByCaller(const moert_config &config, Deadline deadline,
                            std::unique_ptr<MpiJob> &job) {
  struct Introduction {
    ProcessName process;
    LocalAddress address;
  };
  std::unique_ptr<Member> member;
  std::unique_ptr<LocalMesh> mesh;
  Status status = Member::join(config, deadline, member);
  if (status.ok())
    status = LocalMesh::listen(config.rank, mesh);
  if (!status.ok())
    return status;
  Member &caller = *member;
  LocalMesh &connections = *mesh;
  auto made =
      std::make_unique<MpiJob>(std::move(mesh), std::move(member), config.rank,
                               config.world_size, /*generation=*/0);
  Introduction own{ProcessName::ofThisProcess(), connections.getAddress()};
  own.process.waits = made->waits.getFile();
  std::vector<std::string> all;
  status = caller.exchange(
      "the connections of the ranks",
      std::string(reinterpret_cast<const char *>(&own), sizeof(own)), deadline,
      all);
  std::vector<ProcessName> processes;
  std::vector<LocalAddress> addresses;
  for (size_t from = 0; status.ok() && from < all.size(); ++from) {
    Introduction other;
    std::memcpy(&other, all[from].data(), sizeof(other));
    processes.push_back(other.process);
    addresses.push_back(other.address);
    if (other.process.node != own.process.node)
      status = error(MOERT_UNAVAILABLE,
                     "expected all ranks on one machine, as the backend 'host' "
                     "with an all_gather connects no others, got rank %zu on "
                     "another one than rank %d; use 'mpi'",
                     from, config.rank);
  }
  if (status.ok())
    status = connections.connect(addresses, deadline);
  if (status.ok()) {
    made->waits.watch(processes);
    // No rank may leave before all have opened the waits of the others.
    status = caller.exchange("the ranks are connected", "1", deadline, all);
  }
  if (!status.ok()) {
    made->raise(status, {config.rank});
    return status;
  }
  job = std::move(made);
  return {};
}

void moert::endMpiJob(std::unique_ptr<MpiJob> job) {
  bool isOfMpi = job->isOfMpi();
  job.reset();
  if (!isOfMpi)
    return;
  std::lock_guard<std::mutex> lock(past.mutex);
  past.isActive = false;
}

void MpiJob::fail(Status status, std::vector<int32_t> concerned) {
  if (!raise(status, concerned))
    return;
  std::lock_guard<std::mutex> lock(abortMutex);
  for (int32_t peer = 0; peer < worldSize; ++peer) {
    if (peer == rank)
      continue;
    auto message = std::make_unique<AbortMessage>();
    message->generation = generation;
    message->code = status.getCode();
    message->concernsYou =
        std::find(concerned.begin(), concerned.end(), peer) != concerned.end();
    std::snprintf(message->text, sizeof(message->text), "%s",
                  status.getMessage().c_str());
    // Small messages are sent immediately; lost peers do not matter.
    void *request =
        transport->send(message.get(), sizeof(*message), peer, kAbort);
    outgoing.emplace_back(std::move(message), request);
  }
}

bool MpiJob::hasFailed() {
  if (failure.isRaised())
    return true;
  if (member && member->getFailure().isRaised())
    fail(member->getFailure().getStatusOf(rank), {rank});
  std::lock_guard<std::mutex> lock(abortMutex);
  while (incomingRequest && !failure.isRaised()) {
    int result = transport->test(incomingRequest);
    if (result == 0)
      return false;
    incomingRequest = nullptr;
    if (result == 1 && incoming.generation == generation) {
      raise(Status(static_cast<moert_status>(incoming.code), incoming.text),
            incoming.concernsYou ? std::vector<int32_t>{rank}
                                 : std::vector<int32_t>{});
    } else if (result == 1) {
      postAbort();
    }
  }
  return failure.isRaised();
}

/// Lets other threads use the core. Yielding is the fastest while ranks only
/// wait for each other. However, on a machine with other work, the scheduler
/// treats a thread that yields for long like one that computes, and delays it
/// by tens of milliseconds; a thread that has slept runs first when it wakes.
static void pauseBetweenPolls(unsigned round) {
  constexpr unsigned kYields = 200;
  constexpr std::chrono::microseconds kPause(20);
  if (round < kYields)
    sched_yield();
  else
    std::this_thread::sleep_for(kPause);
}

Status MpiJob::wait(MpiRequests &requests, Deadline deadline,
                    const std::vector<int32_t> &concerned,
                    const std::function<Status()> &explain,
                    const std::function<std::string()> &what, int tag) {
  // Record only long waits.
  constexpr unsigned kNoted = 255;
  struct Note {
    ~Note() { waits.end(number); }
    MpiWaits &waits;
    int number;
  } note{waits, -1};
  // Messages of ranks that have left may still be in transit.
  constexpr std::chrono::milliseconds kOnItsWay(200);
  Deadline::Clock::time_point leftAt{};
  for (unsigned round = 0; !requests.poll(); ++round) {
    if (what && round == kNoted)
      note.number = waits.begin(what(), tag);
    if (what && round % 256 == kNoted) {
      std::vector<int32_t> peers = requests.getWaitedFor();
      waits.goOn(note.number, peers);
      std::erase_if(peers, [&](int32_t peer) { return !waits.hasLeft(peer); });
      auto now = Deadline::Clock::now();
      if (!peers.empty() && leftAt == Deadline::Clock::time_point{})
        leftAt = now;
      else if (!peers.empty() && now - leftAt > kOnItsWay && !hasFailed())
        fail(error(MOERT_ABORTED, "%s: expected all ranks to come, %s",
                   what().c_str(), waits.describe(peers).c_str()),
             concerned);
    }
    if (requests.hasFailed())
      fail(error(MOERT_BACKEND_ERROR,
                 "rank %d: %s reported an error in a "
                 "message from or to ranks %s",
                 rank, transport->getName(),
                 printRanks(concerned.data(), concerned.size()).c_str()),
           concerned);
    // Check the clock and messages of other ranks only sometimes, but always
    // let them use the core.
    else if (round % 16 == 15 && deadline.hasPassed() && !hasFailed()) {
      Status status = explain();
      // The report of a faster rank takes precedence.
      if (!hasFailed())
        fail(std::move(status), concerned);
    } else if (round % 256 == 255)
      if (std::string ended = waits.findEnded(requests.getWaitedFor());
          !ended.empty())
        fail(error(MOERT_BACKEND_ERROR,
                   "rank %d: lost rank %s: it ended without leaving the job",
                   rank, ended.c_str()),
             concerned);
    if ((round % 16 == 0 || requests.hasFailed() || failure.isRaised()) &&
        hasFailed()) {
      requests.cancel();
      return failure.getStatusOf(rank);
    }
    pauseBetweenPolls(round);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

namespace {
struct CreateMessage {
  uint64_t key, order;
  int32_t size, leader;
};
} // namespace

Status MpiJob::agreeOnTag(const std::vector<int32_t> &ranks, int32_t position,
                          uint64_t key, Deadline deadline, int &tag) {
  std::lock_guard<std::mutex> lock(createMutex);
  int32_t leader = *std::min_element(ranks.begin(), ranks.end());
  CreateMessage own{key,
                    hashBytes(ranks.data(), ranks.size() * sizeof(int32_t)),
                    static_cast<int32_t>(ranks.size()), leader};
  std::string group =
      format("group %s key %" PRIu64,
             printRanks(ranks.data(), ranks.size()).c_str(), key);
  MpiRequests requests(*transport);
  auto explain = [&] {
    return error(MOERT_DEADLINE_EXCEEDED,
                 "expected all members to create the communicator of %s "
                 "before the deadline, %s",
                 group.c_str(), describeMissing(requests).c_str());
  };
  auto what = [&] { return "the creation of the communicator of " + group; };
  if (rank != leader) {
    int answer = 0;
    requests.send(&own, sizeof(own), leader, kCreate);
    requests.receive(&answer, sizeof(answer), leader, kCreated);
    // The leader knows the missing ranks, so its report should arrive first.
    Deadline later = deadline.extendedBy(500000);
    Status status = wait(requests, later, ranks, explain, what);
    tag = answer;
    return status;
  }
  // The leader's rank number makes the tag unique among leaders.
  constexpr int kMostTags = 1 << 30;
  if (nextTag >= kMostTags / worldSize - kFirstComm)
    return error(MOERT_BACKEND_ERROR, "no message tags are left for "
                                      "communicators");
  tag = kFirstComm + nextTag++ * worldSize + rank;
  std::vector<CreateMessage> members(ranks.size(), own);
  for (size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i] != rank)
      requests.receive(&members[i], sizeof(CreateMessage), ranks[i], kCreate);
  Status status = wait(requests, deadline, ranks, explain, what);
  if (!status.ok())
    return status;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (members[i].key == own.key && members[i].order == own.order &&
        members[i].size == own.size)
      continue;
    fail(error(MOERT_MISMATCH,
               "expected all members of %s to list the same order and to "
               "create communicators in one order, got another group of %d "
               "ranks with key %" PRIu64 " on rank %d",
               group.c_str(), members[i].size, members[i].key, ranks[i]),
         ranks);
    return failure.getStatusOf(rank);
  }
  for (int32_t member : ranks)
    if (member != rank)
      requests.send(&tag, sizeof(tag), member, kCreated);
  return wait(requests, deadline, ranks, explain, what);
}

bool MpiJob::describeWait(int tag, std::string &words) {
  std::vector<int32_t> peers;
  if (!waits.findOwn(tag, words, peers))
    return false;
  words += " waits, " + waits.describe(peers);
  return true;
}

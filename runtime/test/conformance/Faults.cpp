// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that fail on purpose.

#include "Faults.h"
#include "FaultyJob.h"
#include "KernelFaults.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace conformance;

/// Waits until the other ranks have given up. Failed processes wait up to 3 s
/// for this one in MPI_Finalize, and mpirun reports an error for processes that
/// end before.
static void outlastTheDeadline(const Rank &rank) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(moert_deadline_us(rank.context)) +
      std::chrono::seconds(1));
}

static void missing(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast())
    return outlastTheDeadline(rank);
  moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  job.expectFailure(
      {MOERT_DEADLINE_EXCEEDED, MOERT_ABORTED},
      {"all_gather #10", "missing are ranks [" + lastRank(rank) + "]"});
}

/// A wait that is shorter than the deadline of the work reports the pending
/// work, and the job continues.
static void impatient(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  moert_stream *behind = nullptr;
  moert_event *event = nullptr;
  REQUIRE(rank, moert_stream_create(rank.context, "behind", 0, &behind));
  REQUIRE(rank, moert_event_create(rank.context, &event));
  // The last rank calls the collective after the others have given up.
  auto meet = [&] {
    REQUIRE(rank, moert_exchange(rank.context, "all have given up", nullptr, 0,
                                 nullptr, MOERT_DEADLINE_DEFAULT));
  };
  if (job.isLast())
    meet();
  REQUIRE(rank,
          moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32));
  REQUIRE(rank, moert_event_record(event, job.stream));
  REQUIRE(rank, moert_stream_wait_event(behind, event));
  if (!job.isLast()) {
    std::string what = "all_gather #10 of group [0";
    moert_status status = moert_stream_synchronize(job.stream, 1500000);
    job.verify(
        status, moert_last_error(rank.context), {MOERT_DEADLINE_EXCEEDED},
        {"the work on stream 'first' did not end before the deadline: ", what});
    status = moert_stream_synchronize(behind, 1500000);
    job.verify(status, moert_last_error(rank.context),
               {MOERT_DEADLINE_EXCEEDED},
               {"the work on stream 'behind' did not end before the deadline: ",
                "stream 'first'", what});
    status = moert_event_synchronize(event, 10000);
    job.verify(status, moert_last_error(rank.context),
               {MOERT_DEADLINE_EXCEEDED}, {"stream 'first' " + what});
    meet();
  }
  REQUIRE(rank, moert_stream_synchronize(behind, MOERT_DEADLINE_DEFAULT));
  REQUIRE(rank, moert_event_destroy(event));
}

/// The last process is stopped during an exchange. The error of every other
/// rank must name it, although these ranks wait for each other, too.
static void stopped(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  std::thread stopper;
  if (job.isLast())
    stopper = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      // Continues the process after the others have given up.
      std::string wake =
          "(sleep " +
          std::to_string(moert_deadline_us(rank.context) / 1000000 + 5) +
          "; kill -CONT " + std::to_string(getpid()) + ") &";
      if (std::system(wake.c_str()) == 0)
        kill(getpid(), SIGSTOP);
    });
  moert_status status = MOERT_OK;
  while (status == MOERT_OK) {
    status =
        moert_all_to_all(comm, job.source(), job.target(), 4096, MOERT_F32);
    if (status == MOERT_OK)
      status = moert_stream_synchronize(job.stream, MOERT_DEADLINE_DEFAULT);
  }
  if (job.isLast())
    return stopper.join();
  job.verify(status, moert_last_error(rank.context),
             {MOERT_DEADLINE_EXCEEDED, MOERT_ABORTED},
             {"all_to_all #", "missing are ranks [" + lastRank(rank) + "]",
              "rank " + lastRank(rank) + " is stopped by a signal"});
}

/// The last rank leaves while others wait for it. They must not wait until the
/// deadline.
static void leaves(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast())
    return;
  auto begin = std::chrono::steady_clock::now();
  moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  job.expectFailure({MOERT_ABORTED},
                    {"missing are ranks [" + lastRank(rank) + "]; rank " +
                     lastRank(rank) + " has left the job"});
  if (std::chrono::steady_clock::now() - begin >
      std::chrono::microseconds(moert_deadline_us(rank.context) / 2))
    rank.fail("expected to hear long before the deadline that a rank has left");
}

static void mismatch(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  moert_all_gather(comm, job.source(), job.target(), job.isLast() ? 11 : 10,
                   MOERT_F32);
  job.expectFailure({MOERT_MISMATCH},
                    {"all_gather of 10 f32", "all_gather of 11 f32",
                     "on rank " + lastRank(rank)});
}

static void kind(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast())
    moert_all_reduce(comm, job.source(), job.target(), 10, MOERT_F32,
                     MOERT_MAX);
  else
    moert_all_reduce(comm, job.source(), job.target(), 10, MOERT_F32,
                     MOERT_SUM);
  job.expectFailure({MOERT_MISMATCH}, {"all_reduce (sum)", "all_reduce (max)",
                                       "on rank " + lastRank(rank)});
}

static void order(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *first = job.createComm(1), *second = job.createComm(2);
  warmUp(job, first);
  moert_comm *one = job.isLast() ? second : first;
  moert_comm *two = job.isLast() ? first : second;
  moert_all_to_all(one, job.source(), job.target(), 10, MOERT_F32);
  moert_all_to_all(two, job.source(), job.target(), 10, MOERT_F32);
  job.expectFailure({MOERT_DEADLINE_EXCEEDED, MOERT_ABORTED},
                    {"before the deadline", "all_to_all"});
}

static void ragged(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  size_t n = rank.worldSize();
  std::vector<int64_t> sizes(n, 2), offsets(n), expected(n, 2);
  for (size_t i = 0; i < n; ++i)
    offsets[i] = 3 * i;
  if (job.isLast())
    expected[0] = 3;
  moert_ragged_all_to_all(comm, job.source(), 3 * n, job.target(), 3 * n, 5,
                          offsets.data(), sizes.data(), offsets.data(),
                          expected.data(), MOERT_F32);
  job.expectFailure({MOERT_MISMATCH}, {"rank " + lastRank(rank) +
                                       " expects 3 rows from rank 0, which "
                                       "sends 2"});
}

static void abortJob(Rank &rank) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast()) {
    REQUIRE(rank, moert_abort(rank.context, "the data ran out"));
  } else {
    moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  }
  job.expectFailure({MOERT_ABORTED}, {"rank " + lastRank(rank) +
                                      " aborted the job: the data ran out"});
}

static void absent(Rank &rank) {
  FaultyJob job(rank);
  if (job.isLast())
    return outlastTheDeadline(rank);
  moert_comm *comm = nullptr;
  moert_status status = moert_comm_create(
      job.stream, job.ranks.data(), static_cast<int32_t>(job.ranks.size()), 1,
      MOERT_DEADLINE_DEFAULT, &comm);
  job.verify(status, moert_last_error(rank.context),
             {MOERT_DEADLINE_EXCEEDED, MOERT_ABORTED},
             {"missing are ranks [" + lastRank(rank) + "]"});
}

/// The last process ends without a message, by itself or by a signal.
static void loseLast(Rank &rank, void (*end)()) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast())
    end();
  moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  std::string last = lastRank(rank);
  job.expectFailure(
      {MOERT_DEADLINE_EXCEEDED, MOERT_ABORTED, MOERT_BACKEND_ERROR},
      {!rank.onDevice() ? "lost rank " + last + " (process " : last});
}

static void ended(Rank &rank) {
  loseLast(rank, [] { _exit(0); });
}

static void killed(Rank &rank) {
  loseLast(rank, [] { std::raise(SIGKILL); });
}

/// The last process is killed while no rank waits for it.
static void unseen(Rank &rank) {
  FaultyJob job(rank);
  warmUp(job, job.createComm(1));
  if (job.isLast())
    std::raise(SIGKILL);
  std::this_thread::sleep_for(std::chrono::seconds(60));
  rank.fail("expected to be ended when a rank was lost");
}

static void alone(Rank &rank) {
  FaultyJob job(rank);
  if (job.isLast())
    return;
  char own = 0;
  std::vector<char> all(job.ranks.size());
  moert_status status = moert_exchange(rank.context, "the plan", &own, 1,
                                       all.data(), MOERT_DEADLINE_DEFAULT);
  job.verify(status, moert_last_error(rank.context),
             {MOERT_ABORTED, MOERT_DEADLINE_EXCEEDED},
             {"the plan", "rank " + lastRank(rank) + " has left"});
}

static void apart(Rank &rank) {
  FaultyJob job(rank);
  char own = 0;
  std::vector<char> all(job.ranks.size());
  moert_status status =
      moert_exchange(rank.context, job.isLast() ? "plan B" : "plan A", &own, 1,
                     all.data(), MOERT_DEADLINE_DEFAULT);
  job.verify(status, moert_last_error(rank.context),
             {MOERT_MISMATCH, MOERT_ABORTED, MOERT_DEADLINE_EXCEEDED},
             {"plan "});
}

Fault conformance::findFault(const std::string &name) {
  static const std::pair<const char *, Fault> faults[] = {
      {"stopped", stopped},
      {"leaves", leaves},
      {"missing", missing},
      {"mismatch", mismatch},
      {"kind", kind},
      {"order", order},
      {"ragged", ragged},
      {"abort", abortJob},
      {"kernel", orderBadExpert},
      {"choice", useExpertTwice},
      {"slot", scatterSlotTwice},
      {"count", countBadExpert},
      {"row", sortBadExpert},
      {"nodes", spreadToken},
      {"limit", limitBelowZero},
      {"absent", absent},
      {"ended", ended},
      {"killed", killed},
      {"unseen", unseen},
      {"impatient", impatient},
      {"alone", alone},
      {"apart", apart}};
  for (auto &[key, fault] : faults)
    if (name == key)
      return fault;
  return nullptr;
}

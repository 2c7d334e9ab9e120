//===- Faults.cpp - Jobs that go wrong on purpose ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "moert_extend.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace conformance;

namespace {

/// Two streams with a communicator of all ranks each.
struct Job {
  explicit Job(Rank &rank) : rank(rank) {
    ranks.resize(rank.worldSize());
    std::iota(ranks.begin(), ranks.end(), 0);
    REQUIRE(rank, moert_stream_create(rank.context, "first", 0, &stream));
    REQUIRE(rank, moert_buffer_create(rank.context, kBytes, MOERT_MEMORY_DEVICE,
                                      &from));
    REQUIRE(rank, moert_buffer_create(rank.context, kBytes, MOERT_MEMORY_DEVICE,
                                      &to));
  }
  moert_comm *createComm(uint64_t key) {
    moert_comm *comm = nullptr;
    REQUIRE(rank, moert_comm_create(stream, ranks.data(),
                                    static_cast<int32_t>(ranks.size()), key,
                                    MOERT_DEADLINE_DEFAULT, &comm));
    return comm;
  }
  bool isLast() const { return rank.number() == rank.worldSize() - 1; }
  void *source() const { return moert_buffer_data(from); }
  void *target() const { return moert_buffer_data(to); }

  /// Waits for the stream; the job must have failed with one of these codes
  /// and words that hold all of `parts`.
  void expectFailure(std::vector<moert_status> codes,
                     std::vector<std::string> parts) {
    moert_status status =
        moert_stream_synchronize(stream, 2 * moert_deadline_us(rank.context));
    std::string text = moert_last_error(rank.context);
    verify(status, text, codes, parts);
    // It stays failed, for whoever asks.
    if (moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT) == MOERT_OK)
      rank.fail("the job works again after a failure");
  }
  void verify(moert_status status, const std::string &text,
              const std::vector<moert_status> &codes,
              const std::vector<std::string> &parts) {
    ++rank.numCases;
    bool known = false;
    for (moert_status code : codes)
      known |= code == status;
    if (!known)
      rank.fail(std::string("unexpected status ") + moert_status_name(status) +
                ": " + text);
    for (const std::string &part : parts)
      if (text.find(part) == std::string::npos)
        rank.fail("expected '" + part + "' in the error, got: " + text);
  }

  static constexpr size_t kBytes = 1 << 16;
  Rank &rank;
  std::vector<int32_t> ranks;
  moert_stream *stream = nullptr;
  moert_buffer *from = nullptr, *to = nullptr;
};

} // namespace

/// Is busy elsewhere until the others have given up.
static void outlastTheDeadline(const Rank &rank) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(moert_deadline_us(rank.context)) +
      std::chrono::seconds(3));
}

static std::string lastRank(const Rank &rank) {
  return std::to_string(rank.worldSize() - 1);
}

/// Ten good rounds, so that the fault comes in the middle of work, when all
/// ranks have their communicators. A rank that is behind may hear of the fault
/// in any of these calls; what counts is what its wait says in the end.
static void warmUp(Job &job, moert_comm *comm) {
  for (int i = 0; i < 10; ++i)
    (void)moert_all_to_all(comm, job.source(), job.target(), 10, MOERT_I32);
  (void)moert_stream_synchronize(job.stream, MOERT_DEADLINE_DEFAULT);
}

static void missing(Rank &rank) {
  Job job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast())
    return outlastTheDeadline(rank);
  moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  job.expectFailure(
      {MOERT_DEADLINE_EXCEEDED, MOERT_ABORTED},
      {"all_gather #10", "missing are ranks [" + lastRank(rank) + "]"});
}

/// Whoever waits less long than the work may take is told what is under way,
/// and the job goes on.
static void impatient(Rank &rank) {
  Job job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  moert_stream *behind = nullptr;
  moert_event *event = nullptr;
  REQUIRE(rank, moert_stream_create(rank.context, "behind", 0, &behind));
  REQUIRE(rank, moert_event_create(rank.context, &event));
  // The last rank comes when the others have given up.
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

/// A process that does not go on, in the middle of an exchange. Whoever waits
/// must name it, though its peers wait for each other, too.
static void stopped(Rank &rank) {
  Job job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  std::thread stopper;
  if (job.isLast())
    stopper = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      // Goes on when the others have given up.
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

/// The last rank leaves, though others still wait for it: they need not wait
/// for the deadline.
static void leaves(Rank &rank) {
  Job job(rank);
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
  Job job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  moert_all_gather(comm, job.source(), job.target(), job.isLast() ? 11 : 10,
                   MOERT_F32);
  job.expectFailure({MOERT_MISMATCH},
                    {"all_gather of 10 f32", "all_gather of 11 f32",
                     "on rank " + lastRank(rank)});
}

static void kind(Rank &rank) {
  Job job(rank);
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
  Job job(rank);
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
  Job job(rank);
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
  Job job(rank);
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

/// The last rank's kernel finds something wrong in its data; `start` puts it on
/// the stream. All say so in these words.
static void runKernel(Rank &rank, const std::function<void(Job &)> &start,
                      const std::string &words) {
  Job job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast()) {
    start(job);
    // A device goes on behind such a kernel until the host has looked.
    if (rank.onDevice())
      (void)moert_stream_synchronize(job.stream, MOERT_DEADLINE_DEFAULT);
    moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
    job.expectFailure({MOERT_INVALID_ARGUMENT}, {words});
    return;
  }
  moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  job.expectFailure({MOERT_ABORTED}, {"rank " + lastRank(rank) + ": " + words});
}

template <typename T> static Bytes toBytes(std::initializer_list<T> numbers) {
  Bytes bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), std::data(numbers), bytes.size());
  return bytes;
}

static void kernel(Rank &rank) {
  std::unique_ptr<Array> data, ids;
  runKernel(
      rank,
      [&](Job &job) {
        data = std::make_unique<Array>(rank, job.stream, 64);
        ids = std::make_unique<Array>(rank, job.stream, 16);
        ids->write(toBytes<int32_t>({0, 9, 0, 0}));
        moert_order_args args = {};
        args.size = sizeof(args);
        args.tokens = 2;
        args.hidden = 1;
        args.top_k = 1;
        args.experts = 4;
        args.capacity = 1;
        args.x = data->data();
        args.ids = ids->data();
        args.buffer = data->data(32);
        args.slots = ids->data(8);
        args.type = MOERT_F32;
        args.ids_type = MOERT_I32;
        (void)moert_order(job.stream, &args);
      },
      "order: expected expert numbers in [0, 4), got 9 as choice 0 of token 1");
}

static void slot(Rank &rank) {
  std::unique_ptr<Array> data, slots;
  runKernel(
      rank,
      [&](Job &job) {
        data = std::make_unique<Array>(rank, job.stream, 64);
        slots = std::make_unique<Array>(rank, job.stream, 16);
        slots->write(toBytes<int32_t>({2, -1, 0, 2}));
        moert_scatter_args args = {};
        args.size = sizeof(args);
        args.tokens = 2;
        args.hidden = 1;
        args.top_k = 2;
        args.rows = 4;
        args.x = data->data();
        args.slots = slots->data();
        args.buffer = data->data(32);
        args.type = MOERT_F32;
        args.slots_type = MOERT_I32;
        (void)moert_scatter(job.stream, &args);
      },
      "scatter: expected each slot at most once, got 2 again as copy 1 of "
      "token 1");
}

/// A copy for an expert that is not there, counted or sorted.
static void count(Rank &rank) {
  std::unique_ptr<Array> ids, counts;
  runKernel(
      rank,
      [&](Job &job) {
        ids = std::make_unique<Array>(rank, job.stream, 16);
        counts = std::make_unique<Array>(rank, job.stream, 16);
        ids->write(toBytes<int32_t>({0, 1, 4, 3}));
        moert_expert_counts_args args = {};
        args.size = sizeof(args);
        args.parts = args.top_k = 2;
        args.tokens = 1;
        args.experts = 4;
        args.ids = ids->data();
        args.counts = counts->data();
        args.ids_type = MOERT_I32;
        args.counts_type = MOERT_I16;
        (void)moert_expert_counts(job.stream, &args);
      },
      "expert_counts: expected expert numbers in [0, 4), got 4 as choice 0 of "
      "token 1");
}

static void row(Rank &rank) {
  std::unique_ptr<Array> ids, data;
  runKernel(
      rank,
      [&](Job &job) {
        ids = std::make_unique<Array>(rank, job.stream, 32);
        data = std::make_unique<Array>(rank, job.stream, 64);
        ids->write(toBytes<int32_t>({0, 1, 3, -1, 0, 0, 0, 0}));
        moert_order_rows_args args = {};
        args.size = sizeof(args);
        args.tokens = args.top_k = 2;
        args.hidden = 1;
        args.experts = 4;
        args.ids = ids->data();
        args.slots = ids->data(16);
        args.x = data->data();
        args.rows = data->data(16);
        args.type = MOERT_F32;
        args.ids_type = MOERT_I32;
        (void)moert_order_rows(job.stream, &args);
      },
      "order_rows: expected expert numbers in [0, 4), got -1 as choice 1 of "
      "token 1");
}

/// A gradient for an expert that a token has twice.
static void choice(Rank &rank) {
  std::unique_ptr<Array> data, ids;
  runKernel(
      rank,
      [&](Job &job) {
        data = std::make_unique<Array>(rank, job.stream, 64);
        ids = std::make_unique<Array>(rank, job.stream, 16);
        ids->write(toBytes<int32_t>({0, 1, 3, 3}));
        moert_gate_grad_args args = {};
        args.size = sizeof(args);
        args.tokens = 2;
        args.hidden = 1;
        args.experts = 4;
        args.top_k = 2;
        args.scale = 1;
        args.x = args.router = args.dw = data->data();
        args.ids = ids->data();
        args.dx = data->data(32);
        args.drouter = data->data(48);
        args.type = args.router_type = args.dw_type = MOERT_F32;
        args.ids_type = MOERT_I32;
        (void)moert_gate_grad(job.stream, &args);
      },
      "gate_grad: expected expert numbers in [0, 4), distinct for a token, got "
      "3 as choice 1 of token 1");
}

static void absent(Rank &rank) {
  Job job(rank);
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

/// A process that ends without a word, by itself or by a signal.
static void loseLast(Rank &rank, void (*end)()) {
  Job job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast())
    end();
  moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  std::string last = lastRank(rank);
  job.expectFailure(
      {MOERT_DEADLINE_EXCEEDED, MOERT_ABORTED, MOERT_BACKEND_ERROR},
      {rank.backend == "mpi" ? "lost rank " + last + " (process " : last});
}

static void ended(Rank &rank) {
  loseLast(rank, [] { _exit(0); });
}

static void killed(Rank &rank) {
  loseLast(rank, [] { std::raise(SIGKILL); });
}

/// Nobody waits for the rank that is lost.
static void unseen(Rank &rank) {
  Job job(rank);
  warmUp(job, job.createComm(1));
  if (job.isLast())
    std::raise(SIGKILL);
  std::this_thread::sleep_for(std::chrono::seconds(60));
  rank.fail("expected to be ended when a rank was lost");
}

/// The last rank leaves without coming to an exchange.
static void alone(Rank &rank) {
  Job job(rank);
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

/// The last rank is at another exchange.
static void apart(Rank &rank) {
  Job job(rank);
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
      {"stopped", stopped},   {"leaves", leaves},  {"missing", missing},
      {"mismatch", mismatch}, {"kind", kind},      {"order", order},
      {"ragged", ragged},     {"abort", abortJob}, {"kernel", kernel},
      {"choice", choice},     {"slot", slot},      {"count", count},
      {"row", row},           {"absent", absent},  {"ended", ended},
      {"killed", killed},     {"unseen", unseen},  {"impatient", impatient},
      {"alone", alone},       {"apart", apart}};
  for (auto &[key, fault] : faults)
    if (name == key)
      return fault;
  return nullptr;
}

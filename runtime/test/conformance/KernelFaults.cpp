// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that find bad data.

#include "KernelFaults.h"
#include "FaultyJob.h"
#include <cstring>
#include <functional>
#include <memory>

using namespace conformance;

template <typename T> static Bytes toBytes(std::initializer_list<T> numbers) {
  Bytes bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), std::data(numbers), bytes.size());
  return bytes;
}

/// Operands of a failing kernel: 64 bytes of data, and numbers with room for
/// four more.
struct Operands {
  Operands(Rank &rank, FaultyJob &job, std::initializer_list<int32_t> given)
      : job(job), data(rank, job.stream, 64), numbers(rank, job.stream, 32) {
    numbers.write(toBytes<int32_t>(given));
  }
  FaultyJob &job;
  Array data, numbers;
};

/// The last rank's kernel finds an error in its numbers; `start` enqueues it.
/// All ranks must report it with this message.
static void runKernel(Rank &rank, std::initializer_list<int32_t> numbers,
                      const std::function<void(Operands &)> &start,
                      const std::string &words) {
  FaultyJob job(rank);
  moert_comm *comm = job.createComm(1);
  warmUp(job, comm);
  if (job.isLast()) {
    Operands operands(rank, job, numbers);
    start(operands);
    // A device continues after such a kernel until the host has checked.
    if (rank.onDevice())
      (void)moert_stream_synchronize(job.stream, MOERT_DEADLINE_DEFAULT);
    moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
    job.expectFailure({MOERT_INVALID_ARGUMENT}, {words});
    return;
  }
  moert_all_gather(comm, job.source(), job.target(), 10, MOERT_F32);
  job.expectFailure({MOERT_ABORTED}, {"rank " + lastRank(rank) + ": " + words});
}

void conformance::orderBadExpert(Rank &rank) {
  runKernel(
      rank, {0, 9, 0, 0},
      [](Operands &on) {
        moert_order_args args = {};
        args.size = sizeof(args);
        args.tokens = 2;
        args.hidden = 1;
        args.top_k = 1;
        args.experts = 4;
        args.capacity = 1;
        args.x = on.data.data();
        args.ids = on.numbers.data();
        args.buffer = on.data.data(32);
        args.slots = on.numbers.data(8);
        args.type = MOERT_F32;
        args.ids_type = MOERT_I32;
        (void)moert_order(on.job.stream, &args);
      },
      "order: expected expert numbers in [0, 4), got 9 as choice 0 of token 1");
}

void conformance::scatterSlotTwice(Rank &rank) {
  runKernel(
      rank, {2, -1, 0, 2},
      [](Operands &on) {
        moert_scatter_args args = {};
        args.size = sizeof(args);
        args.tokens = 2;
        args.hidden = 1;
        args.top_k = 2;
        args.rows = 4;
        args.x = on.data.data();
        args.slots = on.numbers.data();
        args.buffer = on.data.data(32);
        args.type = MOERT_F32;
        args.slots_type = MOERT_I32;
        (void)moert_scatter(on.job.stream, &args);
      },
      "scatter: expected each slot at most once, got 2 again as copy 1 of "
      "token 1");
}

void conformance::countBadExpert(Rank &rank) {
  runKernel(
      rank, {0, 1, 4, 3},
      [](Operands &on) {
        moert_expert_counts_args args = {};
        args.size = sizeof(args);
        args.parts = args.top_k = 2;
        args.tokens = 1;
        args.experts = 4;
        args.ids = on.numbers.data();
        args.counts = on.data.data();
        args.ids_type = MOERT_I32;
        args.counts_type = MOERT_I16;
        (void)moert_expert_counts(on.job.stream, &args);
      },
      "expert_counts: expected expert numbers in [-1, 4), got 4 as choice 0 of "
      "token 1");
}

void conformance::sortBadExpert(Rank &rank) {
  runKernel(
      rank, {0, 1, 3, -2, 0, 0, 0, 0},
      [](Operands &on) {
        moert_order_rows_args args = {};
        args.size = sizeof(args);
        args.tokens = args.top_k = 2;
        args.hidden = 1;
        args.experts = 4;
        args.ids = on.numbers.data();
        args.slots = on.numbers.data(16);
        args.x = on.data.data();
        args.rows = on.data.data(16);
        args.type = MOERT_F32;
        args.ids_type = MOERT_I32;
        (void)moert_order_rows(on.job.stream, &args);
      },
      "order_rows: expected expert numbers in [-1, 4), got -2 as choice 1 of "
      "token 1");
}

/// One token's experts are on more nodes than it has places for.
void conformance::spreadToken(Rank &rank) {
  runKernel(
      rank, {0, 1, 1, 2, 0, 0, 0, 0},
      [](Operands &on) {
        moert_distinct_nodes_args args = {};
        args.size = sizeof(args);
        args.tokens = args.top_k = args.nodes = 2;
        args.experts = 4;
        args.width = 1;
        args.ids = on.numbers.data();
        args.result = on.numbers.data(16);
        args.ids_type = MOERT_I32;
        (void)moert_distinct_nodes(on.job.stream, &args);
      },
      "distinct_nodes: expected experts of a token on at most 1 nodes, got one "
      "on another as choice 1 of token 1");
}

void conformance::limitBelowZero(Rank &rank) {
  runKernel(
      rank, {0, 3, 1, -3, 0, 0, 0, 0},
      [](Operands &on) {
        moert_limit_choices_args args = {};
        args.size = sizeof(args);
        args.tokens = 1;
        args.top_k = args.groups = 2;
        args.experts = 4;
        args.ids = on.numbers.data();
        args.limits = on.numbers.data(8);
        args.result = on.numbers.data(16);
        args.ids_type = args.limits_type = MOERT_I32;
        (void)moert_limit_choices(on.job.stream, &args);
      },
      "limit_choices: expected limits of at least 0, got -3 as number 1 of 2");
}

void conformance::useExpertTwice(Rank &rank) {
  runKernel(
      rank, {0, 1, 3, 3},
      [](Operands &on) {
        moert_gate_grad_args args = {};
        args.size = sizeof(args);
        args.tokens = 2;
        args.hidden = 1;
        args.experts = 4;
        args.top_k = 2;
        args.scale = 1;
        args.x = args.router = args.dw = on.data.data();
        args.ids = on.numbers.data();
        args.dx = on.data.data(32);
        args.drouter = on.data.data(48);
        args.type = args.router_type = args.dw_type = MOERT_F32;
        args.ids_type = MOERT_I32;
        (void)moert_gate_grad(on.job.stream, &args);
      },
      "gate_grad: expected expert numbers in [0, 4), distinct for a token, got "
      "3 as choice 1 of token 1");
}

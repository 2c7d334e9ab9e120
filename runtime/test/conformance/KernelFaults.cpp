//===- KernelFaults.cpp - Kernels that find bad data ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFaults.h"
#include "FaultyJob.h"
#include <cstring>
#include <functional>
#include <memory>

using namespace conformance;

/// The last rank's kernel finds something wrong in its data; `start` puts it on
/// the stream. All say so in these words.
static void runKernel(Rank &rank, const std::function<void(FaultyJob &)> &start,
                      const std::string &words) {
  FaultyJob job(rank);
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

void conformance::orderBadExpert(Rank &rank) {
  std::unique_ptr<Array> data, ids;
  runKernel(
      rank,
      [&](FaultyJob &job) {
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

void conformance::scatterSlotTwice(Rank &rank) {
  std::unique_ptr<Array> data, slots;
  runKernel(
      rank,
      [&](FaultyJob &job) {
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

void conformance::countBadExpert(Rank &rank) {
  std::unique_ptr<Array> ids, counts;
  runKernel(
      rank,
      [&](FaultyJob &job) {
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

void conformance::sortBadExpert(Rank &rank) {
  std::unique_ptr<Array> ids, data;
  runKernel(
      rank,
      [&](FaultyJob &job) {
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

void conformance::useExpertTwice(Rank &rank) {
  std::unique_ptr<Array> data, ids;
  runKernel(
      rank,
      [&](FaultyJob &job) {
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

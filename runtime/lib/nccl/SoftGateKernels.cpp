// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that mix, on a device.

#include "nccl/GateArgs.h"
#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

Status NcclStream::expert_choice(const moert_expert_choice_args &args) {
  Status status = begin();
  int64_t S = args.tokens, M = args.hidden, E = args.experts;
  if (!status.ok() || S == 0 || E == 0)
    return status;
  moert_type type = getSumType(args.type, args.router_type);
  cuda::ExpertChoiceArgs own{};
  own.choice = args;
  own.isWide = type == MOERT_F64;
  // As many experts at a time as 256 MiB hold the tokens of.
  constexpr int64_t kMemory = 256 << 20, kThreads = 512;
  int64_t listBytes = S * static_cast<int64_t>(sizeof(cuda::Ranked));
  int64_t blocks = std::clamp<int64_t>(kMemory / listBytes, 1, E);
  auto choose = [&] {
    void *parameters[] = {&own};
    return nccl.launch("moert_choose_tokens", static_cast<unsigned>(blocks),
                       kThreads, 0, stream, parameters);
  };
  if (args.capacity == 0)
    return choose();
  int64_t logitBytes = alignScratch(S * E * moert_type_size(type));
  int64_t lineBytes = alignScratch(S * 8);
  return withScratch(
      logitBytes + 2 * lineBytes + blocks * listBytes, [&](char *space) {
        cuda::LinesArgs rows{};
        rows.matrix = own.logits = space;
        rows.rows = S;
        rows.columns = E;
        rows.tops = reinterpret_cast<double *>(space + logitBytes);
        rows.sums = rows.tops + lineBytes / 8;
        rows.isWide = own.isWide;
        own.space = reinterpret_cast<cuda::Ranked *>(space + logitBytes +
                                                     2 * lineBytes);
        Status status =
            multiply({args.x, args.type}, {args.router, args.router_type},
                     space, type, S, M, E);
        if (status.ok() && args.scores == MOERT_CHOICE_EXPERTS) {
          own.tops = rows.tops;
          own.sums = rows.sums;
          void *parameters[] = {&rows};
          status = nccl.launch("moert_softmax_rows", getWarpBlocks(S, 8), 256,
                               0, stream, parameters);
        }
        return status.ok() ? choose() : status;
      });
}

Status NcclStream::soft_gate(const moert_soft_gate_args &args) {
  Status status = begin();
  int64_t S = args.tokens, M = args.hidden, N = args.slots;
  if (!status.ok() || S == 0 || N == 0)
    return status;
  moert_type type = getSumType(args.type, args.router_type);
  cuda::LinesArgs columns{};
  columns.rows = S;
  columns.columns = N;
  columns.slabs = std::clamp<int64_t>(S / 256, 1, 64);
  columns.isWide = type == MOERT_F64;
  int64_t logitBytes = alignScratch(S * N * moert_type_size(type));
  return withScratch(
      logitBytes + (columns.slabs + 2) * N * 8, [&](char *space) {
        columns.matrix = space;
        columns.tops = reinterpret_cast<double *>(space + logitBytes);
        columns.sums = columns.tops + N;
        columns.partial = columns.sums + N;
        Status status =
            multiply({args.x, args.type}, {args.router, args.router_type},
                     space, type, S, M, N);
        void *parameters[] = {&columns};
        auto launch = [&](const char *kernel, unsigned blocks) {
          if (status.ok())
            status = nccl.launch(kernel, blocks, 256, 0, stream, parameters);
        };
        unsigned parts = getWarpBlocks(columns.slabs * ((N + 31) / 32), 1);
        launch("moert_column_tops", parts);
        launch("moert_join_tops", getBlocks(N));
        launch("moert_column_sums", parts);
        launch("moert_join_sums", getBlocks(N));
        cuda::SoftGateArgs own{args, space, columns.tops, columns.sums,
                               columns.isWide};
        parameters[0] = &own;
        launch("moert_soft_weights", getWarpBlocks(S, 8));
        return status;
      });
}

Status NcclStream::soft_order(const moert_soft_mix_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  return multiply(Matrix{args.weights, args.weights_type}.turned(),
                  {args.x, args.type}, args.result, args.type, args.slots,
                  args.tokens, args.hidden);
}

Status NcclStream::soft_unorder(const moert_soft_mix_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  return multiply({args.weights, args.weights_type}, {args.x, args.type},
                  args.result, args.type, args.tokens, args.slots, args.hidden);
}

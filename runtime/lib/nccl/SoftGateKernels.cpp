// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that mix or choose tokens, on GPUs.

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
  static_assert(sizeof(cuda::Ranked) ==
                scratch::ExpertChoiceLayout::kRankedBytes);
  scratch::ExpertChoiceLayout layout(args);
  moert_type type = layout.type;
  cuda::ExpertChoiceArgs own{};
  own.choice = args;
  own.isWide = type == MOERT_F64;
  auto choose = [&] {
    constexpr int64_t kThreads = 512;
    void *parameters[] = {&own};
    return nccl.launch("moert_choose_tokens",
                       static_cast<unsigned>(layout.blocks), kThreads, 0,
                       stream, parameters);
  };
  if (args.capacity == 0)
    return choose();
  return withScratch(layout.bytes, [&](char *space) {
    cuda::LinesArgs rows{};
    char *logits = space + layout.logits;
    rows.matrix = own.logits = logits;
    rows.rows = S;
    rows.columns = E;
    rows.tops = reinterpret_cast<double *>(space + layout.tops);
    rows.sums = reinterpret_cast<double *>(space + layout.sums);
    rows.isWide = own.isWide;
    own.space = reinterpret_cast<cuda::Ranked *>(space + layout.lists);
    Status status =
        multiply({args.x, args.type}, {args.router, args.router_type}, logits,
                 type, S, M, E);
    if (status.ok() && args.scores == MOERT_CHOICE_EXPERTS) {
      own.tops = rows.tops;
      own.sums = rows.sums;
      void *parameters[] = {&rows};
      status = nccl.launch("moert_softmax_rows", getWarpBlocks(S, 8), 256, 0,
                           stream, parameters);
    }
    return status.ok() ? choose() : status;
  });
}

Status NcclStream::soft_gate(const moert_soft_gate_args &args) {
  Status status = begin();
  int64_t S = args.tokens, M = args.hidden, N = args.slots;
  if (!status.ok() || S == 0 || N == 0)
    return status;
  scratch::SoftGateLayout layout(args);
  moert_type type = layout.type;
  cuda::LinesArgs columns{};
  columns.rows = S;
  columns.columns = N;
  columns.slabs = layout.slabs;
  columns.isWide = type == MOERT_F64;
  return withScratch(layout.bytes, [&](char *space) {
    char *logits = space + layout.logits;
    columns.matrix = logits;
    columns.tops = reinterpret_cast<double *>(space + layout.tops);
    columns.sums = reinterpret_cast<double *>(space + layout.sums);
    columns.partial = reinterpret_cast<double *>(space + layout.partial);
    Status status =
        multiply({args.x, args.type}, {args.router, args.router_type}, logits,
                 type, S, M, N);
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
    cuda::SoftGateArgs own{args, logits, columns.tops, columns.sums,
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

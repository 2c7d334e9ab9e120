// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expert networks on GPUs.

#include "kernels/Activation.h"
#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::experts(const moert_experts_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  bool countsOnDevice = canCount(
      args, {args.x, args.w1, args.w2, args.w3, args.result, args.kept});
  return withExpertRuns<moert_experts_args>(
      args, countsOnDevice,
      [&](const moert_experts_args &own, const ExpertRuns &rows) {
        return multiplyExperts(own, rows);
      });
}

Status NcclStream::multiplyExperts(const moert_experts_args &args,
                                   const ExpertRuns &rows) {
  int64_t P = rows.getRows(), M = args.hidden, H = args.ffn;
  if (P == 0 || (M == 0 && !args.kept))
    return {};
  auto elementBytes = static_cast<int64_t>(moert_type_size(args.type));
  bool isGated = args.kind != MOERT_EXPERTS_GPT;
  bool isPacked = rows.getPlace() == RowPlace::Packed;
  scratch::ExpertsLayout layout(args, P, isPacked);
  return withScratch(layout.bytes, [&](char *space) {
    cuda::ActivateArgs inner = {};
    KeptParts kept(args, args.kept);
    void *first = kept.exists() ? kept.get(0) : space + layout.first;
    void *second = !isGated        ? nullptr
                   : kept.exists() ? kept.get(1)
                                   : space + layout.second;
    inner.inner = first;
    inner.up = second;
    inner.gated = space + layout.first;
    inner.count = P * H;
    inner.activation = getActivation(args.kind, args.activation);
    inner.clamps = args.kind == MOERT_EXPERTS_CLAMPED_SWIGLU;
    inner.type = args.type;
    // Packed results replace the tokens after their last use.
    char *packed = space + layout.packed;
    Matrix x = {isPacked ? packed : args.x, args.type};
    void *result = isPacked ? packed : args.result;
    auto weights = [&](const void *data) -> Matrix {
      return {data, args.type, /*isTurned=*/false, args.biased != 0};
    };
    RowPlace place = rows.getPlace();
    Status status;
    if (isPacked)
      status = copyRuns(rows, M * elementBytes, args.x, packed,
                        /*unpacks=*/false);
    if (status.ok())
      status = multiplyRows(rows, place, x, weights(args.w1), RowPlace::Packed,
                            first, M, H);
    if (status.ok() && isGated)
      status = multiplyRows(rows, place, x, weights(args.w2), RowPlace::Packed,
                            second, M, H);
    void *parameters[] = {&inner};
    if (status.ok())
      status = nccl.launch("moert_activate", getBlocks(inner.count), 256, 0,
                           stream, parameters);
    if (status.ok())
      status = multiplyRows(rows, RowPlace::Packed, {inner.gated, args.type},
                            weights(args.w3), place, result, H, M);
    if (status.ok() && isPacked)
      status = copyRuns(rows, M * elementBytes, args.result, packed,
                        /*unpacks=*/true);
    return status;
  });
}

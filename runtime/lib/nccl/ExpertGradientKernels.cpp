// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expert gradients on a device.

#include "kernels/Activation.h"
#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

static Matrix getWeights(const moert_experts_grad_args &args,
                         const void *data) {
  return {data, args.type, /*isTurned=*/false, args.biased != 0};
}

Status NcclStream::differentiateRuns(
    const moert_experts_grad_args &args, const ExpertRuns &rows,
    const std::function<Status(const moert_experts_grad_args &own,
                               const cuda::ActivateArgs &between)> &work) {
  int64_t P = rows.getRows(), M = args.hidden, H = args.ffn;
  bool isGated = args.kind != MOERT_EXPERTS_GPT;
  bool isPacked = rows.getPlace() == RowPlace::Packed;
  auto elementBytes = static_cast<int64_t>(moert_type_size(args.type));
  int64_t innerBytes = alignScratch(P * H * elementBytes);
  int64_t betweenBytes = (isGated ? 3 : 2) * innerBytes;
  int64_t rowsBytes = isPacked ? alignScratch(P * M * elementBytes) : 0;
  return withScratch(betweenBytes + 2 * rowsBytes, [&](char *space) {
    cuda::ActivateArgs between = {};
    between.count = P * H;
    between.activation = getActivation(args.kind, args.activation);
    between.clamps = args.kind == MOERT_EXPERTS_CLAMPED_SWIGLU;
    between.type = args.type;
    between.inner = space;
    between.gated = space + innerBytes;
    between.up = isGated ? space + 2 * innerBytes : nullptr;
    moert_experts_grad_args own = args;
    Status status;
    if (isPacked) {
      char *x = space + betweenBytes, *dy = x + rowsBytes;
      status = copyRuns(rows, M * elementBytes, args.x, x, /*unpacks=*/false);
      if (status.ok())
        status =
            copyRuns(rows, M * elementBytes, args.dy, dy, /*unpacks=*/false);
      // The tokens' gradient takes their place, when they are done with.
      own.x = own.dx = x;
      own.dy = dy;
    }
    auto multiply = [&](const void *a, const Matrix &b, void *result) {
      if (status.ok())
        status = multiplyRows(rows, rows.getPlace(), {a, args.type}, b,
                              RowPlace::Packed, result, M, H);
    };
    multiply(own.x, getWeights(args, args.w1), between.inner);
    if (between.up)
      multiply(own.x, getWeights(args, args.w2), between.up);
    multiply(own.dy, getWeights(args, args.w3).turned(), between.gated);
    void *parameters[] = {&between};
    if (status.ok())
      status = nccl.launch("moert_activate_gradient", getBlocks(between.count),
                           256, 0, stream, parameters);
    return status.ok() ? work(own, between) : status;
  });
}

Status NcclStream::experts_dgrad(const moert_experts_grad_args &args) {
  Status status = begin();
  ExpertRuns rows(args);
  int64_t M = args.hidden, H = args.ffn;
  if (!status.ok() || rows.getRows() == 0 || M == 0)
    return status;
  auto rowBytes = static_cast<int64_t>(M * moert_type_size(args.type));
  auto work = [&](const moert_experts_grad_args &own,
                  const cuda::ActivateArgs &between) {
    auto multiply = [&](const void *gradient, const void *weights, bool adds) {
      return multiplyRows(rows, RowPlace::Packed, {gradient, args.type},
                          getWeights(args, weights).turned(), rows.getPlace(),
                          own.dx, H, M, adds);
    };
    Status status = multiply(between.inner, args.w1, /*adds=*/false);
    if (status.ok() && between.up)
      status = multiply(between.up, args.w2, /*adds=*/true);
    if (status.ok() && rows.getPlace() == RowPlace::Packed)
      status = copyRuns(rows, rowBytes, args.dx, own.dx, /*unpacks=*/true);
    return status;
  };
  return differentiateRuns(args, rows, work);
}

Status NcclStream::experts_wgrad(const moert_experts_grad_args &args) {
  Status status = begin();
  ExpertRuns rows(args);
  int64_t M = args.hidden, H = args.ffn;
  bool isEmpty = !args.biased && (M == 0 || H == 0);
  if (!status.ok() || args.experts == 0 || isEmpty)
    return status;
  auto multiply = [&](RowPlace place, const void *a, RowPlace otherPlace,
                      const void *b, void *result, int64_t width,
                      int64_t columns) {
    if (status.ok() && result)
      status = multiplyTurnedRows(rows, place, a, otherPlace, b, result,
                                  args.type, width, columns, args.biased);
  };
  auto work = [&](const moert_experts_grad_args &own,
                  const cuda::ActivateArgs &between) {
    RowPlace place = rows.getPlace(), packed = RowPlace::Packed;
    multiply(place, own.x, packed, between.inner, args.dw1, M, H);
    if (args.kind != MOERT_EXPERTS_GPT)
      multiply(place, own.x, packed, between.up, args.dw2, M, H);
    multiply(packed, between.gated, place, own.dy, args.dw3, H, M);
    return status;
  };
  // Without rows gradients are 0, of which no operand is looked at.
  return rows.getRows() ? differentiateRuns(args, rows, work) : work(args, {});
}

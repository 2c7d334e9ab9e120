// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of experts on GPUs.

#include "kernels/Activation.h"
#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

static Matrix getWeights(const moert_experts_grad_args &args,
                         const void *data) {
  return {data, args.type, /*isTurned=*/false, args.biased != 0};
}

/// The values that dgrad hands on, possibly in scratch memory.
struct NcclStream::Between {
  const void *gated, *first, *second;
};

Status NcclStream::withRows(
    const moert_experts_grad_args &args, const ExpertRuns &rows,
    const std::function<Status(const moert_experts_grad_args &own, char *space,
                               const scratch::ExpertGradientsLayout &layout)>
        &work) {
  auto rowBytes =
      args.hidden * static_cast<int64_t>(moert_type_size(args.type));
  bool isPacked = rows.getPlace() == RowPlace::Packed;
  scratch::ExpertGradientsLayout layout(args, rows.getRows(), isPacked);
  return withScratch(layout.bytes, [&](char *space) {
    moert_experts_grad_args own = args;
    if (!isPacked)
      return work(own, space, layout);
    char *x = space + layout.packedX, *dy = space + layout.packedDy;
    Status status = copyRuns(rows, rowBytes, args.x, x, /*unpacks=*/false);
    if (status.ok())
      status = copyRuns(rows, rowBytes, args.dy, dy, /*unpacks=*/false);
    // The tokens' gradient replaces the tokens after their last use.
    own.x = own.dx = x;
    own.dy = dy;
    return status.ok() ? work(own, space, layout) : status;
  });
}

Status NcclStream::differentiateRuns(
    const moert_experts_grad_args &args, const ExpertRuns &rows,
    const void *keptData,
    const std::function<Status(const moert_experts_grad_args &own,
                               const Between &between)> &work) {
  int64_t P = rows.getRows(), M = args.hidden, H = args.ffn;
  bool isGated = args.kind != MOERT_EXPERTS_GPT;
  KeptParts kept(args, keptData), handed(args, args.handed);
  return withRows(
      args, rows,
      [&](const moert_experts_grad_args &own, char *space,
          const scratch::ExpertGradientsLayout &layout) {
        auto getPart = [&](int number) -> void * {
          return handed.exists() ? handed.get(number)
                                 : space + layout.between[number];
        };
        void *gated = getPart(0), *first = getPart(1),
             *second = isGated ? getPart(2) : nullptr;
        Status status;
        auto multiply = [&](const void *a, const Matrix &b, void *result) {
          if (status.ok())
            status = multiplyRows(rows, rows.getPlace(), {a, args.type}, b,
                                  RowPlace::Packed, result, M, H);
        };
        if (!kept.exists()) {
          multiply(own.x, getWeights(args, args.w1), first);
          if (isGated)
            multiply(own.x, getWeights(args, args.w2), second);
        }
        multiply(own.dy, getWeights(args, args.w3).turned(), gated);
        cuda::ActivateArgs between = {};
        between.count = P * H;
        between.activation = getActivation(args.kind, args.activation);
        between.clamps = args.kind == MOERT_EXPERTS_CLAMPED_SWIGLU;
        between.type = args.type;
        between.inner = kept.exists() ? kept.get(0) : first;
        between.up = kept.exists() && isGated ? kept.get(1) : second;
        between.gated = gated;
        between.firstGradient = first;
        between.secondGradient = second;
        void *parameters[] = {&between};
        if (status.ok())
          status =
              nccl.launch("moert_activate_gradient", getBlocks(between.count),
                          256, 0, stream, parameters);
        return status.ok() ? work(own, {gated, first, second}) : status;
      });
}

Status NcclStream::withGradientRuns(
    const moert_experts_grad_args &args,
    const std::function<Status(const moert_experts_grad_args &own,
                               const ExpertRuns &rows)> &work) {
  Status status = begin();
  if (!status.ok())
    return status;
  bool countsOnDevice =
      !args.wide_gradients &&
      canCount(args, {args.x, args.w1, args.w2, args.w3, args.dy, args.dx,
                      args.dw1, args.dw2, args.dw3, args.kept, args.handed});
  return withExpertRuns(args, countsOnDevice, work);
}

Status NcclStream::experts_dgrad(const moert_experts_grad_args &args) {
  return withGradientRuns(
      args, [&](const moert_experts_grad_args &own, const ExpertRuns &rows) {
        return differentiateTokens(own, rows);
      });
}

Status NcclStream::experts_wgrad(const moert_experts_grad_args &args) {
  return withGradientRuns(
      args, [&](const moert_experts_grad_args &own, const ExpertRuns &rows) {
        return differentiateWeights(own, rows);
      });
}

Status NcclStream::differentiateTokens(const moert_experts_grad_args &args,
                                       const ExpertRuns &rows) {
  int64_t M = args.hidden, H = args.ffn;
  if (rows.getRows() == 0 || (M == 0 && !args.handed))
    return {};
  auto rowBytes = static_cast<int64_t>(M * moert_type_size(args.type));
  auto work = [&](const moert_experts_grad_args &own, const Between &between) {
    auto multiply = [&](const void *gradient, const void *weights, bool adds) {
      return multiplyRows(rows, RowPlace::Packed, {gradient, args.type},
                          getWeights(args, weights).turned(), rows.getPlace(),
                          own.dx, H, M, adds);
    };
    Status status = multiply(between.first, args.w1, /*adds=*/false);
    if (status.ok() && between.second)
      status = multiply(between.second, args.w2, /*adds=*/true);
    if (status.ok() && rows.getPlace() == RowPlace::Packed)
      status = copyRuns(rows, rowBytes, args.dx, own.dx, /*unpacks=*/true);
    return status;
  };
  return differentiateRuns(args, rows, args.kept, work);
}

Status NcclStream::differentiateWeights(const moert_experts_grad_args &args,
                                        const ExpertRuns &rows) {
  Status status;
  int64_t M = args.hidden, H = args.ffn;
  bool isEmpty = !args.biased && (M == 0 || H == 0);
  bool isGated = args.kind != MOERT_EXPERTS_GPT;
  if (args.experts == 0 || isEmpty)
    return {};
  auto multiply = [&](RowPlace place, const void *a, RowPlace otherPlace,
                      const void *b, void *result, int64_t width,
                      int64_t columns) {
    if (status.ok() && result)
      status =
          multiplyTurnedRows(rows, place, a, otherPlace, b, args.type, result,
                             args.wide_gradients ? MOERT_F32 : args.type, width,
                             columns, args.biased);
  };
  auto work = [&](const moert_experts_grad_args &own, const Between &between) {
    RowPlace place = rows.getPlace(), packed = RowPlace::Packed;
    multiply(place, own.x, packed, between.first, args.dw1, M, H);
    if (isGated)
      multiply(place, own.x, packed, between.second, args.dw2, M, H);
    multiply(packed, between.gated, place, own.dy, args.dw3, H, M);
    return status;
  };
  // If there are no rows, gradients are 0 and no operand is read.
  if (rows.getRows() == 0)
    return work(args, {});
  if (!args.handed)
    return differentiateRuns(args, rows, /*keptData=*/nullptr, work);
  KeptParts handed(args, args.handed);
  return withRows(args, rows,
                  [&](const moert_experts_grad_args &own, char *,
                      const scratch::ExpertGradientsLayout &) {
                    return work(own, {handed.get(0), handed.get(1),
                                      isGated ? handed.get(2) : nullptr});
                  });
}

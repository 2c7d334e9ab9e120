// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expert networks.

#include "core/Types.h"
#include "kernels/Activation.h"
#include "kernels/BiasedRows.h"
#include "kernels/Gemm.h"
#include "kernels/Kernels.h"
#include "kernels/PackedRows.h"
#include "kernels/Runs.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace moert;

Status moert::verifyExperts(const moert_experts_args &args) {
  if (args.kind < MOERT_EXPERTS_GPT || args.kind > MOERT_EXPERTS_CLAMPED_SWIGLU)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a known kind of experts, got %d",
                 static_cast<int>(args.kind));
  bool isGated = args.kind != MOERT_EXPERTS_GPT;
  if (!isGated &&
      (args.activation < MOERT_GELU || args.activation > MOERT_RELU2))
    return error(MOERT_INVALID_ARGUMENT, "expected a known activation, got %d",
                 static_cast<int>(args.activation));
  RunArrays runs(args);
  int64_t experts = runs.getBufferExperts(), biases = args.biased != 0;
  Status status = firstError(
      {verifyFloat("tokens and weights", args.type),
       verifySizes({{"experts", args.experts, 0},
                    {"rows", args.rows, 0},
                    {"a hidden size", args.hidden, 0, INT64_MAX - 1},
                    {"an FFN hidden size", args.ffn, 0, INT64_MAX - 1}}),
       verifyVolume("the tokens", {experts, args.rows, args.hidden}),
       verifyVolume("the weights",
                    {args.experts, args.hidden + biases, args.ffn}),
       verifyVolume("the last weight",
                    {args.experts, args.ffn + biases, args.hidden}),
       verifyVolume("the inner rows", {args.rows, args.ffn}),
       verifyPointer("the tokens", args.x, {experts, args.rows, args.hidden}),
       verifyPointer("w1", args.w1,
                     {args.experts, args.hidden + biases, args.ffn}),
       isGated ? verifyPointer("w2", args.w2,
                               {args.experts, args.hidden + biases, args.ffn})
               : Status(),
       verifyPointer("w3", args.w3,
                     {args.experts, args.ffn + biases, args.hidden}),
       verifyPointer("the result", args.result,
                     {experts, args.rows, args.hidden}),
       verifyVolume("the kept products",
                    {isGated ? 2 : 1, experts, args.rows, args.ffn})});
  return status.ok() ? runs.verify() : status;
}

Status moert::runExperts(const moert_experts_args &args) {
  if (args.row_counts)
    return runCounted(args, runExperts);
  constexpr int64_t kRows = 64;
  Gating gating(args.kind, args.activation);
  size_t elementBytes = moert_type_size(args.type);
  int64_t hidden = args.hidden, ffn = args.ffn;
  BiasedRows x(kRows, hidden, args.biased), gated(kRows, ffn, args.biased);
  std::vector<double> inner(kRows * ffn),
      up(gating.hasFactor() ? kRows * ffn : 0), sums(kRows * hidden);
  RowTimesMatrix product;
  PackedRows kept(args, args.kept);
  for (int64_t e = 0; e < args.experts; ++e) {
    auto matrix = [&](const void *weights, int64_t rows, int64_t columns) {
      return static_cast<const char *>(weights) +
             e * rows * columns * elementBytes;
    };
    for (const Run &run : RunArrays(args).get(e))
      for (int64_t begin = 0; begin < run.count; begin += kRows) {
        int64_t count = std::min(kRows, run.count - begin);
        int64_t at = (run.begin + begin) * hidden * elementBytes;
        x.load(args.type, static_cast<const char *>(args.x) + at, count);
        product.multiply(x.data(), count, x.width(), args.type,
                         matrix(args.w1, x.width(), ffn), ffn, inner.data());
        if (gating.hasFactor())
          product.multiply(x.data(), count, x.width(), args.type,
                           matrix(args.w2, x.width(), ffn), ffn, up.data());
        kept.store(0, inner.data(), count);
        if (gating.hasFactor())
          kept.store(1, up.data(), count);
        kept.advance(count);
        roundRow(args.type, inner.data(), count * ffn);
        roundRow(args.type, up.data(), gating.hasFactor() ? count * ffn : 0);
        for (int64_t r = 0; r < count; ++r)
          for (int64_t h = 0; h < ffn; ++h) {
            double value = gating.activate(inner[r * ffn + h]);
            if (gating.hasFactor())
              value *= gating.getFactor(up[r * ffn + h]);
            gated.row(r)[h] = value;
          }
        for (int64_t r = 0; r < count; ++r)
          roundRow(args.type, gated.row(r), ffn);
        product.multiply(gated.data(), count, gated.width(), args.type,
                         matrix(args.w3, gated.width(), hidden), hidden,
                         sums.data());
        storeRow(args.type, sums.data(), count * hidden,
                 static_cast<char *>(args.result) + at);
      }
  }
  return {};
}

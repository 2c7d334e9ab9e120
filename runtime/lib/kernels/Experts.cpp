//===- Experts.cpp - The expert networks ------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Types.h"
#include "kernels/Activation.h"
#include "kernels/Gemm.h"
#include "kernels/Kernels.h"
#include "kernels/Runs.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace moert;

Status moert::verifyExperts(const moert_experts_args &args) {
  if (args.kind != MOERT_EXPERTS_GPT && args.kind != MOERT_EXPERTS_SWIGLU)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a known kind of experts, got %d",
                 static_cast<int>(args.kind));
  bool isSwiGLU = args.kind == MOERT_EXPERTS_SWIGLU;
  if (!isSwiGLU &&
      (args.activation < MOERT_GELU || args.activation > MOERT_SILU))
    return error(MOERT_INVALID_ARGUMENT, "expected a known activation, got %d",
                 static_cast<int>(args.activation));
  RunArrays runs(args);
  int64_t experts = runs.getBufferExperts();
  Status status = firstError(
      {verifyFloat("tokens and weights", args.type),
       verifySizes({{"experts", args.experts, 0},
                    {"rows", args.rows, 0},
                    {"a hidden size", args.hidden, 0},
                    {"an FFN hidden size", args.ffn, 0}}),
       verifyVolume("the tokens", {experts, args.rows, args.hidden}),
       verifyVolume("the weights", {args.experts, args.hidden, args.ffn}),
       verifyVolume("the inner rows", {args.rows, args.ffn}),
       verifyPointer("the tokens", args.x, {experts, args.rows, args.hidden}),
       verifyPointer("w1", args.w1, {args.experts, args.hidden, args.ffn}),
       isSwiGLU
           ? verifyPointer("w2", args.w2, {args.experts, args.hidden, args.ffn})
           : Status(),
       verifyPointer("w3", args.w3, {args.experts, args.hidden, args.ffn}),
       verifyPointer("the result", args.result,
                     {experts, args.rows, args.hidden})});
  return status.ok() ? runs.verify() : status;
}

Status moert::runExperts(const moert_experts_args &args) {
  constexpr int64_t kRows = 64;
  bool isSwiGLU = args.kind == MOERT_EXPERTS_SWIGLU;
  moert_activation activation = isSwiGLU ? MOERT_SILU : args.activation;
  size_t elementBytes = moert_type_size(args.type);
  int64_t hidden = args.hidden, ffn = args.ffn;
  std::vector<double> x(kRows * hidden), inner(kRows * ffn), up, sums(x.size());
  if (isSwiGLU)
    up.resize(inner.size());
  RowTimesMatrix product;
  for (int64_t e = 0; e < args.experts; ++e) {
    auto matrix = [&](const void *weights) {
      return static_cast<const char *>(weights) +
             e * hidden * ffn * elementBytes;
    };
    for (const Run &run : RunArrays(args).get(e))
      for (int64_t begin = 0; begin < run.count; begin += kRows) {
        int64_t count = std::min(kRows, run.count - begin);
        int64_t at = (run.begin + begin) * hidden * elementBytes;
        loadRow(args.type, static_cast<const char *>(args.x) + at,
                count * hidden, x.data());
        product.multiply(x.data(), count, hidden, args.type, matrix(args.w1),
                         ffn, inner.data());
        for (int64_t i = 0; i < count * ffn; ++i)
          inner[i] = activate(activation, inner[i]);
        if (isSwiGLU) {
          product.multiply(x.data(), count, hidden, args.type, matrix(args.w2),
                           ffn, up.data());
          for (int64_t i = 0; i < count * ffn; ++i)
            inner[i] *= up[i];
        }
        product.multiply(inner.data(), count, ffn, args.type, matrix(args.w3),
                         hidden, sums.data());
        storeRow(args.type, sums.data(), count * hidden,
                 static_cast<char *>(args.result) + at);
      }
  }
  return {};
}

//===- GateGradient.cpp - Gradient of the gates -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Types.h"
#include "kernels/Choose.h"
#include "kernels/Gemm.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <cmath>

using namespace moert;

Status moert::verifyGateGrad(const moert_gate_grad_args &args) {
  if (args.kind != MOERT_GATE_SOFTMAX && args.kind != MOERT_GATE_SIGMOID)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected kind softmax or sigmoid, got %d",
                 static_cast<int>(args.kind));
  if (!(args.scale > 0) || std::isinf(args.scale))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a scale that is finite and positive, got %g",
                 args.scale);
  return firstError(
      {verifyFloat("tokens", args.type),
       verifyFloat("a router", args.router_type),
       verifyInteger("expert numbers", args.ids_type),
       verifyFloat("the weights' gradient", args.dw_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"experts", args.experts, 1},
                    {"top_k", args.top_k, 1, args.experts}}),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the router", {args.hidden, args.experts}),
       verifyVolume("the scores", {args.tokens, args.experts}),
       verifyPointer("the tokens", args.x, {args.tokens, args.hidden}),
       verifyPointer("the router", args.router, {args.hidden, args.tokens}),
       verifyPointer("the ids", args.ids, {args.tokens}),
       verifyPointer("the weights' gradient", args.dw, {args.tokens}),
       verifyPointer("the tokens' gradient", args.dx,
                     {args.tokens, args.hidden}),
       verifyPointer("the router's gradient", args.drouter, {args.hidden})});
}

/// Logits become scores.
static void score(moert_gate_kind kind, double *scores, int64_t count) {
  if (kind == MOERT_GATE_SIGMOID) {
    for (int64_t e = 0; e < count; ++e)
      scores[e] = sigmoid(scores[e]);
    return;
  }
  softmax(scores, count);
}

/// The gradient of the logits of one token.
static void differentiate(const moert_gate_grad_args &args,
                          const double *scores, const std::vector<int64_t> &ids,
                          const std::vector<double> &dw, double *result) {
  int64_t count = args.experts;
  double total = 0, mean = 0;
  for (int64_t expert : ids)
    total += scores[expert];
  for (int64_t j = 0; j < args.top_k; ++j)
    mean += dw[j] * scores[ids[j]] / total;
  std::fill(result, result + count, 0.0);
  for (int64_t j = 0; j < args.top_k; ++j)
    result[ids[j]] = args.normalize ? args.scale * (dw[j] - mean) / total
                                    : args.scale * dw[j];
  if (args.kind == MOERT_GATE_SIGMOID) {
    for (int64_t e = 0; e < count; ++e)
      result[e] *= scores[e] * (1.0 - scores[e]);
    return;
  }
  double sum = 0;
  for (int64_t e = 0; e < count; ++e)
    sum += result[e] * scores[e];
  for (int64_t e = 0; e < count; ++e)
    result[e] = scores[e] * (result[e] - sum);
}

/// Reads the experts of a token: in range, and distinct.
static Status readExperts(const moert_gate_grad_args &args, int64_t token,
                          std::vector<int64_t> &ids) {
  for (int64_t j = 0; j < args.top_k; ++j) {
    ids[j] = loadInteger(args.ids_type, args.ids, token * args.top_k + j);
    if (ids[j] < 0 || ids[j] >= args.experts ||
        std::find(ids.begin(), ids.begin() + j, ids[j]) != ids.begin() + j)
      return error(MOERT_INVALID_ARGUMENT,
                   "gate_grad: expected expert numbers in [0, %lld), distinct "
                   "for a token, got %lld as choice %lld of token %lld",
                   static_cast<long long>(args.experts),
                   static_cast<long long>(ids[j]), static_cast<long long>(j),
                   static_cast<long long>(token));
  }
  return {};
}

Status moert::runGateGrad(const moert_gate_grad_args &args) {
  // A block of tokens at a time, so that the router is converted once for all.
  constexpr int64_t kTokens = 64;
  int64_t hidden = args.hidden, numExperts = args.experts;
  std::vector<double> rows(kTokens * hidden), sums(rows.size()),
      scores(kTokens * numExperts), dLogits(scores.size()), dw(args.top_k),
      routerSums(hidden * numExperts, 0.0);
  std::vector<int64_t> ids(args.top_k);
  RowTimesMatrix product;
  for (int64_t begin = 0; begin < args.tokens; begin += kTokens) {
    int64_t count = std::min(kTokens, args.tokens - begin);
    int64_t at = begin * hidden * moert_type_size(args.type);
    loadRow(args.type, static_cast<const char *>(args.x) + at, count * hidden,
            rows.data());
    product.multiply(rows.data(), count, hidden, args.router_type, args.router,
                     numExperts, scores.data());
    for (int64_t s = 0; s < count; ++s) {
      Status status = readExperts(args, begin + s, ids);
      if (!status.ok())
        return status;
      loadRow(args.dw_type,
              static_cast<const char *>(args.dw) +
                  (begin + s) * args.top_k * moert_type_size(args.dw_type),
              args.top_k, dw.data());
      double *own = scores.data() + s * numExperts;
      score(args.kind, own, numExperts);
      differentiate(args, own, ids, dw, dLogits.data() + s * numExperts);
    }
    std::fill(sums.begin(), sums.end(), 0.0);
    product.addTransposed(dLogits.data(), count, numExperts, args.router_type,
                          args.router, hidden, sums.data());
    storeRow(args.type, sums.data(), count * hidden,
             static_cast<char *>(args.dx) + at);
    addOuterProducts(rows.data(), dLogits.data(), count, hidden, numExperts,
                     routerSums.data());
  }
  storeRow(args.router_type, routerSums.data(), hidden * numExperts,
           args.drouter);
  return {};
}

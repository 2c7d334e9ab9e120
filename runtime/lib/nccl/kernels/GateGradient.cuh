//===- GateGradient.cuh - Gradient of the gates -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_GATEGRADIENT_CUH
#define MOERT_NCCL_KERNELS_GATEGRADIENT_CUH

#include "nccl/GateArgs.h"
#include "nccl/kernels/Warps.cuh"

/// One token by one warp; logits and their gradient are rows of their own.
template <typename T>
__device__ void differentiateGate(const GateGradArgs &args, long long token) {
  const moert_gate_grad_args &gate = args.gate;
  long long E = gate.experts, k = gate.top_k, first = token * k;
  int lane = getLane();
  bool isSoftmax = gate.kind == MOERT_GATE_SOFTMAX;
  Row logits{args.logits, token * E, args.isWide};
  T *result = static_cast<T *>(args.dLogits) + token * E;
  Softmax softmax{0, 0};
  if (isSoftmax)
    softmax = softmaxOfWarp(logits, E);
  auto scoreOf = [&](long long e) {
    return isSoftmax ? softmax(logits[e]) : moert::sigmoid(logits[e]);
  };
  auto expertOf = [&](long long j) {
    return loadInteger(gate.ids_type, gate.ids, first + j);
  };

  // Thread j has choices j, j + 32, ...
  double total = 0, mean = 0, inner = 0;
  bool isWrong = false;
  for (long long j = lane; j < k; j += 32) {
    long long expert = expertOf(j);
    bool isGood = expert >= 0 && expert < E;
    for (long long i = 0; i < j && isGood; ++i)
      isGood = expertOf(i) != expert;
    if (isGood)
      total += scoreOf(expert);
    else
      report(args.error, kGateGradExpert, expert, first + j, k, E);
    isWrong |= !isGood;
  }
  // The job ends for it; no thread goes by a number that is wrong.
  if (__ballot_sync(kWholeWarp, isWrong) != 0)
    return;
  total = sumOfWarp(total);
  auto gradientOf = [&](long long j) {
    double dw = load<double>(gate.dw_type, gate.dw, first + j);
    return gate.normalize ? gate.scale * (dw - mean) / total : gate.scale * dw;
  };
  if (gate.normalize) {
    for (long long j = lane; j < k; j += 32)
      mean += load<double>(gate.dw_type, gate.dw, first + j) *
              scoreOf(expertOf(j)) / total;
    mean = sumOfWarp(mean);
  }
  if (isSoftmax) {
    for (long long j = lane; j < k; j += 32)
      inner += gradientOf(j) * scoreOf(expertOf(j));
    inner = sumOfWarp(inner);
  }
  auto toLogit = [&](double gradient, double score) {
    return static_cast<T>(isSoftmax ? score * (gradient - inner)
                                    : gradient * (score * (1.0 - score)));
  };
  for (long long e = lane; e < E; e += 32)
    result[e] = toLogit(0.0, scoreOf(e));
  __syncwarp();
  for (long long j = lane; j < k; j += 32) {
    long long expert = expertOf(j);
    result[expert] = toLogit(gradientOf(j), scoreOf(expert));
  }
}

extern "C" __global__ void moert_differentiate_gate(GateGradArgs args) {
  for (long long token = firstWarp(); token < args.gate.tokens;
       token += warpStep()) {
    if (args.isWide)
      differentiateGate<double>(args, token);
    else
      differentiateGate<float>(args, token);
  }
}

#endif // MOERT_NCCL_KERNELS_GATEGRADIENT_CUH

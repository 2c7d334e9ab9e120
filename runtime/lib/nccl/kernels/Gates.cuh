//===- Gates.cuh - Gates that choose experts --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_GATES_CUH
#define MOERT_NCCL_KERNELS_GATES_CUH

#include "nccl/kernels/Elements.cuh"

template <typename T> __device__ bool isBetter(T a, T b) {
  return !isnan(a) && (isnan(b) || a > b);
}

/// One block a token. Shared memory: scores and choice of all experts, then
/// the groups' scores.
template <typename T>
__device__ void gate(const moert_gate_args &args, T *scores) {
  long long s = blockIdx.x, E = args.experts, M = args.hidden;
  T *choice = scores + E, *groups = choice + E;
  for (long long e = threadIdx.x; e < E; e += blockDim.x) {
    T sum = 0;
    for (long long m = 0; m < M; ++m)
      sum += load<T>(args.type, args.x, s * M + m) *
             load<T>(args.router_type, args.router, m * E + e);
    scores[e] = args.kind == MOERT_GATE_SIGMOID ? 1 / (1 + exp(-sum)) : sum;
  }
  __syncthreads();
  if (args.kind == MOERT_GATE_SOFTMAX) {
    // All threads compute the same, from shared memory.
    T top = scores[0], sum = 0;
    for (long long e = 1; e < E; ++e)
      top = scores[e] > top ? scores[e] : top;
    for (long long e = 0; e < E; ++e)
      sum += exp(scores[e] - top);
    __syncthreads();
    for (long long e = threadIdx.x; e < E; e += blockDim.x)
      scores[e] = exp(scores[e] - top) / sum;
    __syncthreads();
  }
  for (long long e = threadIdx.x; e < E; e += blockDim.x)
    choice[e] =
        scores[e] + (args.bias ? load<T>(args.bias_type, args.bias, e) : T(0));
  __syncthreads();
  if (threadIdx.x != 0)
    return;

  const T lost = static_cast<T>(nan(""));
  long long size = E / args.num_groups;
  if (args.num_groups > 1) {
    for (long long g = 0; g < args.num_groups; ++g) {
      T first = lost, second = lost;
      for (long long i = g * size; i < (g + 1) * size; ++i) {
        if (isBetter(choice[i], first)) {
          second = first;
          first = choice[i];
        } else if (isBetter(choice[i], second)) {
          second = choice[i];
        }
      }
      bool two = args.kind == MOERT_GATE_SIGMOID && size > 1;
      groups[g] = two ? first + second : first;
    }
    // Groups that lose are closed; of equal ones the later.
    for (long long closed = args.num_groups - args.top_groups; closed > 0;
         --closed) {
      long long worst = -1;
      for (long long g = 0; g < args.num_groups; ++g) {
        bool isOpen = !isinf(groups[g]) || groups[g] > 0;
        if (isOpen && (worst < 0 || !isBetter(groups[g], groups[worst])))
          worst = g;
      }
      groups[worst] = -static_cast<T>(INFINITY);
      for (long long i = worst * size; i < (worst + 1) * size; ++i)
        choice[i] = -static_cast<T>(INFINITY);
    }
  }
  T sum = 0;
  for (long long j = 0; j < args.top_k; ++j) {
    long long best = -1;
    for (long long e = 0; e < E; ++e) {
      bool isTaken = isinf(choice[e]) && choice[e] < 0;
      if (!isTaken && (best < 0 || isBetter(choice[e], choice[best])))
        best = e;
    }
    // Nothing is left when biases are infinite.
    best = best < 0 ? j : best;
    storeInteger(args.ids_type, args.ids, s * args.top_k + j, best);
    sum += scores[best];
    choice[best] = -static_cast<T>(INFINITY);
  }
  for (long long j = 0; j < args.top_k; ++j) {
    long long at = s * args.top_k + j;
    T weight = scores[loadInteger(args.ids_type, args.ids, at)];
    if (args.normalize)
      weight /= sum;
    store<T>(args.weights_type, args.weights, at,
             weight * static_cast<T>(args.scale));
  }
}

extern "C" __global__ void moert_gate_kernel(moert_gate_args args) {
  if (args.type == MOERT_F64)
    gate<double>(args, sharedMemory);
  else
    gate<float>(args, reinterpret_cast<float *>(sharedMemory));
}

#endif // MOERT_NCCL_KERNELS_GATES_CUH

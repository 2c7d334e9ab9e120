// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that choose experts.

#ifndef MOERT_NCCL_KERNELS_GATES_CUH
#define MOERT_NCCL_KERNELS_GATES_CUH

#include "kernels/CounterNoise.h"
#include "nccl/GateArgs.h"
#include "nccl/kernels/Warps.cuh"

// Logits are given as a matrix, and a warp chooses for a token. Scores are
// 64-bit floats computed from them, as on CPUs, so that ties are the same: a
// 32-bit sigmoid is 1 from 17 on.

/// The logits of one token, including noise or lengths. `Args` are the
/// arguments of a gate or of its gradient.
template <typename Args> struct TokenLogits {
  const Args &args;
  Row products, noise;
  unsigned long long seed;
  long long token;
  double length;

  __device__ TokenLogits(const Args &args, long long token)
      : args(args), products{args.logits, token * args.gate.experts,
                             args.isWide},
        noise{args.noise, token * args.gate.experts, args.isWide},
        seed(args.noise
                 ? *static_cast<const unsigned long long *>(args.gate.seed)
                 : 0),
        token(token), length(0) {
    if (!args.projected)
      return;
    long long D = args.gate.projected;
    Row row{args.projected, token * D, args.isWide};
    for (long long d = getLane(); d < D; d += 32)
      length += row[d] * row[d];
    length = sqrt(sumOfWarp(length));
  }

  __device__ double operator[](long long e) const {
    double logit = products[e];
    if (args.noise)
      logit += moert::CounterNoise::normal(seed, token, e) *
               moert::softplus(noise[e]);
    if (args.projected) {
      double lengths = length * args.lengths[e];
      logit = (lengths == 0 ? 0.0 : logit / lengths) / args.gate.temperature;
    }
    return logit;
  }
};

/// Computes the scores of the groups: their best choice or, for sigmoid gates,
/// the sum of the two best. As many threads as a group has experts, at most a
/// warp, share a group.
__device__ inline void scoreGroups(const moert_gate_args &gate,
                                   const double *choice, double *groups) {
  long long count = gate.num_groups, size = gate.experts / count;
  int width = 1;
  while (width < 32 && width < size)
    width *= 2;
  bool two = moert::scoresAlone(gate.kind) && size > 1;
  int member = getLane() % width, team = getLane() / width;
  for (long long begin = 0; begin < count; begin += 32 / width) {
    long long group = begin + team;
    // NaN loses against every number.
    double first = nan(""), second = first;
    for (long long i = member; group < count && i < size; i += width) {
      double own = choice[group * size + i];
      if (moert::isBetter(own, first)) {
        second = first;
        first = own;
      } else if (moert::isBetter(own, second)) {
        second = own;
      }
    }
    for (int offset = width / 2; offset > 0; offset /= 2) {
      double best = __shfl_xor_sync(kWholeWarp, first, offset);
      double next = __shfl_xor_sync(kWholeWarp, second, offset);
      if (moert::isBetter(best, first)) {
        second = moert::isBetter(next, first) ? next : first;
        first = best;
      } else if (moert::isBetter(best, second)) {
        second = best;
      }
    }
    if (member == 0 && group < count)
      groups[group] = two ? first + second : first;
  }
}

/// One warp processes one token. `choice` has room for the scores of the
/// experts and, if there are groups, for the scores of the groups and one byte
/// per expert.
__device__ inline void chooseExperts(const ChooseArgs &args, long long token,
                                     double *choice) {
  const moert_gate_args &gate = args.gate;
  long long E = gate.experts, k = gate.top_k, G = gate.num_groups;
  int lane = getLane();
  TokenLogits<ChooseArgs> logits(args, token);
  for (long long e = lane; e < E; e += 32) {
    double score = logits[e];
    if (moert::scoresAlone(gate.kind))
      score = moert::scoreAlone(gate.kind, score);
    choice[e] = score;
  }
  Softmax ofAll{0, 1};
  if (gate.kind == MOERT_GATE_SOFTMAX) {
    ofAll = softmaxOfWarp(choice, E);
    for (long long e = lane; e < E; e += 32)
      choice[e] = ofAll(choice[e]);
  }
  for (long long e = lane; gate.bias && e < E; e += 32)
    choice[e] += load<double>(gate.bias_type, gate.bias, e);
  __syncwarp();

  unsigned char *closed = nullptr;
  if (G > 1) {
    double *groups = choice + E;
    scoreGroups(gate, choice, groups);
    __syncwarp();
    Best worst{0, -1};
    for (long long n = 0; n < gate.top_groups; ++n)
      worst = findNext(groups, nullptr, G, worst);
    closed = reinterpret_cast<unsigned char *>(groups + G);
    for (long long e = lane; e < E; e += 32) {
      long long group = e / (E / G);
      closed[e] =
          moert::comesBefore(worst.score, worst.number, groups[group], group);
    }
  }

  // Thread j keeps choices j, j + 32, ...
  Best last{0, -1};
  double sum = 0, top = -INFINITY;
  auto scoreOf = [&](long long e) {
    if (!gate.bias)
      return choice[e];
    return gate.kind == MOERT_GATE_SOFTMAX
               ? ofAll(logits[e])
               : moert::scoreAlone(gate.kind, logits[e]);
  };
  for (long long j = 0; j < k; ++j) {
    last = findNext(choice, closed, E, last);
    double score = scoreOf(last.number);
    sum += score;
    top = score > top ? score : top;
    if (lane == j % 32)
      storeInteger(gate.ids_type, gate.ids, token * k + j, last.number);
  }
  auto chosenBy = [&](long long j) {
    return scoreOf(loadInteger(gate.ids_type, gate.ids, token * k + j));
  };
  Softmax softmax{top, 0};
  if (gate.kind == MOERT_GATE_GSHARD) {
    for (long long j = lane; j < k; j += 32)
      softmax.sum += exp(chosenBy(j) - top);
    softmax.sum = sumOfWarp(softmax.sum);
  }
  for (long long j = lane; j < k; j += 32) {
    double weight = chosenBy(j);
    if (gate.kind == MOERT_GATE_GSHARD)
      weight = softmax(weight);
    if (gate.normalize)
      weight /= sum;
    store<double>(gate.weights_type, gate.weights, token * k + j,
                  weight * gate.scale);
  }
}

extern "C" __global__ void moert_choose_experts(ChooseArgs args) {
  long long warp = args.space ? firstWarp() : threadIdx.x / 32;
  char *space =
      args.space ? args.space : reinterpret_cast<char *>(sharedMemory);
  auto *choice = reinterpret_cast<double *>(space + warp * args.spaceBytes);
  for (long long token = firstWarp(); token < args.gate.tokens;
       token += warpStep()) {
    chooseExperts(args, token, choice);
    __syncwarp();
  }
}

/// Computes the lengths of a matrix's columns. A block of 256 threads processes
/// 32 columns.
extern "C" __global__ void moert_column_lengths(const void *matrix, int type,
                                                long long rows,
                                                long long columns,
                                                double *lengths) {
  for (long long begin = blockIdx.x * 32LL; begin < columns;
       begin += gridDim.x * 32LL) {
    long long column = begin + getLane();
    bool isThere = column < columns;
    double sum = sumOfColumn(isThere ? rows : 0, [&](long long row) {
      double value = load<double>(type, matrix, row * columns + column);
      return value * value;
    });
    if (isThere && threadIdx.x < 32)
      lengths[column] = sqrt(sum);
  }
}

#endif // MOERT_NCCL_KERNELS_GATES_CUH

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of the gates.

#ifndef MOERT_NCCL_KERNELS_GATEGRADIENT_CUH
#define MOERT_NCCL_KERNELS_GATEGRADIENT_CUH

#include "nccl/GateArgs.h"
#include "nccl/kernels/Gates.cuh"
#include "nccl/kernels/Warps.cuh"

/// The logits of the experts that a token chose.
struct ChosenLogits {
  const TokenLogits<GateGradArgs> &logits;
  const moert_gate_grad_args &gate;
  long long first;

  __device__ long long getExpert(long long j) const {
    return loadInteger(gate.ids_type, gate.ids, first + j);
  }
  __device__ double operator[](long long j) const {
    return logits[getExpert(j)];
  }
};

/// Converts the gradients of a token's logits to the gradients of their
/// components.
template <typename T>
__device__ void differentiateLogits(const GateGradArgs &args, long long token,
                                    const TokenLogits<GateGradArgs> &logits) {
  const moert_gate_grad_args &gate = args.gate;
  long long E = gate.experts;
  T *result = static_cast<T *>(args.dLogits) + token * E;
  if (args.noise) {
    T *ofNoise = static_cast<T *>(args.dNoise) + token * E;
    for (long long e = getLane(); e < E; e += 32)
      ofNoise[e] = static_cast<T>(
          result[e] * moert::CounterNoise::normal(logits.seed, token, e) *
          moert::sigmoid(logits.noise[e]));
  }
  if (!args.projected)
    return;
  T *along = static_cast<T *>(args.along) + token * E;
  double sum = 0;
  for (long long e = getLane(); e < E; e += 32) {
    double lengths = logits.length * args.lengths[e];
    double value = result[e] / gate.temperature;
    double own = lengths == 0 ? 0.0 : value * (logits[e] * gate.temperature);
    along[e] = static_cast<T>(own);
    result[e] = static_cast<T>(lengths == 0 ? 0.0 : value / lengths);
    sum += own;
  }
  sum = sumOfWarp(sum);
  if (getLane() == 0)
    args.ofTokens[token] =
        logits.length == 0 ? 0.0 : sum / (logits.length * logits.length);
}

/// One warp processes one token; its logits and their gradients are one row
/// each.
template <typename T>
__device__ void differentiateGate(const GateGradArgs &args, long long token) {
  const moert_gate_grad_args &gate = args.gate;
  long long E = gate.experts, k = gate.top_k, first = token * k;
  int lane = getLane();
  bool isAlone = moert::scoresAlone(gate.kind);
  bool isOfChosen = gate.kind == MOERT_GATE_GSHARD;
  TokenLogits<GateGradArgs> logits(args, token);
  ChosenLogits chosen{logits, gate, first};
  T *result = static_cast<T *>(args.dLogits) + token * E;

  // Thread j checks choices j, j + 32, ...
  bool isWrong = false;
  for (long long j = lane; j < k; j += 32) {
    long long expert = chosen.getExpert(j);
    bool isGood = expert >= 0 && expert < E;
    for (long long i = 0; i < j && isGood; ++i)
      isGood = chosen.getExpert(i) != expert;
    if (!isGood)
      report(args.error, kGateGradExpert, expert, first + j, k, E);
    isWrong |= !isGood;
  }
  // The error ends the job; no thread may use an invalid number.
  if (__ballot_sync(kWholeWarp, isWrong) != 0)
    return;
  Softmax softmax{0, 0};
  if (isOfChosen)
    softmax = softmaxOfWarp(chosen, k);
  else if (!isAlone)
    softmax = softmaxOfWarp(logits, E);
  auto scoreOf = [&](double logit) {
    return isAlone ? moert::scoreAlone(gate.kind, logit) : softmax(logit);
  };

  double total = 0, mean = 0, inner = 0;
  for (long long j = lane; gate.normalize && j < k; j += 32)
    total += scoreOf(chosen[j]);
  total = sumOfWarp(total);
  auto gradientOf = [&](long long j) {
    double dw = load<double>(gate.dw_type, gate.dw, first + j);
    return gate.normalize ? gate.scale * (dw - mean) / total : gate.scale * dw;
  };
  if (gate.normalize) {
    for (long long j = lane; j < k; j += 32)
      mean += load<double>(gate.dw_type, gate.dw, first + j) *
              scoreOf(chosen[j]) / total;
    mean = sumOfWarp(mean);
  }
  if (!isAlone) {
    for (long long j = lane; j < k; j += 32)
      inner += gradientOf(j) * scoreOf(chosen[j]);
    inner = sumOfWarp(inner);
  }
  auto toLogit = [&](double gradient, double score) {
    return static_cast<T>(
        isAlone ? gradient * moert::differentiateAlone(gate.kind, score)
                : score * (gradient - inner));
  };
  for (long long e = lane; e < E; e += 32)
    result[e] = isOfChosen ? T(0) : toLogit(0.0, scoreOf(logits[e]));
  __syncwarp();
  for (long long j = lane; j < k; j += 32)
    result[chosen.getExpert(j)] = toLogit(gradientOf(j), scoreOf(chosen[j]));
  __syncwarp();
  differentiateLogits<T>(args, token, logits);
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

template <typename T> __device__ void leaveProjected(const CosineArgs &args) {
  long long D = args.grad.gate.projected, count = args.grad.gate.tokens * D;
  T *result = static_cast<T *>(args.dProjected);
  const T *projected = static_cast<const T *>(args.grad.projected);
  for (long long i = firstIndex(); i < count; i += indexStep())
    result[i] =
        static_cast<T>(result[i] - args.grad.ofTokens[i / D] * projected[i]);
}

extern "C" __global__ void moert_leave_projected(CosineArgs args) {
  if (args.grad.isWide)
    leaveProjected<double>(args);
  else
    leaveProjected<float>(args);
}

/// A block of 256 threads processes 32 columns of the router; each of its 8
/// warps processes every 8th row.
template <typename T> __device__ void leaveColumns(const CosineArgs &args) {
  __shared__ double partial[8][32];
  const moert_gate_grad_args &gate = args.grad.gate;
  long long E = gate.experts;
  int lane = getLane(), warp = threadIdx.x / 32;
  for (long long begin = blockIdx.x * 32LL; begin < E;
       begin += gridDim.x * 32LL) {
    long long column = begin + lane;
    double sum = 0;
    for (long long s = warp; column < E && s < gate.tokens; s += 8)
      sum += static_cast<const T *>(args.grad.along)[s * E + column];
    partial[warp][lane] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += partial[i][lane];
    double length = column < E ? args.grad.lengths[column] : 0;
    double share = length == 0 ? 0.0 : sum / (length * length);
    for (long long d = warp; column < E && d < gate.projected; d += 8) {
      long long at = d * E + column;
      store<double>(gate.router_type, gate.drouter, at,
                    static_cast<const T *>(args.dRouter)[at] -
                        share *
                            load<double>(gate.router_type, gate.router, at));
    }
    __syncthreads();
  }
}

extern "C" __global__ void moert_leave_columns(CosineArgs args) {
  if (args.grad.isWide)
    leaveColumns<double>(args);
  else
    leaveColumns<float>(args);
}

extern "C" __global__ void moert_add(AddArgs args) {
  for (long long i = firstIndex(); i < args.count; i += indexStep())
    store<double>(args.resultType, args.result, i,
                  Row{args.a, 0, args.isWide}[i] +
                      Row{args.b, 0, args.isWide}[i]);
}

//===----------------------------------------------------------------------===//
// Softmaxes along lines
//===----------------------------------------------------------------------===//

/// One warp processes one line.
template <typename T>
__device__ void differentiateLine(const DifferentiateLinesArgs &args,
                                  long long line) {
  int lane = getLane();
  auto at = [&](long long j) { return line * args.lineStep + j * args.step; };
  auto logitAt = [&](long long j) {
    return static_cast<double>(static_cast<const T *>(args.logits)[at(j)]);
  };
  auto isTaken = [&](long long j) {
    return !args.slots || loadInteger(args.slotsType, args.slots, at(j)) >= 0;
  };
  auto hasPart = [&](long long j) { return !args.onlyTaken || isTaken(j); };
  auto gradientAt = [&](long long j) {
    return isTaken(j) ? load<double>(args.gradientType, args.gradient, at(j))
                      : 0.0;
  };
  Softmax softmax{-INFINITY, 0};
  for (long long j = lane; j < args.length; j += 32)
    if (hasPart(j) && logitAt(j) > softmax.top)
      softmax.top = logitAt(j);
  softmax.top = maxOfWarp(softmax.top);
  for (long long j = lane; j < args.length; j += 32)
    if (hasPart(j))
      softmax.sum += exp(logitAt(j) - softmax.top);
  softmax.sum = sumOfWarp(softmax.sum);
  double inner = 0;
  for (long long j = lane; j < args.length; j += 32)
    if (hasPart(j))
      inner += gradientAt(j) * softmax(logitAt(j));
  inner = sumOfWarp(inner);
  T *result = static_cast<T *>(args.dLogits);
  for (long long j = lane; j < args.length; j += 32) {
    double value =
        hasPart(j) ? softmax(logitAt(j)) * (gradientAt(j) - inner) : 0.0;
    result[at(j)] = static_cast<T>(args.adds ? result[at(j)] + value : value);
  }
}

extern "C" __global__ void
moert_differentiate_lines(DifferentiateLinesArgs args) {
  for (long long line = firstWarp(); line < args.lines; line += warpStep()) {
    if (args.isWide)
      differentiateLine<double>(args, line);
    else
      differentiateLine<float>(args, line);
  }
}

#endif // MOERT_NCCL_KERNELS_GATEGRADIENT_CUH

//===- kernels.cu - Device kernels of the backend 'nccl' --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled to an image that the library carries. Kernels are found by name, so
// they are extern "C". What they find wrong in data goes to an Error in memory
// that the host reads too. Sums are 32-bit floats, 64-bit ones for f64.
//
//===----------------------------------------------------------------------===//

#include "nccl/KernelArgs.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace moert::cuda;

//===----------------------------------------------------------------------===//
// Elements of any type
//===----------------------------------------------------------------------===//

template <typename T>
__device__ T load(int type, const void *data, long long i) {
  switch (type) {
  case MOERT_F64:
    return static_cast<T>(static_cast<const double *>(data)[i]);
  case MOERT_F32:
    return static_cast<T>(static_cast<const float *>(data)[i]);
  case MOERT_F16:
    return static_cast<T>(__half2float(static_cast<const __half *>(data)[i]));
  default:
    return static_cast<T>(
        __bfloat162float(static_cast<const __nv_bfloat16 *>(data)[i]));
  }
}

template <typename T>
__device__ void store(int type, void *data, long long i, T value) {
  switch (type) {
  case MOERT_F64:
    static_cast<double *>(data)[i] = static_cast<double>(value);
    return;
  case MOERT_F32:
    static_cast<float *>(data)[i] = static_cast<float>(value);
    return;
  case MOERT_F16:
    static_cast<__half *>(data)[i] = __float2half_rn(static_cast<float>(value));
    return;
  default:
    static_cast<__nv_bfloat16 *>(data)[i] =
        __float2bfloat16_rn(static_cast<float>(value));
    return;
  }
}

__device__ long long loadInteger(int type, const void *data, long long i) {
  switch (type) {
  case MOERT_I64:
    return static_cast<const long long *>(data)[i];
  case MOERT_I32:
    return static_cast<const int *>(data)[i];
  case MOERT_I16:
    return static_cast<const short *>(data)[i];
  default:
    return static_cast<const signed char *>(data)[i];
  }
}

__device__ void storeInteger(int type, void *data, long long i,
                             long long value) {
  switch (type) {
  case MOERT_I64:
    static_cast<long long *>(data)[i] = value;
    return;
  case MOERT_I32:
    static_cast<int *>(data)[i] = static_cast<int>(value);
    return;
  case MOERT_I16:
    static_cast<short *>(data)[i] = static_cast<short>(value);
    return;
  default:
    static_cast<signed char *>(data)[i] = static_cast<signed char>(value);
    return;
  }
}

/// Keeps the first error only.
__device__ void report(Error *error, int code, long long value, long long at,
                       long long limit) {
  if (atomicCAS_system(&error->taken, 0, 1) != 0)
    return;
  error->value = value;
  error->at = at;
  error->limit = limit;
  __threadfence_system();
  atomicExch_system(&error->code, code);
}

/// Global index of the thread, and how many there are.
__device__ long long firstIndex() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ long long indexStep() {
  return static_cast<long long>(gridDim.x) * blockDim.x;
}

//===----------------------------------------------------------------------===//
// Copies and reductions
//===----------------------------------------------------------------------===//

template <typename T>
__device__ void copyBox(const BoxArgs &args, T *target, const T *source) {
  for (long long i = firstIndex(); i < args.count; i += indexStep()) {
    long long rest = i, to = 0, from = 0;
    for (int d = args.dims - 1; d >= 0; --d) {
      long long at = rest % args.sizes[d];
      rest /= args.sizes[d];
      to += at * args.targetStrides[d];
      from += at * args.sourceStrides[d];
    }
    target[to] = source[from];
  }
}

extern "C" __global__ void moert_copy_box(BoxArgs args) {
  switch (args.elementBytes) {
  case 1:
    return copyBox(args, static_cast<unsigned char *>(args.target),
                   static_cast<const unsigned char *>(args.source));
  case 2:
    return copyBox(args, static_cast<unsigned short *>(args.target),
                   static_cast<const unsigned short *>(args.source));
  case 4:
    return copyBox(args, static_cast<unsigned *>(args.target),
                   static_cast<const unsigned *>(args.source));
  default:
    return copyBox(args, static_cast<unsigned long long *>(args.target),
                   static_cast<const unsigned long long *>(args.source));
  }
}

/// 16-bit integers, which NCCL does not reduce: `members` blocks of `count`.
extern "C" __global__ void moert_reduce_i16(const short *blocks, short *target,
                                            long long count, int members,
                                            int reduction) {
  for (long long i = firstIndex(); i < count; i += indexStep()) {
    unsigned result = static_cast<unsigned short>(blocks[i]);
    for (int m = 1; m < members; ++m) {
      short a = static_cast<short>(result), b = blocks[m * count + i];
      switch (reduction) {
      case MOERT_SUM:
        result += static_cast<unsigned short>(b);
        break;
      case MOERT_PROD:
        result *= static_cast<unsigned short>(b);
        break;
      case MOERT_MIN:
        result = static_cast<unsigned short>(a < b ? a : b);
        break;
      default:
        result = static_cast<unsigned short>(a > b ? a : b);
      }
    }
    target[i] = static_cast<short>(result);
  }
}

/// Stays busy.
extern "C" __global__ void moert_delay_ns(long long nanoseconds) {
  long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do {
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
}

//===----------------------------------------------------------------------===//
// Gate
//===----------------------------------------------------------------------===//

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

extern __shared__ double sharedMemory[];

extern "C" __global__ void moert_gate_kernel(moert_gate_args args) {
  if (args.type == MOERT_F64)
    gate<double>(args, sharedMemory);
  else
    gate<float>(args, reinterpret_cast<float *>(sharedMemory));
}

//===----------------------------------------------------------------------===//
// Order and unorder
//===----------------------------------------------------------------------===//

/// One block an expert. Goes over all copies in the order of their places, a
/// block of threads at a time, and numbers those of its expert. `sources` says
/// for each slot which token fills it, -1 for none.
extern "C" __global__ void moert_order_slots(moert_order_args args,
                                             long long *sources, Error *error) {
  __shared__ int counts[32];
  long long expert = blockIdx.x, S = args.tokens, k = args.top_k;
  long long total = S * k, used = 0;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;
  for (long long begin = 0; begin < total; begin += blockDim.x) {
    long long step = begin + threadIdx.x;
    bool byChoice = args.kind == MOERT_ORDER_CHOICE;
    long long token = byChoice ? step % S : step / k;
    long long at = byChoice ? token * k + step / S : step;
    bool mine = false;
    if (step < total) {
      long long id = loadInteger(args.ids_type, args.ids, at);
      mine = id == expert;
      if (expert == 0 && (id < 0 || id >= args.experts))
        report(error, kBadExpert, id, at, args.experts);
    }
    unsigned votes = __ballot_sync(0xffffffff, mine);
    if (lane == 0)
      counts[warp] = __popc(votes);
    __syncthreads();
    long long before = used + __popc(votes & ((1u << lane) - 1));
    long long sum = 0;
    for (int w = 0; w < warps; ++w) {
      before += w < warp ? counts[w] : 0;
      sum += counts[w];
    }
    if (mine) {
      bool fits = before < args.capacity;
      long long slot = expert * args.capacity + before;
      storeInteger(args.ids_type, args.slots, at, fits ? slot : -1);
      if (fits)
        sources[slot] = token;
    }
    used += sum;
    __syncthreads();
  }
  for (long long c = used + threadIdx.x; c < args.capacity; c += blockDim.x)
    sources[expert * args.capacity + c] = -1;
}

/// Copies or clears rows of whole 16-byte words where they allow it.
template <typename Word>
__device__ void copyRows(const long long *sources, long long rows,
                         long long words, const Word *x, Word *buffer) {
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    long long source = sources[row];
    Word *to = buffer + row * words;
    const Word *from = x + source * words;
    for (long long i = threadIdx.x; i < words; i += blockDim.x)
      to[i] = source < 0 ? Word{} : from[i];
  }
}

extern "C" __global__ void moert_order_rows(const long long *sources,
                                            long long rows, long long rowBytes,
                                            const void *x, void *buffer) {
  bool wide = (rowBytes | reinterpret_cast<unsigned long long>(x) |
               reinterpret_cast<unsigned long long>(buffer)) %
                  16 ==
              0;
  if (wide)
    copyRows(sources, rows, rowBytes / 16, static_cast<const uint4 *>(x),
             static_cast<uint4 *>(buffer));
  else
    copyRows(sources, rows, rowBytes, static_cast<const unsigned char *>(x),
             static_cast<unsigned char *>(buffer));
}

template <typename T>
__device__ void unorder(const moert_unorder_args &args, Error *error) {
  long long M = args.hidden, k = args.top_k;
  for (long long s = blockIdx.x; s < args.tokens; s += gridDim.x)
    for (long long m = threadIdx.x; m < M; m += blockDim.x) {
      T sum = 0;
      for (long long j = 0; j < k; ++j) {
        long long slot = loadInteger(args.slots_type, args.slots, s * k + j);
        if (slot < -1 || slot >= args.rows) {
          report(error, kBadSlot, slot, s * k + j, args.rows);
          continue;
        }
        if (slot >= 0)
          sum += load<T>(args.weights_type, args.weights, s * k + j) *
                 load<T>(args.type, args.buffer, slot * M + m);
      }
      store<T>(args.type, args.result, s * M + m, sum);
    }
}

/// Rows of 16-bit floats, eight elements at a time.
template <typename Pair>
__device__ void unorderWide(const moert_unorder_args &args, Error *error) {
  long long words = args.hidden / 8, k = args.top_k;
  const uint4 *buffer = static_cast<const uint4 *>(args.buffer);
  uint4 *result = static_cast<uint4 *>(args.result);
  for (long long s = blockIdx.x; s < args.tokens; s += gridDim.x)
    for (long long i = threadIdx.x; i < words; i += blockDim.x) {
      float sums[8] = {};
      for (long long j = 0; j < k; ++j) {
        long long slot = loadInteger(args.slots_type, args.slots, s * k + j);
        if (slot < -1 || slot >= args.rows) {
          report(error, kBadSlot, slot, s * k + j, args.rows);
          continue;
        }
        if (slot < 0)
          continue;
        float weight = load<float>(args.weights_type, args.weights, s * k + j);
        uint4 word = buffer[slot * words + i];
        const Pair *pairs = reinterpret_cast<const Pair *>(&word);
        for (int p = 0; p < 4; ++p) {
          float2 two = Pair::toFloats(pairs[p]);
          sums[2 * p] += weight * two.x;
          sums[2 * p + 1] += weight * two.y;
        }
      }
      uint4 word;
      Pair *pairs = reinterpret_cast<Pair *>(&word);
      for (int p = 0; p < 4; ++p)
        pairs[p] = Pair::fromFloats(sums[2 * p], sums[2 * p + 1]);
      result[s * words + i] = word;
    }
}

namespace {
struct HalfPair {
  __half2 value;
  __device__ static float2 toFloats(HalfPair p) {
    return __half22float2(p.value);
  }
  __device__ static HalfPair fromFloats(float a, float b) {
    return {__floats2half2_rn(a, b)};
  }
};
struct BFloatPair {
  __nv_bfloat162 value;
  __device__ static float2 toFloats(BFloatPair p) {
    return __bfloat1622float2(p.value);
  }
  __device__ static BFloatPair fromFloats(float a, float b) {
    return {__floats2bfloat162_rn(a, b)};
  }
};
} // namespace

extern "C" __global__ void moert_unorder_kernel(moert_unorder_args args,
                                                Error *error) {
  bool wide = args.hidden % 8 == 0 &&
              (reinterpret_cast<unsigned long long>(args.buffer) |
               reinterpret_cast<unsigned long long>(args.result)) %
                      16 ==
                  0;
  if (args.type == MOERT_F64)
    unorder<double>(args, error);
  else if (wide && args.type == MOERT_BF16)
    unorderWide<BFloatPair>(args, error);
  else if (wide && args.type == MOERT_F16)
    unorderWide<HalfPair>(args, error);
  else
    unorder<float>(args, error);
}

//===----------------------------------------------------------------------===//
// Experts: what stands between the products
//===----------------------------------------------------------------------===//

template <typename T> __device__ T activate(int activation, T x) {
  switch (activation) {
  case MOERT_RELU:
    return x < 0 ? T(0) : x;
  case MOERT_SILU:
    return x / (1 + exp(-x));
  default:
    return T(0.5) * x *
           (1 +
            tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)));
  }
}

/// inner = act(inner), times `up` when there is one.
extern "C" __global__ void moert_activate(void *inner, const void *up,
                                          long long count, int activation,
                                          int type) {
  for (long long i = firstIndex(); i < count; i += indexStep()) {
    if (type == MOERT_F64) {
      double value = activate(activation, load<double>(type, inner, i));
      store<double>(type, inner, i,
                    up ? value * load<double>(type, up, i) : value);
    } else {
      float value = activate(activation, load<float>(type, inner, i));
      store<float>(type, inner, i,
                   up ? value * load<float>(type, up, i) : value);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of any type, and errors.

#ifndef MOERT_NCCL_KERNELS_ELEMENTS_CUH
#define MOERT_NCCL_KERNELS_ELEMENTS_CUH

#include "nccl/KernelArgs.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

using namespace moert::cuda;

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

/// Calls `body` with a pointer to integers of the data's type. If each load
/// chose the type, a thread would wait for it before starting the next one.
template <typename Body>
__device__ void withInteger(int type, const void *data, const Body &body) {
  switch (type) {
  case MOERT_I64:
    return body(static_cast<const long long *>(data));
  case MOERT_I32:
    return body(static_cast<const int *>(data));
  case MOERT_I16:
    return body(static_cast<const short *>(data));
  default:
    return body(static_cast<const signed char *>(data));
  }
}

/// Shared memory that a launch requests in addition to static shared memory.
extern __shared__ double sharedMemory[];

/// Reports an error; only the first one is kept.
__device__ void report(Error *error, int code, long long value, long long at,
                       long long perToken, long long limit) {
  if (atomicCAS_system(&error->taken, 0, 1) != 0)
    return;
  error->value = value;
  error->at = at;
  error->perToken = perToken;
  error->limit = limit;
  __threadfence_system();
  atomicExch_system(&error->code, code);
}

/// Return the global index of the thread, and the number of threads.
__device__ long long firstIndex() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ long long indexStep() {
  return static_cast<long long>(gridDim.x) * blockDim.x;
}

//===----------------------------------------------------------------------===//
// Elements of a type known to the compiler, in words
//===----------------------------------------------------------------------===//

template <typename Element> struct SumType { using Type = float; };
template <> struct SumType<double> { using Type = double; };
/// The type in which elements are computed.
template <typename Element> using Sum = typename SumType<Element>::Type;

__device__ inline double widen(double value) { return value; }
__device__ inline float widen(float value) { return value; }
__device__ inline float widen(__half value) { return __half2float(value); }
__device__ inline float widen(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

__device__ inline void narrow(double value, double &to) { to = value; }
__device__ inline void narrow(float value, float &to) { to = value; }
__device__ inline void narrow(float value, __half &to) {
  to = __float2half_rn(value);
}
__device__ inline void narrow(float value, __nv_bfloat16 &to) {
  to = __float2bfloat16_rn(value);
}

/// Elements per word.
template <typename Element>
constexpr int kWide = static_cast<int>(16 / sizeof(Element));

/// Returns true if rows of this size consist of whole words at aligned
/// addresses.
template <typename Element>
__device__ bool isWide(long long rowSize, const void *a, const void *b) {
  return rowSize % kWide<Element> == 0 &&
         (reinterpret_cast<unsigned long long>(a) |
          reinterpret_cast<unsigned long long>(b)) %
                 16 ==
             0;
}

/// One element, or the elements of a word, as stored in memory.
template <int n, typename Element> struct Raw {
  static_assert(n == kWide<Element>, "expected an element or a word");
  using Type = uint4;
};
template <typename Element> struct Raw<1, Element> { using Type = Element; };

template <int n, typename Element>
__device__ void widenMany(const typename Raw<n, Element>::Type &raw,
                          Sum<Element> (&to)[n]) {
  Element own[n];
  memcpy(own, &raw, sizeof(own));
#pragma unroll
  for (int i = 0; i < n; ++i)
    to[i] = widen(own[i]);
}

template <int n, typename Element>
__device__ void loadMany(const Element *from, Sum<Element> (&to)[n]) {
  widenMany<n, Element>(
      *reinterpret_cast<const typename Raw<n, Element>::Type *>(from), to);
}

template <int n, typename Element>
__device__ void storeMany(const Sum<Element> (&from)[n], Element *to) {
  Element own[n];
#pragma unroll
  for (int i = 0; i < n; ++i)
    narrow(from[i], own[i]);
  if constexpr (n == 1) {
    *to = own[0];
  } else {
    static_assert(n == kWide<Element>, "expected an element or a word");
    uint4 word;
    memcpy(&word, own, sizeof(word));
    *reinterpret_cast<uint4 *>(to) = word;
  }
}

/// Number of elements that a body processes.
template <int n> struct Lanes { static constexpr int kCount = n; };

/// Calls `body(at, Lanes<n>)` for the share of thread `first` of `step` threads
/// in [0, count). n is the elements per word for whole words if `wide`, else 1.
template <typename Element, typename Body>
__device__ void forElements(long long count, bool wide, long long first,
                            long long step, const Body &body) {
  long long words = wide ? count / kWide<Element> : 0;
  for (long long w = first; w < words; w += step)
    body(w * kWide<Element>, Lanes<kWide<Element>>());
  for (long long i = words * kWide<Element> + first; i < count; i += step)
    body(i, Lanes<1>());
}

/// Calls `body` with a null pointer to an element of a float type.
template <typename Body>
__device__ void withElement(int type, const Body &body) {
  switch (type) {
  case MOERT_F64:
    return body(static_cast<double *>(nullptr));
  case MOERT_F32:
    return body(static_cast<float *>(nullptr));
  case MOERT_F16:
    return body(static_cast<__half *>(nullptr));
  default:
    return body(static_cast<__nv_bfloat16 *>(nullptr));
  }
}

#endif // MOERT_NCCL_KERNELS_ELEMENTS_CUH

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language of device kernels, for a CPU compiler.

// Defines the parts of CUDA's language that kernels may use in C++. It is
// included before kernels.cu and replaces the built-in declarations of nvcc.
// Uses of other parts do not compile, on purpose.

#ifndef MOERT_STANDINS_SHIM_DEVICE_H
#define MOERT_STANDINS_SHIM_DEVICE_H

#include "shim/Block.h"
// The C library header of libstdc++ also has the overloads for floats.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
/// The threads of a block are fibers of one thread of the process.
#define __shared__ thread_local

#define threadIdx (::moert::shim::place.thread)
#define blockIdx (::moert::shim::place.block)
#define blockDim (::moert::shim::place.blockSize)
#define gridDim (::moert::shim::place.gridSize)
constexpr int warpSize = moert::shim::kLanes;

#include "shim/Atomics.h"
#include "shim/Vectors.h"
#include "shim/Warp.h"

inline void __syncthreads() { moert::shim::waitAtBarrier(); }
inline void __nanosleep(unsigned ns) { moert::shim::giveWay(ns); }

template <typename T> T __ldg(const T *pointer) { return *pointer; }

/// As in CUDA, these take numbers of one type and need no header.
#define MOERT_SHIM_EXTREMES(T)                                                 \
  inline T min(T a, T b) { return b < a ? b : a; }                             \
  inline T max(T a, T b) { return a < b ? b : a; }
MOERT_SHIM_EXTREMES(int)
MOERT_SHIM_EXTREMES(unsigned)
MOERT_SHIM_EXTREMES(long)
MOERT_SHIM_EXTREMES(unsigned long)
MOERT_SHIM_EXTREMES(long long)
MOERT_SHIM_EXTREMES(unsigned long long)
#undef MOERT_SHIM_EXTREMES
// If one operand is NaN, the result is the other operand.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }

inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float rsqrtf(float x) { return 1 / sqrtf(x); }
inline float rsqrt(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }

inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __ffsll(long long v) { return __builtin_ffsll(v); }
inline int __clz(int v) {
  return v ? __builtin_clz(static_cast<unsigned>(v)) : 32;
}
inline int __clzll(long long v) {
  return v ? __builtin_clzll(static_cast<unsigned long long>(v)) : 64;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a,
                                     unsigned long long b) {
  return static_cast<unsigned long long>(
      static_cast<unsigned __int128>(a) * b >> 64);
}

namespace moert::shim {
template <typename To, typename From> To getBits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}
} // namespace moert::shim
inline int __float_as_int(float v) { return moert::shim::getBits<int>(v); }
inline unsigned __float_as_uint(float v) {
  return moert::shim::getBits<unsigned>(v);
}
inline float __int_as_float(int v) { return moert::shim::getBits<float>(v); }
inline float __uint_as_float(unsigned v) {
  return moert::shim::getBits<float>(v);
}
inline long long __double_as_longlong(double v) {
  return moert::shim::getBits<long long>(v);
}
inline double __longlong_as_double(long long v) {
  return moert::shim::getBits<double>(v);
}

#endif // MOERT_STANDINS_SHIM_DEVICE_H

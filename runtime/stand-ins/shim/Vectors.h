// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector types of several numbers.

#ifndef MOERT_STANDINS_SHIM_VECTORS_H
#define MOERT_STANDINS_SHIM_VECTORS_H

// Aligned as in CUDA: to their size, but to 16 bytes at most.
#define MOERT_SHIM_VECTORS(name, T)                                            \
  struct alignas(2 * sizeof(T)) name##2 {                                      \
    T x, y;                                                                    \
  };                                                                           \
  struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) name##4 {            \
    T x, y, z, w;                                                              \
  };                                                                           \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }                   \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

MOERT_SHIM_VECTORS(char, signed char)
MOERT_SHIM_VECTORS(uchar, unsigned char)
MOERT_SHIM_VECTORS(short, short)
MOERT_SHIM_VECTORS(ushort, unsigned short)
MOERT_SHIM_VECTORS(int, int)
MOERT_SHIM_VECTORS(uint, unsigned)
MOERT_SHIM_VECTORS(longlong, long long)
MOERT_SHIM_VECTORS(ulonglong, unsigned long long)
MOERT_SHIM_VECTORS(float, float)
MOERT_SHIM_VECTORS(double, double)
#undef MOERT_SHIM_VECTORS

using dim3 = moert::shim::Dim3;

#endif // MOERT_STANDINS_SHIM_VECTORS_H

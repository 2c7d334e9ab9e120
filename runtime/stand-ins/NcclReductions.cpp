// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of the emulated NCCL.

#include "NcclComm.h"
#include "core/Types.h"
#include <cstring>

using namespace moert;
using namespace moert::nccl;
using namespace moert::standin;

/// For a number and a NaN, NCCL's minimum and maximum return the number.
template <typename T> static T getMin(T a, T b) {
  return a < b || b != b ? a : b;
}
template <typename T> static T getMax(T a, T b) {
  return a > b || b != b ? a : b;
}

template <typename T> static T combine(int reduction, T a, T b) {
  switch (reduction) {
  case 0:
    return static_cast<T>(a + b);
  case 1:
    return static_cast<T>(a * b);
  case 2:
    return getMax(a, b);
  default:
    return getMin(a, b);
  }
}

template <typename T>
static void reduceAs(const std::vector<const char *> &from, char *to,
                     size_t count, int reduction) {
  for (size_t i = 0; i < count; ++i) {
    T result, next;
    std::memcpy(&result, from[0] + i * sizeof(T), sizeof(T));
    for (size_t m = 1; m < from.size(); ++m) {
      std::memcpy(&next, from[m] + i * sizeof(T), sizeof(T));
      result = combine(reduction, result, next);
    }
    std::memcpy(to + i * sizeof(T), &result, sizeof(T));
  }
}

/// Reduces 16-bit floats, with intermediate results as floats.
static void reduceFloats(int type, const std::vector<const char *> &from,
                         char *to, size_t count, int reduction) {
  auto load = [&](const char *data, size_t i) {
    uint16_t bits;
    std::memcpy(&bits, data + 2 * i, 2);
    return type == 6 ? toFloat(Half{bits}) : toFloat(BFloat{bits});
  };
  for (size_t i = 0; i < count; ++i) {
    float result = load(from[0], i);
    for (size_t m = 1; m < from.size(); ++m)
      result = combine(reduction, result, load(from[m], i));
    uint16_t bits = type == 6 ? toHalf(result).bits : toBFloat(result).bits;
    std::memcpy(to + 2 * i, &bits, 2);
  }
}

static void reduceUnsigned(int type, const std::vector<const char *> &from,
                           char *to, size_t count, int reduction) {
  switch (type) {
  case 0:
    return reduceAs<int8_t>(from, to, count, reduction);
  case 2:
    return reduceAs<uint32_t>(from, to, count, reduction);
  case 4:
    return reduceAs<uint64_t>(from, to, count, reduction);
  case 7:
    return reduceAs<float>(from, to, count, reduction);
  case 8:
    return reduceAs<double>(from, to, count, reduction);
  default:
    return reduceFloats(type, from, to, count, reduction);
  }
}

/// Comparisons of signed numbers need signed types. Sums and products use
/// unsigned types, which wrap.
void standin::reduce(int type, const std::vector<const char *> &from, char *to,
                     size_t count, int reduction) {
  bool compares = reduction >= 2;
  if (compares && type == 2)
    return reduceAs<int32_t>(from, to, count, reduction);
  if (compares && type == 4)
    return reduceAs<int64_t>(from, to, count, reduction);
  reduceUnsigned(type, from, to, count, reduction);
}

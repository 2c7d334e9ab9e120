// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduction in group order.

#include "core/Reduce.h"
#include "core/Types.h"
#include <algorithm>
#include <type_traits>

using namespace moert;

namespace {

/// The type of reduction steps. 16-bit floats use float, which is precise
/// enough to round a sum or product of two of them correctly.
template <typename Storage> struct Wide {
  using type = Storage;
  static type load(Storage v) { return v; }
  static type round(type v) { return v; }
  static Storage store(type v) { return v; }
};
template <> struct Wide<Half> {
  using type = float;
  static float load(Half v) { return toFloat(v); }
  static float round(float v) { return toFloat(toHalf(v)); }
  static Half store(float v) { return toHalf(v); }
};
template <> struct Wide<BFloat> {
  using type = float;
  static float load(BFloat v) { return toFloat(v); }
  static float round(float v) { return toFloat(toBFloat(v)); }
  static BFloat store(float v) { return toBFloat(v); }
};

template <typename T> T canonical(T value) {
  return value != value ? std::numeric_limits<T>::quiet_NaN() : value;
}

/// Chooses between two equal floats, which may be +0 and -0.
template <bool IsMin, typename T> T chooseZero(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  Bits x = bitCast<Bits>(a), y = bitCast<Bits>(b);
  return bitCast<T>(IsMin ? static_cast<Bits>(x | y)
                          : static_cast<Bits>(x & y));
}

template <moert_reduction R, typename T> T step(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (R == MOERT_SUM)
      return canonical(a + b);
    else if constexpr (R == MOERT_PROD)
      return canonical(a * b);
    T same = a == b ? chooseZero<R == MOERT_MIN>(a, b)
                    : std::numeric_limits<T>::quiet_NaN();
    if constexpr (R == MOERT_MIN)
      return a < b ? a : b < a ? b : same;
    else
      return a > b ? a : b > a ? b : same;
  } else {
    // Use unsigned numbers, which wrap; 16-bit ones would be promoted to int.
    using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    if constexpr (R == MOERT_SUM)
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    else if constexpr (R == MOERT_PROD)
      return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    else if constexpr (R == MOERT_MIN)
      return std::min(a, b);
    else
      return std::max(a, b);
  }
}

template <typename Storage, moert_reduction R>
void reduceAs(const std::vector<const void *> &sources, void *target,
              int64_t count) {
  using W = Wide<Storage>;
  // Fits into the first-level cache together with the parts of the sources.
  constexpr int64_t kPart = 1024;
  typename W::type sums[kPart];
  auto *to = static_cast<Storage *>(target);
  for (int64_t begin = 0; begin < count; begin += kPart) {
    int64_t n = std::min(kPart, count - begin);
    auto part = [&](size_t i) {
      return static_cast<const Storage *>(sources[i]) + begin;
    };
    const Storage *from = part(0);
    for (int64_t i = 0; i < n; ++i)
      sums[i] = W::load(from[i]);
    for (size_t s = 1; s < sources.size(); ++s) {
      from = part(s);
      for (int64_t i = 0; i < n; ++i)
        sums[i] = W::round(step<R>(sums[i], W::load(from[i])));
    }
    for (int64_t i = 0; i < n; ++i)
      to[begin + i] = W::store(sums[i]);
  }
}

template <typename Storage>
void reduceType(moert_reduction reduction,
                const std::vector<const void *> &sources, void *target,
                int64_t count) {
  switch (reduction) {
  case MOERT_SUM:
    return reduceAs<Storage, MOERT_SUM>(sources, target, count);
  case MOERT_PROD:
    return reduceAs<Storage, MOERT_PROD>(sources, target, count);
  case MOERT_MIN:
    return reduceAs<Storage, MOERT_MIN>(sources, target, count);
  case MOERT_MAX:
    return reduceAs<Storage, MOERT_MAX>(sources, target, count);
  }
}

} // namespace

void moert::reduce(moert_type type, moert_reduction reduction,
                   const std::vector<const void *> &sources, void *target,
                   int64_t count) {
  // A single rank reduces nothing: its data, including NaNs, stay unchanged.
  if (sources.size() == 1) {
    if (sources[0] != target && count)
      std::memmove(target, sources[0],
                   static_cast<size_t>(count) * moert_type_size(type));
    return;
  }
  switch (type) {
  case MOERT_F64:
    return reduceType<double>(reduction, sources, target, count);
  case MOERT_F32:
    return reduceType<float>(reduction, sources, target, count);
  case MOERT_F16:
    return reduceType<Half>(reduction, sources, target, count);
  case MOERT_BF16:
    return reduceType<BFloat>(reduction, sources, target, count);
  case MOERT_I64:
    return reduceType<int64_t>(reduction, sources, target, count);
  case MOERT_I32:
    return reduceType<int32_t>(reduction, sources, target, count);
  case MOERT_I16:
    return reduceType<int16_t>(reduction, sources, target, count);
  case MOERT_I8:
    return reduceType<int8_t>(reduction, sources, target, count);
  }
}

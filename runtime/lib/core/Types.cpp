// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types of the interface.

#include "core/Types.h"
#include <algorithm>

using namespace moert;

const char *moert::getTypeName(moert_type type) {
  switch (type) {
  case MOERT_F64:
    return "f64";
  case MOERT_F32:
    return "f32";
  case MOERT_F16:
    return "f16";
  case MOERT_BF16:
    return "bf16";
  case MOERT_I64:
    return "i64";
  case MOERT_I32:
    return "i32";
  case MOERT_I16:
    return "i16";
  case MOERT_I8:
    return "i8";
  }
  return "unknown type";
}

const char *moert::getReductionName(moert_reduction reduction) {
  switch (reduction) {
  case MOERT_SUM:
    return "sum";
  case MOERT_PROD:
    return "prod";
  case MOERT_MIN:
    return "min";
  case MOERT_MAX:
    return "max";
  }
  return "unknown reduction";
}

size_t moert_type_size(moert_type type) {
  switch (type) {
  case MOERT_F64:
  case MOERT_I64:
    return 8;
  case MOERT_F32:
  case MOERT_I32:
    return 4;
  case MOERT_F16:
  case MOERT_BF16:
  case MOERT_I16:
    return 2;
  case MOERT_I8:
    return 1;
  }
  return 0;
}

template <moert_type T>
static void load(const void *source, int64_t count, double *target) {
  auto *from = static_cast<const typename Element<T>::Storage *>(source);
  for (int64_t i = 0; i < count; ++i)
    target[i] = Element<T>::load(from[i]);
}

template <moert_type T>
static void store(const double *source, int64_t count, void *target) {
  auto *to = static_cast<typename Element<T>::Storage *>(target);
  for (int64_t i = 0; i < count; ++i)
    to[i] = Element<T>::round(source[i]);
}

void moert::loadRow(moert_type type, const void *source, int64_t count,
                    double *target) {
  switch (type) {
  case MOERT_F64:
    return load<MOERT_F64>(source, count, target);
  case MOERT_F32:
    return load<MOERT_F32>(source, count, target);
  case MOERT_F16:
    return load<MOERT_F16>(source, count, target);
  default:
    return load<MOERT_BF16>(source, count, target);
  }
}

void moert::storeRow(moert_type type, const double *source, int64_t count,
                     void *target) {
  switch (type) {
  case MOERT_F64:
    return store<MOERT_F64>(source, count, target);
  case MOERT_F32:
    return store<MOERT_F32>(source, count, target);
  case MOERT_F16:
    return store<MOERT_F16>(source, count, target);
  default:
    return store<MOERT_BF16>(source, count, target);
  }
}

void moert::roundRow(moert_type type, double *values, int64_t count) {
  constexpr int64_t kMost = 256;
  double space[kMost];
  for (int64_t at = 0; type != MOERT_F64 && at < count; at += kMost) {
    int64_t some = std::min(kMost, count - at);
    storeRow(type, values + at, some, space);
    loadRow(type, space, some, values + at);
  }
}

int64_t moert::loadInteger(moert_type type, const void *source, int64_t index) {
  switch (type) {
  case MOERT_I64:
    return static_cast<const int64_t *>(source)[index];
  case MOERT_I32:
    return static_cast<const int32_t *>(source)[index];
  case MOERT_I16:
    return static_cast<const int16_t *>(source)[index];
  default:
    return static_cast<const int8_t *>(source)[index];
  }
}

void moert::storeInteger(moert_type type, void *target, int64_t index,
                         int64_t value) {
  switch (type) {
  case MOERT_I64:
    static_cast<int64_t *>(target)[index] = value;
    return;
  case MOERT_I32:
    static_cast<int32_t *>(target)[index] = static_cast<int32_t>(value);
    return;
  case MOERT_I16:
    static_cast<int16_t *>(target)[index] = static_cast<int16_t>(value);
    return;
  default:
    static_cast<int8_t *>(target)[index] = static_cast<int8_t>(value);
    return;
  }
}

int64_t moert::getLargestInteger(moert_type type) {
  return std::numeric_limits<int64_t>::max() >>
         (64 - 8 * moert_type_size(type));
}

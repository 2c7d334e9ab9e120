// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that kernels share.

#include "kernels/Verify.h"
#include "core/Types.h"
#include <cinttypes>

using namespace moert;

Status moert::verifySizes(std::initializer_list<SizeRange> sizes) {
  for (const SizeRange &size : sizes) {
    if (size.value >= size.least && size.value <= size.most)
      continue;
    if (size.most == INT64_MAX)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected %s of at least %" PRId64 ", got %" PRId64,
                   size.name, size.least, size.value);
    return error(MOERT_INVALID_ARGUMENT,
                 "expected %s in [%" PRId64 ", %" PRId64 "], got %" PRId64,
                 size.name, size.least, size.most, size.value);
  }
  return {};
}

Status moert::verifyVolume(const char *name,
                           std::initializer_list<int64_t> sizes) {
  int64_t volume = 8;
  for (int64_t size : sizes)
    if (size == 0)
      return {};
  for (int64_t size : sizes)
    if (__builtin_mul_overflow(volume, size, &volume))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected %s to fit 64-bit addresses, got more", name);
  return {};
}

Status moert::verifyFloat(const char *name, moert_type type) {
  if (type >= MOERT_F64 && isFloatType(type))
    return {};
  return error(MOERT_INVALID_ARGUMENT, "expected %s of a float type, got %s",
               name, getTypeName(type));
}

Status moert::verifyInteger(const char *name, moert_type type) {
  if (isIntegerType(type))
    return {};
  return error(MOERT_INVALID_ARGUMENT, "expected %s of an integer type, got %s",
               name, getTypeName(type));
}

Status moert::verifyPointer(const char *name, const void *pointer,
                            std::initializer_list<int64_t> sizes) {
  if (pointer)
    return {};
  for (int64_t size : sizes)
    if (size == 0)
      return {};
  return error(MOERT_INVALID_ARGUMENT, "expected a pointer to %s, got NULL",
               name);
}

Status moert::firstError(std::initializer_list<Status> checks) {
  for (const Status &check : checks)
    if (!check.ok())
      return check;
  return {};
}

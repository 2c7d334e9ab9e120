// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that kernels share.

#ifndef MOERT_KERNELS_VERIFY_H
#define MOERT_KERNELS_VERIFY_H

#include "core/Status.h"
#include <initializer_list>

namespace moert {

/// A size that must be in [least, most].
struct SizeRange {
  const char *name;
  int64_t value;
  int64_t least;
  int64_t most = INT64_MAX;
};
Status verifySizes(std::initializer_list<SizeRange> sizes);

/// Checks that a volume of 8-byte elements fits into memory.
Status verifyVolume(const char *name, std::initializer_list<int64_t> sizes);

Status verifyFloat(const char *name, moert_type type);
Status verifyInteger(const char *name, moert_type type);

/// Checks that a pointer is not null, unless a size is 0.
Status verifyPointer(const char *name, const void *pointer,
                     std::initializer_list<int64_t> sizes);

/// Returns the first error, or OK.
Status firstError(std::initializer_list<Status> checks);

} // namespace moert

#endif // MOERT_KERNELS_VERIFY_H

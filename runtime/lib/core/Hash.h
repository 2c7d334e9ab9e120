// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash of bytes.

#ifndef MOERT_CORE_HASH_H
#define MOERT_CORE_HASH_H

#include <cstddef>
#include <cstdint>

namespace moert {

/// Computes FNV-1a, which is equal on all ranks and not cryptographic.
inline uint64_t hashBytes(const void *data, size_t size,
                          uint64_t hash = 0xcbf29ce484222325) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

} // namespace moert

#endif // MOERT_CORE_HASH_H

//===- Hash.h - One number for many bytes -----------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_CORE_HASH_H
#define MOERT_CORE_HASH_H

#include <cstddef>
#include <cstdint>

namespace moert {

/// FNV-1a: the same on all ranks; no secret.
inline uint64_t hashBytes(const void *data, size_t size,
                          uint64_t hash = 0xcbf29ce484222325) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

} // namespace moert

#endif // MOERT_CORE_HASH_H

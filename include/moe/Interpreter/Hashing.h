// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes that are equal in every run.

#ifndef MOE_INTERPRETER_HASHING_H
#define MOE_INTERPRETER_HASHING_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace moe {

/// A bijection of 64-bit integers without visible pattern. Draws, samples and
/// checksums need it because LLVM's own hashes may change between runs.
inline uint64_t scramble(uint64_t value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

/// Adds one integer to the hash of a sequence. The two arguments are treated
/// differently, because a sequence often starts with a scrambled integer.
inline uint64_t combineHash(uint64_t hash, uint64_t word) {
  return scramble(hash * 0xd6e8feb86659fd93ull + scramble(word));
}

inline uint64_t hashString(llvm::StringRef text) {
  uint64_t hash = text.size();
  for (char c : text)
    hash = combineHash(hash, static_cast<unsigned char>(c));
  return hash;
}

} // namespace moe

#endif // MOE_INTERPRETER_HASHING_H

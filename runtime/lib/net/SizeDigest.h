// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A digest of the sizes of a ragged collective.

#ifndef MOERT_NET_SIZEDIGEST_H
#define MOERT_NET_SIZEDIGEST_H

#include "core/Hash.h"
#include <vector>

namespace moert {

/// Returns a digest of the rows that the member at `position` of a group of n
/// sends to each member, `sizes[0, n)`, and expects from each, `sizes[n, 2 n)`.
/// The digests of all members add up to 0, modulo 2^64, if each member expects
/// the rows that its peers send; otherwise the sum is 0 with a probability of
/// about 2^-64. The hub therefore needs 8 bytes per member, not 16 n.
inline uint64_t digestSizes(uint64_t position,
                            const std::vector<int64_t> &sizes) {
  auto mix = [](uint64_t from, uint64_t to, int64_t rows) {
    const uint64_t words[] = {from, to, static_cast<uint64_t>(rows)};
    // The hash alone is close to linear, so differences could cancel in sums.
    uint64_t hash = hashBytes(words, sizeof(words));
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    return hash ^ (hash >> 31);
  };
  uint64_t digest = 0, n = sizes.size() / 2;
  for (uint64_t peer = 0; peer < n; ++peer)
    digest +=
        mix(position, peer, sizes[peer]) - mix(peer, position, sizes[n + peer]);
  return digest;
}

} // namespace moert

#endif // MOERT_NET_SIZEDIGEST_H

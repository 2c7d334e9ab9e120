// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions.

#ifndef MOERT_STANDINS_SHIM_WARP_H
#define MOERT_STANDINS_SHIM_WARP_H

#include "shim/Block.h"
#include <cstring>

inline void __syncwarp(unsigned mask = 0xffffffff) {
  moert::shim::waitForWarp({moert::shim::WarpKind::Sync, mask, 0, 0});
}
/// Returns the lanes of the mask with a nonzero vote.
inline unsigned __ballot_sync(unsigned mask, int vote) {
  return static_cast<unsigned>(moert::shim::waitForWarp(
      {moert::shim::WarpKind::Ballot, mask, uint64_t{vote != 0}, 0}));
}
inline int __any_sync(unsigned mask, int vote) {
  return __ballot_sync(mask, vote) != 0;
}
inline int __all_sync(unsigned mask, int vote) {
  return __ballot_sync(mask, !vote) == 0;
}

namespace moert::shim {
template <typename T> T shuffle(unsigned mask, T value, unsigned source) {
  static_assert(sizeof(T) <= sizeof(uint64_t), "shuffles take up to 8 bytes");
  WarpCall call{WarpKind::Shuffle, mask, 0, source};
  std::memcpy(&call.value, &value, sizeof(T));
  uint64_t got = waitForWarp(call);
  std::memcpy(&value, &got, sizeof(T));
  return value;
}
} // namespace moert::shim

// Shuffles use segments of `width` lanes. A lane outside of the segment gives
// the calling lane's own value.
template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  unsigned lane = moert::shim::getLane(), w = static_cast<unsigned>(width);
  return moert::shim::shuffle(mask, value,
                              (lane & ~(w - 1)) |
                                  (static_cast<unsigned>(source) & (w - 1)));
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  unsigned lane = moert::shim::getLane(), w = static_cast<unsigned>(width);
  return moert::shim::shuffle(mask, value,
                              (lane & (w - 1)) < delta ? lane : lane - delta);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  unsigned lane = moert::shim::getLane(), w = static_cast<unsigned>(width);
  return moert::shim::shuffle(
      mask, value, (lane & (w - 1)) + delta >= w ? lane : lane + delta);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int other, int width = 32) {
  unsigned lane = moert::shim::getLane(), w = static_cast<unsigned>(width);
  unsigned source = lane ^ static_cast<unsigned>(other);
  return moert::shim::shuffle(mask, value,
                              source > (lane | (w - 1)) ? lane : source);
}

/// Returns the lanes of the mask that have the same value as this one.
template <typename T> unsigned __match_any_sync(unsigned mask, T value) {
  unsigned same = 0;
  for (unsigned lane = 0; lane < moert::shim::kLanes; ++lane)
    if (mask >> lane & 1 && moert::shim::shuffle(mask, value, lane) == value)
      same |= 1u << lane;
  return same;
}

#endif // MOERT_STANDINS_SHIM_WARP_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps of the emulated driver.

#ifndef MOERT_STANDINS_TENSORMAPS_H
#define MOERT_STANDINS_TENSORMAPS_H

#include "nccl/GroupedTiles.h"
#include <cstdint>
#include <cstring>

namespace moert::standin {

/// The content of a tensor map: matrices [sizes[2], sizes[1], sizes[0]] of 2
/// bytes per element. A launch replaces the address by the emulation's address.
struct TiledMatrix {
  const char *data;
  uint64_t sizes[3];
  /// Bytes from one line, and from one matrix, to the next.
  uint64_t strides[2];
  uint64_t boxWidth, boxLines;
  /// The driver's number of the element type.
  uint64_t type;

  /// Returns the address of an element of a box, or null if it is outside of
  /// the matrix, where TMA loads zeros.
  const void *find(const cuda::BoxPlace &box, int element, int line) const {
    uint64_t place[] = {static_cast<uint64_t>(int64_t{box.at[0]} + element),
                        static_cast<uint64_t>(int64_t{box.at[1]} + line),
                        static_cast<uint64_t>(box.at[2])};
    for (int d = 0; d < 3; ++d)
      if (place[d] >= sizes[d])
        return nullptr;
    return data + place[0] * 2 + place[1] * strides[0] + place[2] * strides[1];
  }
};
static_assert(sizeof(TiledMatrix) <= sizeof(cuda::TensorMap));

inline TiledMatrix getTiledMatrix(const cuda::TensorMap &map) {
  TiledMatrix matrix;
  std::memcpy(&matrix, &map, sizeof(matrix));
  return matrix;
}

} // namespace moert::standin

#endif // MOERT_STANDINS_TENSORMAPS_H

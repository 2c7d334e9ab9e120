// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between strided boxes.

#ifndef MOERT_CORE_STRIDEDCOPY_H
#define MOERT_CORE_STRIDEDCOPY_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace moert {

/// A box copy with dims in the best order for memory accesses: dims of size 1
/// are removed, dims that are contiguous on both sides are merged, and the
/// fastest dim is last. Strides are in elements.
struct Box {
  std::vector<int64_t> sizes, targetStrides, sourceStrides;
  bool isEmpty = false;
};
Box normalizeBox(std::vector<int64_t> sizes, std::vector<int64_t> targetStrides,
                 std::vector<int64_t> sourceStrides);

/// Copies a normalized box in ordinary memory.
void copyBox(const Box &box, void *target, const void *source,
             size_t elementBytes);

} // namespace moert

#endif // MOERT_CORE_STRIDEDCOPY_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Box copies on GPUs.

#ifndef MOERT_NCCL_COPYPLAN_H
#define MOERT_NCCL_COPYPLAN_H

#include "core/StridedCopy.h"
#include "nccl/KernelArgs.h"

namespace moert::nccl {

/// The plan of a box copy.
struct CopyPlan {
  enum class Way {
    /// One contiguous run of bytes, copied by the driver.
    Run,
    /// One thread per word: the widest of 1 to 16 bytes that divides the rows,
    /// their strides and both addresses.
    Words,
    /// The fastest dims of target and source differ: copy through tiles in
    /// shared memory, so that threads access contiguous memory on both sides.
    Tiles
  };
  Way way = Way::Run;
  /// Sizes and strides count words of `elementBytes` bytes.
  cuda::BoxArgs args = {};
};

/// Plans the copy of a normalized nonempty box; the only place that chooses.
CopyPlan planCopy(const Box &box, void *target, const void *source,
                  size_t elementBytes);

} // namespace moert::nccl

#endif // MOERT_NCCL_COPYPLAN_H

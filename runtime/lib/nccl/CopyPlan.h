// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a device copies a box.

#ifndef MOERT_NCCL_COPYPLAN_H
#define MOERT_NCCL_COPYPLAN_H

#include "core/StridedCopy.h"
#include "nccl/KernelArgs.h"

namespace moert::nccl {

/// How a device copies a box.
struct CopyPlan {
  enum class Way {
    /// One run of bytes: the driver's own copy.
    Run,
    /// A thread a word: the widest of 1 to 16 bytes of which rows, their
    /// distances and both addresses are multiples.
    Words,
    /// The target's fastest dim is not the source's: through tiles in shared
    /// memory, so that both sides are touched by whole rows of threads.
    Tiles
  };
  Way way = Way::Run;
  /// Sizes and strides are words of `elementBytes` bytes.
  cuda::BoxArgs args = {};
};

/// Of a normalized box that is not empty. The one place that chooses.
CopyPlan planCopy(const Box &box, void *target, const void *source,
                  size_t elementBytes);

} // namespace moert::nccl

#endif // MOERT_NCCL_COPYPLAN_H

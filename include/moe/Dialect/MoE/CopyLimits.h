// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer's ranks send at most.

#ifndef MOE_DIALECT_MOE_COPYLIMITS_H
#define MOE_DIALECT_MOE_COPYLIMITS_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// The limits of the choices of the layer that `op` is of, forward or backward,
/// which `numRanks` ranks exchange: those of `limit_choices` that are
/// constants, or each rank's row of one.
std::vector<traffic::CopyLimits> findCopyLimits(mlir::Operation *op,
                                                int64_t numRanks);

/// Limits of a layer.
struct LayerLimits {
  std::string layer;
  traffic::CopyLimits limits;
};

/// Those of all layers in `root`, in their order; what is said of a layer twice
/// is there once.
std::vector<LayerLimits> listCopyLimits(mlir::Operation *root);

} // namespace moe

#endif // MOE_DIALECT_MOE_COPYLIMITS_H

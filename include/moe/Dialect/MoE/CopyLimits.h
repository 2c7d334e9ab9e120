// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upper limits on the rows that ranks send in a layer.

#ifndef MOE_DIALECT_MOE_COPYLIMITS_H
#define MOE_DIALECT_MOE_COPYLIMITS_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// Returns the limits on choices in the layer, forward or backward, that
/// contains `op`, for an exchange between `numRanks` ranks. Includes each
/// `limit_choices` that reads a constant or this rank's row of a constant.
std::vector<traffic::CopyLimits> findCopyLimits(mlir::Operation *op,
                                                int64_t numRanks);

/// The limits of one layer.
struct LayerLimits {
  std::string layer;
  traffic::CopyLimits limits;
};

/// Returns the limits of all layers in `root`, in program order and without
/// duplicates per layer.
std::vector<LayerLimits> listCopyLimits(mlir::Operation *root);

} // namespace moe

#endif // MOE_DIALECT_MOE_COPYLIMITS_H

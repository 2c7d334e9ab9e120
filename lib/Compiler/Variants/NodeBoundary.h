// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Node boundaries in groups.

#ifndef MOE_LIB_COMPILER_VARIANTS_NODEBOUNDARY_H
#define MOE_LIB_COMPILER_VARIANTS_NODEBOUNDARY_H

#include "moe/Cost/Machine.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace mlir {
class ModuleOp;
class Pass;
} // namespace mlir

namespace moe {

/// The boundary of the platform's nodes, the instances of its innermost level,
/// in the groups of the layer's all-to-alls.
struct NodeBoundary {
  /// The last axis of the groups, along which ranks share nodes.
  std::string axis;
  int64_t size = 0;
  /// Number of ranks along the axis inside one node.
  int64_t inner = 0;

  /// Returns true if the axis must be split before all-to-alls can be.
  bool cutsAxis() const { return inner != size; }
  /// Creates the pass that splits the axis (`moe-split-mesh-axis`).
  std::unique_ptr<mlir::Pass> createSplitPass() const;

  friend bool operator==(const NodeBoundary &, const NodeBoundary &) = default;
};

/// Returns true if some ranks of the op's groups share a node (of `nodeRanks`
/// ranks) and others do not.
bool isCutByNodes(CollectiveOpInterface op, int64_t nodeRanks);

/// Returns true if all all-to-alls of an isolated layer stay inside nodes.
bool staysInNodes(mlir::ModuleOp alone, const cost::Machine &machine);

/// Returns the boundary in the all-to-alls of an isolated layer. Returns
/// nullopt and sets `reason` if all communication is inside nodes or all is
/// between them.
std::optional<NodeBoundary> findNodeBoundary(mlir::ModuleOp alone,
                                             const cost::Machine &machine,
                                             std::string &reason);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_NODEBOUNDARY_H

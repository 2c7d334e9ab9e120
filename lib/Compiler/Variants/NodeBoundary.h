// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where nodes cut a group.

#ifndef MOE_LIB_COMPILER_VARIANTS_NODEBOUNDARY_H
#define MOE_LIB_COMPILER_VARIANTS_NODEBOUNDARY_H

#include "moe/Cost/Machine.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace mlir {
class ModuleOp;
class Pass;
} // namespace mlir

namespace moe {

/// Where the nodes of a platform, the instances of its innermost level, cut
/// the groups of a layer's all-to-alls.
struct NodeBoundary {
  /// The last axis of the groups: that along which ranks share nodes.
  std::string axis;
  int64_t size = 0;
  /// Ranks along it inside a node.
  int64_t inner = 0;

  /// True when the axis must be split before all-to-alls can be.
  bool cutsAxis() const { return inner != size; }
  /// The pass that splits it (`moe-split-mesh-axis`).
  std::unique_ptr<mlir::Pass> createSplitPass() const;

  friend bool operator==(const NodeBoundary &, const NodeBoundary &) = default;
};

/// True when some ranks of the op's groups share a node of so many ranks and
/// others do not.
bool isCutByNodes(CollectiveOpInterface op, int64_t nodeRanks);

/// True when all all-to-alls of an isolated layer stay inside nodes.
bool staysInNodes(mlir::ModuleOp alone, const cost::Machine &machine);

/// The boundary within the all-to-alls of an isolated layer; nothing, with the
/// reason, where there is nothing to do inside nodes or between them.
std::optional<NodeBoundary> findNodeBoundary(mlir::ModuleOp alone,
                                             const cost::Machine &machine,
                                             std::string &reason);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_NODEBOUNDARY_H

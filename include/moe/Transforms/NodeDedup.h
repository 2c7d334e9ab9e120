// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Node-level deduplicated dispatch.
//
// A dropless layer sends each assignment separately. This rewrite sends each
// token once per node, together with the numbers and weights of its experts on
// this node, and then sends it to these experts inside the node. On the way
// back, the expert results are weighted and summed inside the node first. The
// rewrite regroups sums, so numbers agree within rounding, and terms agree as
// multisets.

#ifndef MOE_TRANSFORMS_NODEDEDUP_H
#define MOE_TRANSFORMS_NODEDEDUP_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The parts of a program that the plan of one layer determines, and the
/// parameters of the rewrite.
struct NodeDedup {
  RaggedPlanOp plan;
  /// The ops that give the plan the counts of all ranks. `cut` separates the
  /// counts of ranks that plan jointly; null if there are none.
  ExpertCountsOp counts;
  mlir::tensor::ExpandShapeOp expand;
  AllGatherOp gather;
  mlir::tensor::ExpandShapeOp cut;
  PermuteRowsOp order;
  /// The weights of the tokens' experts that are sent with the tokens; null if
  /// none are.
  mlir::Value weights;

  /// The exchange of the forward pass to the experts. It sends rows of `order`,
  /// or the rows that `weighted` makes of the same tokens if weights multiply
  /// the tokens first.
  RaggedAllToAllOp dispatch;
  ScatterOp weighted;
  /// Further exchanges to the experts, which send rows of gradients made by
  /// `scatter`, and the exchanges back, in program order.
  llvm::SmallVector<RaggedAllToAllOp> scattered, back;
  /// The ops that convert rows back to tokens, and that compute gradients of
  /// weights.
  llvm::SmallVector<UnpermuteOp> unpermutes;
  llvm::SmallVector<UnpermuteWgradOp> wgrads;
  /// Per gradient of weights, the op that sends the tokens, or the gradient of
  /// tokens, that it reads.
  llvm::SmallVector<ScatterOp> sources;

  /// The ranks with the same place in all nodes, and the ranks of one node.
  GroupAttr between, inside;
  int64_t nodes, places;
  int64_t tokens, choices, experts;
  /// Maximum number of nodes with experts of one token.
  int64_t width;
  /// Maximum number of rows that each rank receives from other nodes. The
  /// plan's limit never allows more, so the rewrite cannot make layers fail.
  int64_t nodeLimit;
};

/// Returns true for a constant of ones, because such weights need not be sent.
bool isAllOnes(mlir::Value value);

/// Returns how the layer of a plan can send tokens once per node. Otherwise
/// sets `reason` to the expected and the found property. The nodes are all axes
/// of the plan's group except the last.
std::optional<NodeDedup> findNodeDedup(RaggedPlanOp plan,
                                       const RowProvenance &rows,
                                       std::string &reason);

/// Rewrites the layer, including its backward pass, to send tokens once per
/// node.
void buildNodeDedup(NodeDedup form);

} // namespace moe

#endif // MOE_TRANSFORMS_NODEDEDUP_H

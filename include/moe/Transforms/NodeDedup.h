// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers that send tokens once a node.
//
// A layer that drops nothing sends each copy of a token by itself. Where its
// ranks are those of several nodes, a token crosses the links between nodes
// once for all its experts on a node, with their numbers and weights, and is
// handed on there; on the way back what they make of it is weighted and added
// up there first. Sums are regrouped, so that numbers agree within a rounding,
// and terms as multisets.

#ifndef MOE_TRANSFORMS_NODEDEDUP_H
#define MOE_TRANSFORMS_NODEDEDUP_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// What of a program a layer's plan decides on, and what it is made into.
struct NodeDedup {
  RaggedPlanOp plan;
  /// How the plan comes by the counts of all ranks; `cut` tells those of the
  /// ranks apart that plans are joined with, null without these.
  ExpertCountsOp counts;
  mlir::tensor::ExpandShapeOp expand;
  AllGatherOp gather;
  mlir::tensor::ExpandShapeOp cut;
  PermuteRowsOp order;
  /// Weights of tokens' experts that travel with them, null where none do.
  mlir::Value weights;

  /// The exchange of the forward pass to the experts, of rows of `order`, or of
  /// rows that `weighted` makes of the same tokens: weights multiply them
  /// first.
  RaggedAllToAllOp dispatch;
  ScatterOp weighted;
  /// Further exchanges to the experts, of gradients that `scatter` makes rows
  /// of, and those back, in program order.
  llvm::SmallVector<RaggedAllToAllOp> scattered, back;
  /// Who brings rows back to tokens, and takes gradients of weights.
  llvm::SmallVector<UnpermuteOp> unpermutes;
  llvm::SmallVector<UnpermuteWgradOp> wgrads;
  /// By gradient of weights, who sends the tokens, or their gradient, that it
  /// reads.
  llvm::SmallVector<ScatterOp> sources;

  /// The ranks of one place in all nodes, and those of one node.
  GroupAttr between, inside;
  int64_t nodes, places;
  int64_t tokens, choices, experts;
  /// Nodes that a token's experts are on at most.
  int64_t width;
  /// Most rows that a rank receives between nodes: never more than the plan's
  /// limit lets through, so that no further layer fails.
  int64_t nodeLimit;
};

/// True for a constant of ones: weights that need not be sent.
bool isAllOnes(mlir::Value value);

/// How the layer of a plan may send tokens once a node, or in `reason` why it
/// cannot: what was expected and what was found. The nodes are all axes of the
/// plan's group but the last.
std::optional<NodeDedup> findNodeDedup(RaggedPlanOp plan,
                                       const RowProvenance &rows,
                                       std::string &reason);

/// Makes the layer send tokens once a node, its backward pass with it.
void buildNodeDedup(NodeDedup form);

} // namespace moe

#endif // MOE_TRANSFORMS_NODEDEDUP_H

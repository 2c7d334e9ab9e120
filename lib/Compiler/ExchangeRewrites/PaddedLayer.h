// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers that exchange padded buffers.
//
// A layer that copies tokens into slots of experts, [G, E/G, C, M], and
// exchanges these buffers, filled or not; with the backward pass that scatters
// gradients into the same slots.

#ifndef MOE_LIB_COMPILER_EXCHANGEREWRITES_PADDEDLAYER_H
#define MOE_LIB_COMPILER_EXCHANGEREWRITES_PADDEDLAYER_H

#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <optional>
#include <string>

namespace moe {

/// Whose slots a buffer holds.
enum class BufferPlace {
  /// Those of a rank's own tokens, for all experts.
  Home,
  /// Those that a rank's experts get of all ranks.
  Experts,
  /// Those together with what ranks have that share the experts.
  Joined
};

struct PaddedLayer {
  PermuteOp order;
  /// The ranks that exchange, and those that share their experts and gather
  /// each other's slots; null where none do.
  GroupAttr group, joined;
  int64_t ranks, experts, capacity, joinedRanks = 1;
  int64_t tokens, choices;
  /// What is done with buffers, in program order, and where each of them is.
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Value, BufferPlace> places;

  /// Rows that a rank may receive: of every rank at most so many as its experts
  /// take of it, and not more than it has.
  int64_t getReceiveLimit() const;
};

/// Whether a layer's tokens are exchanged, in what `permute` makes of them.
/// Others order tokens for themselves, as one does for an expert that all
/// share.
bool isExchanged(PermuteOp order);

/// The layer of an order that is exchanged, or in `reason` why it cannot send
/// rows: what was expected and what was found.
std::optional<PaddedLayer> findPaddedLayer(PermuteOp order,
                                           const RowProvenance &rows,
                                           std::string &reason);

/// Makes the layer exchange rows, its backward pass with it. Returns the op
/// that says who receives how many.
RaggedPlanOp unpadLayer(PaddedLayer layer);

/// What became of the layers of a program that exchange padded buffers.
struct UnpaddedLayers {
  /// Layers that exchange rows now.
  int64_t rows = 0;
  /// Of the first of those that cannot, where it is and why; an empty reason
  /// where all can.
  mlir::Location where;
  std::string reason = {};
};

/// Makes every layer exchange rows that can. Remarks of `category` say what
/// became of each.
UnpaddedLayers makeExchangesRagged(mlir::Operation *root,
                                   llvm::StringRef category);

} // namespace moe

#endif // MOE_LIB_COMPILER_EXCHANGEREWRITES_PADDEDLAYER_H

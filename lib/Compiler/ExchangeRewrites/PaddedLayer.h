// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers with padded exchanges.
//
// Such a layer copies tokens into slots of experts, [G, E/G, C, M], and
// exchanges these buffers whether they are filled or not. This includes its
// backward pass, which scatters gradients into the same slots.

#ifndef MOE_LIB_COMPILER_EXCHANGEREWRITES_PADDEDLAYER_H
#define MOE_LIB_COMPILER_EXCHANGEREWRITES_PADDEDLAYER_H

#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <optional>
#include <string>

namespace moe {

/// The owner of a buffer's slots.
enum class BufferPlace {
  /// Slots of this rank's own tokens, for all experts.
  Home,
  /// Slots that this rank's experts receive from all ranks.
  Experts,
  /// The same slots, joined with those from ranks that share the experts.
  Joined
};

struct PaddedLayer {
  PermuteOp order;
  /// The ranks that exchange slots, and the ranks that share experts and gather
  /// each other's slots; null if there are none.
  GroupAttr group, joined;
  int64_t ranks, experts, capacity, joinedRanks = 1;
  int64_t tokens, choices;
  /// All ops on buffers in program order, and the place of each buffer.
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Value, BufferPlace> places;

  /// Returns the maximum number of rows that one rank may receive: from each
  /// rank the capacity of its experts, but at most the rows that the rank has.
  int64_t getReceiveLimit() const;
};

/// Returns true if the permuted tokens are exchanged. Other layers permute
/// tokens for local use, for example for a shared expert.
bool isExchanged(PermuteOp order);

/// Returns the layer of an exchanged permute. If it cannot send rows, returns
/// nullopt and sets `reason` to the expected and actual structure.
std::optional<PaddedLayer> findPaddedLayer(PermuteOp order,
                                           const RowProvenance &rows,
                                           std::string &reason);

/// Makes the layer and its backward pass exchange rows. Returns the op that
/// plans the rows per rank.
RaggedPlanOp unpadLayer(PaddedLayer layer);

/// The result of rewriting all layers with padded exchanges.
struct UnpaddedLayers {
  /// Number of layers with ragged exchanges after the rewrite.
  int64_t rows = 0;
  /// Location of the first layer that cannot be rewritten, and the reason;
  /// empty if all can.
  mlir::Location where;
  std::string reason = {};
};

/// Rewrites every layer that can exchange rows. Emits remarks of `category` for
/// each layer.
UnpaddedLayers makeExchangesRagged(mlir::Operation *root,
                                   llvm::StringRef category);

} // namespace moe

#endif // MOE_LIB_COMPILER_EXCHANGEREWRITES_PADDEDLAYER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variants of layers: exchange, slice, chunks and their order.

#ifndef MOE_COMPILER_LAYERVARIANT_H
#define MOE_COMPILER_LAYERVARIANT_H

#include "moe/Dialect/MoE/MoEAttrs.h"
#include "moe/Dialect/MoE/PlanEnums.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace moe {
class LayerOp;
struct VariantTerm;

/// One variant of a layer, as a rewrite of the imported layer. The default
/// changes nothing. Choices select a variant and store it on the layer, and
/// later passes apply it.
struct LayerVariant {
  AllToAllAlgorithm exchange = AllToAllAlgorithm::Flat;
  /// Dim to slice; nullopt leaves the all-to-alls unchanged.
  std::optional<int64_t> dropDim;
  /// The chains to cut into chunks; nullopt without a pipeline.
  std::optional<ChainScope> scope;
  /// Number of chunks, 1 without a pipeline.
  int64_t chunks = 1;
  /// Elements of each chunk along the chunk dim; if empty, chunks are as equal
  /// as possible.
  llvm::SmallVector<int64_t> sizes = {};
  /// Launch order of the chunks' stages, in the letters of
  /// `PipelineOp::symbolizeOrder`; chunk by chunk if empty. If given, the chain
  /// around the layer's experts is cut (scope Layer).
  std::string order = {};
  CopyPlacement copies = CopyPlacement::Own;

  /// Returns "baseline", "o1", "o2", "o3", "2dh", "1dh+o3" and so on, with the
  /// names of SPEC MO-4 for the decomposition; "chunked" is a baseline in
  /// chunks, and "nodes" sends tokens once per node.
  std::string getName() const;
  /// Returns the name and the scope, which are common to variants that differ
  /// only in the dim to slice and the number of chunks.
  std::string describeRow() const;
  /// Returns everything except sizes and order.
  std::string describe() const;
  /// Returns every field that differs from the default, for example
  /// "exchange=2dh drop=3 scope=layer chunks=2 sizes=[5,3] order=DADARRCC
  /// copies=intra", or "baseline".
  std::string str() const;
  /// Returns the words of `describe`, each with its meaning.
  std::vector<VariantTerm> getTerms() const;

  /// Returns true if the layer stays unchanged.
  bool isBaseline() const {
    return exchange == AllToAllAlgorithm::Flat && !dropDim && !scope;
  }

  friend bool operator==(const LayerVariant &, const LayerVariant &) = default;
};

/// Emits the error that a layer cannot have a variant, and fails.
llvm::LogicalResult emitImpossible(LayerOp layer, const LayerVariant &form,
                                   llvm::StringRef reason);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const LayerVariant &form);

} // namespace moe

#endif // MOE_COMPILER_LAYERVARIANT_H

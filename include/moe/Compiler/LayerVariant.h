// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variant of a layer: exchange, slice, chunks and their order.

#ifndef MOE_COMPILER_LAYERVARIANT_H
#define MOE_COMPILER_LAYERVARIANT_H

#include "moe/Dialect/MoE/MoEAttrs.h"
#include "moe/Dialect/MoE/PlanEnums.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace moe {

/// One form a layer may take: what is made of the layer as it stands. The
/// default leaves it alone. It is what the choices choose between, what they
/// say of a layer, and what is applied to it.
struct LayerVariant {
  AllToAllAlgorithm exchange = AllToAllAlgorithm::Flat;
  /// Dim to drop; none leaves the all-to-alls as they are.
  std::optional<int64_t> dropDim;
  /// The chains to cut into chunks; none without a pipeline.
  std::optional<ChainScope> scope;
  /// Number of chunks, 1 without a pipeline.
  int64_t chunks = 1;
  /// Elements of each chunk along the chunk dim; as even as it goes when
  /// empty.
  llvm::SmallVector<int64_t> sizes = {};
  /// In which order the stages of the chunks are launched, in the letters of
  /// `PipelineOp::symbolizeOrder`; chunk by chunk when empty. With an order,
  /// the chain that is cut is the one around the layer's experts (scope Layer).
  std::string order = {};
  CopyPlacement copies = CopyPlacement::Own;

  /// "baseline", "o1", "o2", "o3", "2dh", "1dh+o3" and so on: the decomposition
  /// by the names of SPEC MO-4; "chunked" is a baseline in chunks, "nodes"
  /// sends tokens once a node.
  std::string getName() const;
  /// The name and the scope: what a row of forms has in common that differ in
  /// the dim to drop and the number of chunks only.
  std::string describeRow() const;
  /// All there is to say but sizes and order.
  std::string describe() const;
  /// Every field that is not the default, e.g. "exchange=2dh drop=3 scope=layer
  /// chunks=2 sizes=[5,3] order=DADARRCC copies=intra"; "baseline" when all
  /// are.
  std::string str() const;

  /// Nothing is to be done.
  bool isBaseline() const {
    return exchange == AllToAllAlgorithm::Flat && !dropDim && !scope;
  }

  friend bool operator==(const LayerVariant &, const LayerVariant &) = default;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const LayerVariant &form);

} // namespace moe

#endif // MOE_COMPILER_LAYERVARIANT_H

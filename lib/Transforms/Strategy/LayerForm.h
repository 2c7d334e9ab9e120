//===- LayerForm.h - One form a layer may take ------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_TRANSFORMS_STRATEGY_LAYERFORM_H
#define MOE_LIB_TRANSFORMS_STRATEGY_LAYERFORM_H

#include "NodeBoundary.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// How the blocks of an all-to-all travel.
enum class Exchange {
  /// In one step.
  Flat,
  /// Inside nodes, then between them: hierarchical, on every rank.
  TwoSteps,
  /// Hierarchical, through one rank of each node.
  OneRank
};

/// One form a layer may take: a combination of what `moe-select-strategy`
/// tries.
struct LayerForm {
  Exchange exchange = Exchange::Flat;
  /// Dim to drop; none leaves the all-to-alls as they are.
  std::optional<int64_t> dropDim;
  /// The chains to cut into chunks; none without a pipeline.
  std::optional<ChainScope> scope;
  int64_t chunks = 1;
  CopyPlacement copies = CopyPlacement::Own;

  /// "baseline", "o1", "o2", "o3", "2dh", "1dh+o3" and so on: the decomposition
  /// by the names of SPEC MO-4; "chunked" is a baseline in chunks.
  std::string getName() const;
  /// The name and the scope: what a row of forms has in common that differ in
  /// the dim to drop and the number of chunks only.
  std::string describeRow() const;
  /// All there is to say.
  std::string describe() const;
  bool isBaseline() const {
    return exchange == Exchange::Flat && !dropDim && !scope;
  }
  /// Whether a user who asks for `choice` asks for this.
  bool isOf(StrategyChoice choice) const;

  /// The passes that give a layer this form, from the import on. `boundary` is
  /// where a hierarchical exchange is cut.
  void addPasses(mlir::OpPassManager &manager,
                 const NodeBoundary &boundary) const;
  /// Those behind the split of the mesh axis and the drop.
  void addLatePasses(mlir::OpPassManager &manager) const;
};

/// The pass that drops along a dim.
std::unique_ptr<mlir::Pass> createDropPass(int64_t dim);

/// All forms with one of the chunk counts, simpler ones first: fewer chunks,
/// flat before hierarchical, less rewritten before more.
llvm::SmallVector<LayerForm> listForms(llvm::ArrayRef<int64_t> chunkCounts);

/// 1, 2, 3, 4, 6, 8, 12, ... up to `most`.
llvm::SmallVector<int64_t> listChunkCounts(int64_t most);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_STRATEGY_LAYERFORM_H

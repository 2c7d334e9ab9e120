// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that give a layer a variant.

#include "VariantPasses.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace moe;

bool moe::isOf(const LayerVariant &form, StrategyChoice choice) {
  switch (choice) {
  case StrategyChoice::Auto:
    return true;
  case StrategyChoice::Baseline:
    return form.isBaseline();
  case StrategyChoice::Hierarchical:
    return form.exchange == AllToAllAlgorithm::Hierarchical ||
           form.exchange == AllToAllAlgorithm::HierarchicalLeader;
  case StrategyChoice::Nodes:
    return form.exchange == AllToAllAlgorithm::NodeDedup;
  case StrategyChoice::O1:
    return form.getName() == "o1";
  case StrategyChoice::O2:
    return form.getName() == "o2";
  case StrategyChoice::O3:
    return form.getName() == "o3";
  }
  llvm_unreachable("unknown choice");
}

void moe::addBasePasses(OpPassManager &manager, const LayerVariant &form,
                        const NodeBoundary *boundary) {
  if (form.exchange != AllToAllAlgorithm::Flat && boundary->cutsAxis())
    manager.addPass(boundary->createSplitPass());
  // What is sent then is dropped, tokens as well as what becomes of them.
  if (form.exchange == AllToAllAlgorithm::NodeDedup) {
    DecomposeAllToAllOptions options;
    options.mode = DecomposeMode::Nodes;
    manager.addPass(createDecomposeAllToAll(options));
  }
  if (form.dropDim) {
    DecomposeAllToAllOptions options;
    options.dropDim = *form.dropDim;
    manager.addPass(createDecomposeAllToAll(options));
  }
}

void moe::addLatePasses(OpPassManager &manager, const LayerVariant &form) {
  if (form.scope && form.order.empty()) {
    PipelineOptions options;
    options.degree = form.chunks;
    options.sizes.assign(form.sizes.begin(), form.sizes.end());
    options.scope = *form.scope;
    options.copies = form.copies;
    manager.addPass(createPipeline(options));
  }
  // Inside the pipelines: reshapes would end their chains.
  if (form.exchange == AllToAllAlgorithm::Hierarchical ||
      form.exchange == AllToAllAlgorithm::HierarchicalLeader) {
    DecomposeAllToAllOptions options;
    options.mode = DecomposeMode::Hierarchical;
    options.variant = form.exchange == AllToAllAlgorithm::HierarchicalLeader
                          ? HierarchicalVariant::OneDimensional
                          : HierarchicalVariant::TwoDimensional;
    manager.addPass(createDecomposeAllToAll(options));
  }
}

SmallVector<LayerVariant> moe::listVariants(ArrayRef<int64_t> chunkCounts) {
  SmallVector<LayerVariant> forms;
  for (int64_t chunks : chunkCounts)
    for (AllToAllAlgorithm exchange :
         {AllToAllAlgorithm::Flat, AllToAllAlgorithm::Hierarchical,
          AllToAllAlgorithm::HierarchicalLeader, AllToAllAlgorithm::NodeDedup})
      for (std::optional<int64_t> dim :
           {std::optional<int64_t>(), std::optional<int64_t>(2),
            std::optional<int64_t>(3)}) {
        if (chunks == 1) {
          forms.push_back({exchange, dim, std::nullopt});
          continue;
        }
        for (ChainScope scope : {ChainScope::Communication, ChainScope::Layer})
          for (CopyPlacement copies :
               {CopyPlacement::Intra, CopyPlacement::Own})
            // Without a drop there is no collective inside a node to take
            // turns with.
            if (dim || copies == CopyPlacement::Own)
              forms.push_back({exchange, dim, scope, chunks, {}, {}, copies});
      }
  return forms;
}

SmallVector<int64_t> moe::listChunkCounts(int64_t most) {
  SmallVector<int64_t> counts = {1};
  for (int64_t base = 2; base <= most; base *= 2) {
    counts.push_back(base);
    if (base + base / 2 <= most)
      counts.push_back(base + base / 2);
  }
  return counts;
}

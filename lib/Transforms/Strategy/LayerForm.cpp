//===- LayerForm.cpp - One form a layer may take ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerForm.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace moe;

std::string LayerForm::getName() const {
  std::string drop;
  if (dropDim)
    drop = !scope ? "o1" : copies == CopyPlacement::Intra ? "o2" : "o3";
  if (exchange == Exchange::Flat)
    return dropDim ? drop : scope ? "chunked" : "baseline";
  std::string name = exchange == Exchange::TwoSteps ? "2dh" : "1dh";
  return drop.empty() ? name : name + "+" + drop;
}

std::string LayerForm::describeRow() const {
  if (!scope)
    return getName();
  return getName() +
         (*scope == ChainScope::Layer ? ", whole layer" : ", communication");
}

std::string LayerForm::describe() const {
  std::string text = describeRow();
  if (scope)
    text += " in " + std::to_string(chunks) + " chunks";
  if (dropDim)
    text += ", drop along dim " + std::to_string(*dropDim);
  return text;
}

bool LayerForm::isOf(StrategyChoice choice) const {
  switch (choice) {
  case StrategyChoice::Auto:
    return true;
  case StrategyChoice::Baseline:
    return isBaseline();
  case StrategyChoice::Hierarchical:
    return exchange != Exchange::Flat;
  case StrategyChoice::O1:
    return getName() == "o1";
  case StrategyChoice::O2:
    return getName() == "o2";
  case StrategyChoice::O3:
    return getName() == "o3";
  }
  llvm_unreachable("unknown choice");
}

std::unique_ptr<Pass> moe::createDropPass(int64_t dim) {
  DecomposeAllToAllOptions options;
  options.dropDim = dim;
  return createDecomposeAllToAll(options);
}

void LayerForm::addPasses(OpPassManager &manager,
                          const NodeBoundary &boundary) const {
  if (exchange != Exchange::Flat && boundary.cutsAxis())
    manager.addPass(boundary.createSplitPass());
  if (dropDim)
    manager.addPass(createDropPass(*dropDim));
  addLatePasses(manager);
}

void LayerForm::addLatePasses(OpPassManager &manager) const {
  if (scope) {
    PipelineOptions options;
    options.degree = chunks;
    options.scope = *scope;
    options.copies = copies;
    manager.addPass(createPipeline(options));
  }
  // Inside the pipelines: reshapes would end their chains.
  if (exchange != Exchange::Flat) {
    DecomposeAllToAllOptions options;
    options.mode = DecomposeMode::Hierarchical;
    options.variant = exchange == Exchange::OneRank
                          ? HierarchicalVariant::OneDimensional
                          : HierarchicalVariant::TwoDimensional;
    manager.addPass(createDecomposeAllToAll(options));
  }
}

SmallVector<LayerForm> moe::listForms(ArrayRef<int64_t> chunkCounts) {
  SmallVector<LayerForm> forms;
  for (int64_t chunks : chunkCounts)
    for (Exchange exchange :
         {Exchange::Flat, Exchange::TwoSteps, Exchange::OneRank})
      for (std::optional<int64_t> dim :
           {std::optional<int64_t>(), std::optional<int64_t>(2),
            std::optional<int64_t>(3)}) {
        if (chunks == 1) {
          forms.push_back({exchange, dim, std::nullopt, 1, CopyPlacement::Own});
          continue;
        }
        for (ChainScope scope : {ChainScope::Communication, ChainScope::Layer})
          for (CopyPlacement copies :
               {CopyPlacement::Intra, CopyPlacement::Own})
            // Without a drop there is no collective inside a node to take
            // turns with.
            if (dim || copies == CopyPlacement::Own)
              forms.push_back({exchange, dim, scope, chunks, copies});
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

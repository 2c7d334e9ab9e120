// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for a whole step.

#include "StepPlanner.h"
#include "StepChoices.h"
#include "StepSchedules.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace moe;

/// The hidden dim, so that the token dim can still be cut.
static constexpr int64_t kDropDim = 3;

/// Returns variants that set only the exchange of all layers. Layers with a
/// capacity keep their exchange.
static SmallVector<ChosenVariant> listNodeDedupVariants(ModuleOp module) {
  SmallVector<ChosenVariant> forms;
  llvm::StringSet<> names;
  module.walk([&](RaggedPlanOp plan) {
    if (auto layer = plan->getParentOfType<LayerOp>())
      names.insert(layer.getName());
  });
  for (LayerOp layer : listLayers(module)) {
    LayerVariant form;
    if (names.contains(layer.getName()))
      form.exchange = AllToAllAlgorithm::NodeDedup;
    forms.push_back({layer, form});
  }
  return forms;
}

LogicalResult StepPlanner::makeBase(OwningOpRef<ModuleOp> &base, bool drops,
                                    bool nodeDedup) {
  if (base)
    return success();
  OwningOpRef<ModuleOp> made(module.clone());
  if (nodeDedup) {
    SilentRemarks silent;
    if (failed(applyVariants(*made, listNodeDedupVariants(*made), machine,
                             VariantPart::Decomposition)))
      return failure();
  }
  if (failed(ScheduleEvaluator::runSilently(
          *made,
          [&](OpPassManager &manager) {
            DecomposeAllToAllOptions drop;
            drop.dropDim = kDropDim;
            if (drops)
              manager.addPass(createDecomposeAllToAll(drop));
            manager.addPass(createCanonicalizerPass());
            manager.addPass(createCSEPass());
          },
          /*verifies=*/false)))
    return failure();
  base = std::move(made);
  return success();
}

LogicalResult StepPlanner::plan(ScheduleChoice choice, ModuleOp onto,
                                bool nodeDedup) {
  StepRecipe recipe = getRecipe(choice);
  StepPlan step;
  step.schedule = choice;
  if (recipe.drops)
    step.dropDim = kDropDim;
  step.collectives = recipe.getCollectives();
  // The plan places gradients among the all-to-alls.
  step.priorities = {"ep"};
  OwningOpRef<ModuleOp> &base = nodeDedup ? deduplicated : recipe.drops ? dropped : asImported;
  if (failed(makeBase(base, recipe.drops, nodeDedup)))
    return failure();
  OwningOpRef<ModuleOp> copy(base->clone());
  PartitionGradientsOptions gradients;
  gradients.method = recipe.method;
  gradients.beside = recipe.beside;
  gradients.order = recipe.order;
  auto pieces = partitionGradients(*copy, machine, gradients, known);
  if (failed(pieces))
    return failure();
  SmallVector<LayerOp> layers = listLayers(onto);
  SmallVector<LayerOp> copies = listLayers(*copy);
  if (layers.size() != copies.size())
    return emitError(onto.getLoc())
           << "moe-choose-plan: expected " << layers.size()
           << " layers after the decomposition, got " << copies.size();
  llvm::StringSet<> once;
  if (nodeDedup)
    for (const ChosenVariant &chosen : listNodeDedupVariants(onto))
      if (chosen.form.exchange == AllToAllAlgorithm::NodeDedup)
        once.insert(LayerOp(chosen.layer).getName());
  auto write = [&](LayerOp layer, LayerVariant form) {
    if (once.contains(layer.getName()))
      form.exchange = AllToAllAlgorithm::NodeDedup;
    writeVariant(layer, form);
  };
  for (LayerOp layer : layers)
    write(layer, LayerVariant());
  if (recipe.pipelines) {
    ChooseDegreeOptions degrees;
    degrees.order = recipe.order;
    degrees.phases = recipe.phases;
    degrees.sizes = recipe.sizes;
    auto forms = chooseDegrees(*copy, machine, degrees, known);
    if (failed(forms))
      return failure();
    for (const ChosenVariant &chosen : *forms)
      write(layers[llvm::find(copies, chosen.layer) - copies.begin()],
            chosen.form);
    // The remaining decision depends on the variants.
    if (recipe.fills && failed(applyVariants(*copy, *forms, machine)))
      return failure();
  }
  if (recipe.fills) {
    FailureOr<bool> pays = paysToFill(*copy, machine, step.collectives);
    if (failed(pays))
      return failure();
    step.fills = *pays;
  }
  for (const FunctionGradients &own : *pieces)
    writeGradientPlan(onto.lookupSymbol<func::FuncOp>(
                          func::FuncOp(own.function).getSymName()),
                      own.plan);
  writeStepPlan(onto, step);
  return success();
}

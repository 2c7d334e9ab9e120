// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer as two functions, for a framework whose autograd calls them.

#include "ModuleBuilder.h"
#include "moe/Analysis/Replication.h"

using namespace mlir;
using namespace moe;

func::FuncOp ModuleBuilder::openFunction(StringRef name) {
  auto func = func::FuncOp::create(b, NameLoc::get(b.getStringAttr(name)), name,
                                   b.getFunctionType(argumentTypes, {}),
                                   ArrayRef<NamedAttribute>(), argumentAttrs);
  entry = b.createBlock(&func.getBody(), {}, argumentTypes, argumentLocs);
  return func;
}

void ModuleBuilder::closeFunction(func::FuncOp func, ValueRange results) {
  func::ReturnOp::create(b, func.getLoc(), results);
  func.setFunctionType(b.getFunctionType(argumentTypes, results.getTypes()));
  b.setInsertionPointAfter(func);
}

void ModuleBuilder::buildLayerPrograms(ModuleOp module) {
  SmallVector<int64_t> tokenShape = {layout.tokens, config.hiddenSize};
  addArgument("tokens", tokenShape, elementType, tokenAxes);
  Step step;
  step.index = config.moeLayers.front();
  LayerArguments args = addLayerArguments(step.index);
  step.args = &args;
  func::FuncOp forward = openFunction(options.entry);
  SmallVector<Value> results = {buildLayer(argument(0), step)};
  SmallVector<Value *> saved = listSaved(*step.layer);
  for (Value *value : saved)
    results.push_back(*value);
  closeFunction(forward, results);

  // What passes between the functions varies as the analysis of the first one
  // says, so that passes find in the second what they would in a whole step.
  FailureOr<std::unique_ptr<ReplicationInfo>> replication =
      ReplicationInfo::compute(module);
  assert(succeeded(replication) && "a module that is built has one mesh");
  unsigned numShared = argumentTypes.size();
  for (auto [index, value] : llvm::enumerate(saved))
    addArgument(
        "saved." + Twine(index), value->getType(),
        (*replication)->getAxes().getNames((*replication)->getVarying(*value)));
  unsigned cotangent =
      addArgument("dresult", tokenShape, elementType, tokenAxes);

  isBackward = true;
  func::FuncOp backward = openFunction(options.entry + "_backward");
  step.layer->tokens = argument(0);
  for (auto [index, value] : llvm::enumerate(saved))
    *value = argument(numShared + index);
  Gradients gradients;
  SmallVector<Value> all = {
      buildLayerGradient(argument(cotangent), step, gradients)};
  llvm::append_range(all, gradients);
  closeFunction(backward, all);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer as two functions, for calls from a framework's autograd.

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

void ModuleBuilder::closeFunction(func::FuncOp func, ValueRange results,
                                  ArrayRef<std::string> names) {
  func::ReturnOp::create(b, func.getLoc(), results);
  func.setFunctionType(b.getFunctionType(argumentTypes, results.getTypes()));
  for (auto [index, name] : llvm::enumerate(names))
    if (!name.empty())
      func.setResultAttr(index, kNameAttrName, b.getStringAttr(name));
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
  SmallVector<std::string> names = {"result"};
  SmallVector<Value *> saved = listSaved(*step.layer);
  for (auto [index, value] : llvm::enumerate(saved)) {
    results.push_back(*value);
    names.push_back("saved." + std::to_string(index));
  }
  closeFunction(forward, results, names);

  // The saved values get the axes from the analysis of the first function, so
  // that passes know as much about the second function as about a whole step.
  FailureOr<std::unique_ptr<ReplicationInfo>> replication =
      ReplicationInfo::compute(module);
  assert(succeeded(replication) && "a module that is built has one mesh");
  unsigned numShared = argumentTypes.size();
  for (auto [index, value] : llvm::enumerate(saved))
    addArgument(
        names[1 + index], value->getType(),
        (*replication)->getAxes().getNames((*replication)->getVarying(*value)));
  unsigned cotangent =
      addArgument("dresult", tokenShape, elementType, tokenAxes);

  isBackward = true;
  func::FuncOp backward = openFunction(options.entry + "_backward");
  step.layer->tokens = argument(0);
  for (auto [index, value] : llvm::enumerate(saved))
    *value = argument(numShared + index);
  Gradients gradients;
  results = {buildLayerGradient(argument(cotangent), step, gradients)};
  names = {"d" + argumentNames.front()};
  for (const Gradient &gradient : gradients) {
    results.push_back(gradient.value);
    names.push_back(gradient.argument ? "d" + argumentNames[*gradient.argument]
                                      : "");
  }
  closeFunction(backward, results, names);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dims that a partitioner shards.

#include "moe/Analysis/AutomaticDims.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/Text/StableHLO/Text.h"

using namespace mlir;
using namespace moe;

static int64_t getRank(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

/// Returns the strings of an array attribute; empty for other attributes.
static SmallVector<StringRef> getNames(Attribute attr) {
  SmallVector<StringRef> names;
  if (auto array = dyn_cast_or_null<ArrayAttr>(attr))
    for (Attribute item : array)
      if (auto name = dyn_cast<StringAttr>(item))
        names.push_back(name.getValue());
  return names;
}

AutomaticDims::AutomaticDims(Operation *root) {
  bool isModule = !isa<FunctionOpInterface>(root);
  root->walk([&](Operation *op) { visit(op, isModule); });
}

SmallVector<StringRef> AutomaticDims::getAxes(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  auto axes = function ? function->getAttrOfType<ArrayAttr>(kAutomaticAttr)
                       : ArrayAttr();
  return getNames(axes);
}

SmallVector<StringRef> AutomaticDims::find(Value value, int64_t dim,
                                           ArrayRef<StringRef> axes) {
  auto known = axesOf.find(findRoot(getId(value, dim)));
  SmallVector<StringRef> found;
  if (known != axesOf.end())
    llvm::copy_if(axes, std::back_inserter(found),
                  [&](StringRef axis) { return known->second.contains(axis); });
  return found;
}

unsigned AutomaticDims::getId(Value value, unsigned dim) {
  auto [it, isNew] = ids.try_emplace({value, dim}, parents.size());
  if (isNew)
    parents.push_back(parents.size());
  return it->second;
}

unsigned AutomaticDims::findRoot(unsigned id) {
  while (parents[id] != id)
    id = parents[id] = parents[parents[id]];
  return id;
}

void AutomaticDims::unite(Value a, unsigned dimA, Value b, unsigned dimB) {
  unsigned to = findRoot(getId(a, dimA)), from = findRoot(getId(b, dimB));
  if (to == from)
    return;
  parents[from] = to;
  if (auto known = axesOf.find(from); known != axesOf.end()) {
    llvm::StringSet<> axes = std::move(known->second);
    axesOf.erase(from);
    for (StringRef axis : axes.keys())
      axesOf[to].insert(axis);
  }
}

void AutomaticDims::uniteAll(ValueRange a, ValueRange b) {
  for (auto [one, other] : llvm::zip(a, b))
    for (int64_t d = 0; d < std::min(getRank(one), getRank(other)); ++d)
      unite(one, d, other, d);
}

void AutomaticDims::mark(Value value, const ShardySharding &sharding) {
  for (auto [d, axes] : llvm::enumerate(sharding.dims))
    for (const std::string &axis : axes)
      axesOf[findRoot(getId(value, d))].insert(axis);
}

void AutomaticDims::mark(Value value, Attribute attr) {
  if (auto sharding = parseSharding(attr))
    mark(value, *sharding);
  // The attribute of an argument.
  if (auto dims = dyn_cast_or_null<ArrayAttr>(attr))
    for (auto [d, axes] : llvm::enumerate(dims))
      for (StringRef axis : getNames(axes))
        axesOf[findRoot(getId(value, d))].insert(axis);
}

void AutomaticDims::visitFunction(Operation *op) {
  auto function = cast<FunctionOpInterface>(op);
  if (function.isExternal())
    return;
  Block &body = function.getFunctionBody().front();
  for (BlockArgument argument : body.getArguments())
    for (StringRef name :
         {StringRef("sdy.sharding"), StringRef(kAutomaticAttr)})
      mark(argument, function.getArgAttr(argument.getArgNumber(), name));
  Operation *back = &function.getFunctionBody().back().back();
  for (auto [i, value] : llvm::enumerate(back->getOperands()))
    if (i < function.getNumResults())
      mark(value, function.getResultAttr(i, "sdy.sharding"));
}

/// Unites values that enter regions and return from them.
void AutomaticDims::visitRegions(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    uniteAll(loop.getInitArgs(), loop.getRegionIterArgs());
    uniteAll(loop.getInitArgs(), loop.getYieldedValues());
    uniteAll(loop.getInitArgs(), loop.getResults());
    return;
  }
  bool isLoop = op->getName().getStringRef() == "stablehlo.while";
  if (auto pipeline = dyn_cast<PipelineOp>(op))
    uniteAll(op->getOperands(), pipeline.getBody().front().getArguments());
  for (Region &region : op->getRegions()) {
    if (!region.hasOneBlock() || region.front().empty())
      continue;
    Operation &back = region.front().back();
    if (isLoop)
      uniteAll(op->getOperands(), region.front().getArguments());
    if (isLoop && back.getNumOperands() == op->getNumOperands())
      uniteAll(op->getOperands(), back.getOperands());
    else if (isLoop)
      continue;
    // The region of a task does not yield its token.
    if (isLoop || isa<LayerOp, PipelineOp, ScheduleOp, TaskOp, scf::IfOp>(op) ||
        op->getName().getStringRef() == "stablehlo.if" ||
        op->getName().getStringRef() == "stablehlo.case")
      uniteAll(op->getResults(), back.getOperands());
  }
}

void AutomaticDims::visit(Operation *op, bool isModule) {
  if (isa<FunctionOpInterface>(op))
    return visitFunction(op);
  if (op->getNumRegions() != 0)
    visitRegions(op);
  if (std::optional<DimMap> map = getDimMap(op))
    for (const DimLink &link : map->links)
      unite(op->getOperand(link.operand), link.operandDim,
            op->getResult(link.result), link.resultDim);
  // A dim that a collective cuts or joins may be sharded before and after it.
  if (isa<CollectiveOpInterface>(op))
    uniteAll(op->getOperands().take_front(), op->getResults());
  if (op->getName().getStringRef() == kConstraintName &&
      op->getNumResults() == 1)
    mark(op->getResult(0), op->getAttr("sharding"));
  auto markAll = [&](ValueRange values, StringRef name) {
    if (auto shardings = parseShardings(op->getAttr(name)))
      for (auto [value, sharding] : llvm::zip(values, *shardings))
        mark(value, sharding);
  };
  markAll(op->getResults(), "sdy.sharding");
  markAll(op->getOperands(), "in_shardings");
  markAll(op->getResults(), "out_shardings");
  // Functions that implement the op.
  Operation *callee = nullptr;
  if (auto body = op->getAttrOfType<StringAttr>(kShardyBodyAttr))
    callee = SymbolTable::lookupNearestSymbolFrom(op, body);
  else if (auto call = dyn_cast<CallOpInterface>(op))
    callee = call.resolveCallable();
  auto function = dyn_cast_or_null<FunctionOpInterface>(callee);
  if (!isModule || !function || function.isExternal() ||
      !function.getFunctionBody().hasOneBlock())
    return;
  Block &body = function.getFunctionBody().front();
  uniteAll(op->getOperands(), body.getArguments());
  uniteAll(op->getResults(), body.back().getOperands());
}

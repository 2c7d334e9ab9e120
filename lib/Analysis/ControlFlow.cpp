// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of control flow that differs between ranks.

#include "moe/Analysis/ControlFlow.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace moe;

bool moe::isKnownControlFlow(Operation *op) {
  return isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp, LayerOp,
             PipelineOp, ScheduleOp, TaskOp>(op);
}

SmallVector<Value> moe::getControlOperands(Operation *op) {
  SmallVector<Value> control;
  // Every rank runs all tasks and the same number of chunks, regardless of the
  // operands: a token only determines when a task runs.
  if (isa<PipelineOp, ScheduleOp, TaskOp>(op))
    return control;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return llvm::to_vector(op->getOperands());
  // Operands of `from` that it does not forward to any successor.
  auto collect = [&](Operation *from, ArrayRef<OperandRange> forwarded) {
    for (OpOperand &operand : from->getOpOperands()) {
      bool isForwarded = llvm::any_of(forwarded, [&](OperandRange range) {
        return !range.empty() &&
               operand.getOperandNumber() >= range.getBeginOperandIndex() &&
               operand.getOperandNumber() <
                   range.getBeginOperandIndex() + range.size();
      });
      if (!isForwarded)
        control.push_back(operand.get());
    }
  };
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  SmallVector<OperandRange> forwarded;
  for (const RegionSuccessor &successor : successors)
    forwarded.push_back(branch.getEntrySuccessorOperands(successor));
  collect(op, forwarded);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (block.empty())
        continue;
      auto terminator =
          dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!terminator)
        continue;
      successors.clear();
      branch.getSuccessorRegions(RegionBranchPoint(terminator), successors);
      forwarded.clear();
      for (const RegionSuccessor &successor : successors)
        forwarded.push_back(terminator.getSuccessorOperands(successor));
      collect(terminator, forwarded);
    }
  return control;
}

std::optional<APInt> moe::getTripCount(scf::ForOp loop) {
  std::optional<int64_t> bounds[] = {
      getConstantIntValue(loop.getLowerBound()),
      getConstantIntValue(loop.getUpperBound()),
      getConstantIntValue(loop.getStep())};
  if (!llvm::all_of(bounds, [](const auto &bound) { return bound; }))
    return loop.getStaticTripCount();
  Type type = loop.getInductionVar().getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  // At twice the width, nothing overflows.
  auto widen = [&](int64_t value) {
    APInt narrow(width, value, /*isSigned=*/true, /*implicitTrunc=*/true);
    return loop.getUnsignedCmp() ? narrow.zext(2 * width)
                                 : narrow.sext(2 * width);
  };
  APInt lower = widen(*bounds[0]), upper = widen(*bounds[1]),
        step = widen(*bounds[2]);
  if (!step.isStrictlyPositive())
    return std::nullopt;
  if (upper.sle(lower))
    return APInt(2 * width, 0);
  return (upper - lower + step - 1).udiv(step);
}

//===----------------------------------------------------------------------===//
// Inside a function
//===----------------------------------------------------------------------===//

uint64_t ControlInfo::getControlAxes(Operation *branch) const {
  uint64_t bits = 0;
  for (Value value : getControlOperands(branch))
    bits |= replication.getVarying(value);
  return bits;
}

uint64_t ControlInfo::getStatedAxes(Operation *function) const {
  auto names =
      function->getAttrOfType<ArrayAttr>(MoEDialect::getDivergentAttrName());
  if (!names)
    return 0;
  auto words =
      llvm::map_to_vector(names.getAsRange<StringAttr>(),
                          [](StringAttr name) { return name.getValue(); });
  const MeshAxes &axes = replication.getAxes();
  return *getAxisBits(axes.getMesh(), words) & axes.all();
}

std::optional<Divergence> ControlInfo::findDivergence(Operation *op,
                                                      uint64_t axes) const {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (isa<FunctionOpInterface>(parent)) {
      if (uint64_t apart = getStatedAxes(parent) & axes)
        return Divergence{parent->getName(), parent->getLoc(), apart,
                          /*isKnown=*/true};
      return findBranch(parent, axes);
    }
    if (isa<ModuleOp>(parent))
      return std::nullopt;
    if (!isKnownControlFlow(parent))
      return Divergence{parent->getName(), parent->getLoc(),
                        replication.getAxes().all(), /*isKnown=*/false};
    if (uint64_t shared = getControlAxes(parent) & axes)
      return Divergence{parent->getName(), parent->getLoc(), shared,
                        /*isKnown=*/true};
  }
  return std::nullopt;
}

/// Finds unstructured branches that some ranks take and others do not.
std::optional<Divergence> ControlInfo::findBranch(Operation *function,
                                                  uint64_t axes) const {
  for (Block &block : cast<FunctionOpInterface>(function).getFunctionBody()) {
    if (block.getNumSuccessors() < 2)
      continue;
    Operation *terminator = block.getTerminator();
    // Only operands that decide the path count, but not forwarded values.
    llvm::SmallDenseSet<unsigned> handed;
    if (auto branch = dyn_cast<BranchOpInterface>(terminator))
      for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
        OperandRange range =
            branch.getSuccessorOperands(i).getForwardedOperands();
        for (unsigned j = 0; j < range.size(); ++j)
          handed.insert(range.getBeginOperandIndex() + j);
      }
    uint64_t bits = 0;
    for (OpOperand &operand : terminator->getOpOperands())
      if (!handed.contains(operand.getOperandNumber()))
        bits |= replication.getVarying(operand.get());
    if (bits & axes)
      return Divergence{terminator->getName(), terminator->getLoc(),
                        bits & axes, /*isKnown=*/true};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Across calls
//===----------------------------------------------------------------------===//

std::optional<uint64_t> ControlInfo::getRendezvousAxes(Operation *op) const {
  const MeshAxes &axes = replication.getAxes();
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return axes.getBits(collective.getGroup()).value_or(axes.all());
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return std::nullopt;
  const auto &known = getFunctions();
  auto it = known.find(call.resolveCallableInTable(&symbols));
  return it == known.end() ? std::nullopt : it->second.rendezvous;
}

std::optional<Divergence>
ControlInfo::findDivergenceWithCalls(Operation *op, uint64_t axes) const {
  if (auto found = findDivergence(op, axes))
    return found;
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return std::nullopt;
  auto it = getFunctions().find(function);
  if (it == getFunctions().end() || !it->second.calls ||
      !(it->second.calls->axes & axes))
    return std::nullopt;
  Divergence found = *it->second.calls;
  found.axes &= axes;
  return found;
}

uint64_t ControlInfo::getDivergentAxes(Operation *op, uint64_t axes) const {
  // The first divergence need not vary over all axes, so each axis is tried.
  uint64_t divergent = 0;
  for (uint64_t left = axes; left != 0; left &= left - 1)
    if (findDivergenceWithCalls(op, left & -left))
      divergent |= left & -left;
  return divergent;
}

const llvm::DenseMap<Operation *, ControlInfo::Function> &
ControlInfo::getFunctions() const {
  if (functions)
    return *functions;
  functions.emplace();
  replication.getRoot()->walk(
      [&](FunctionOpInterface function) { (*functions)[function]; });
  collectRendezvous();
  collectCalls();
  return *functions;
}

void ControlInfo::collectRendezvous() const {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[op, function] : *functions) {
      std::optional<uint64_t> total;
      op->walk([&](Operation *nested) {
        if (auto axes = getRendezvousAxes(nested))
          total = total.value_or(0) | *axes;
      });
      changed |= function.rendezvous != total;
      function.rendezvous = total;
    }
  }
}

void ControlInfo::collectCalls() const {
  // Collect calls, and functions with their address taken.
  SmallVector<std::pair<Operation *, Operation *>> calls;
  const MeshAxes &axes = replication.getAxes();
  auto collect = [&](Region *table) {
    auto uses = SymbolTable::getSymbolUses(table);
    if (!uses)
      return;
    for (SymbolTable::SymbolUse use : *uses) {
      Operation *callee =
          symbols.lookupNearestSymbolFrom(use.getUser(), use.getSymbolRef());
      auto it = functions->find(callee);
      if (it == functions->end())
        continue;
      auto call = dyn_cast<CallOpInterface>(use.getUser());
      if (call && call.resolveCallableInTable(&symbols) == callee)
        calls.push_back({callee, call});
      else
        it->second.calls =
            Divergence{use.getUser()->getName(), use.getUser()->getLoc(),
                       axes.all(), /*isKnown=*/false, /*isAroundCall=*/true};
    }
  };
  replication.getRoot()->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::SymbolTable>())
      collect(&op->getRegion(0));
  });
  auto add = [](Function &function, const Divergence &found) {
    if (!function.calls) {
      function.calls = found;
      function.calls->isAroundCall = true;
      return true;
    }
    uint64_t before = function.calls->axes;
    function.calls->axes |= found.axes;
    return function.calls->axes != before;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [callee, call] : calls) {
      Function &function = (*functions)[callee];
      // The first divergence need not vary over all axes, so each axis is
      // tried.
      for (uint64_t left = axes.all(); left != 0; left &= left - 1)
        if (auto found = findDivergence(call, left & -left)) {
          found->axes = left & -left;
          changed |= add(function, *found);
        }
      auto caller = call->getParentOfType<FunctionOpInterface>();
      auto it = caller ? functions->find(caller) : functions->end();
      if (it != functions->end() && it->second.calls)
        changed |= add(function, *it->second.calls);
    }
  }
}

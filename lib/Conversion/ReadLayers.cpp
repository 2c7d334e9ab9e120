// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouping the ops of an imported program into layers.

#include "Program.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "moe/Analysis/OpsBetween.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace moe;

namespace {

using GetMark = llvm::function_ref<LayerMark(Operation *)>;
using Missed = llvm::function_ref<void(Operation *, const Twine &)>;

/// Generates names of layers: a number, or a mark. A forward and a backward
/// pass share a mark; further passes with the same mark get a number as a
/// suffix.
class Names {
public:
  std::pair<std::string, Phase> getNext(const LayerMark &mark) {
    if (mark.name.empty()) {
      std::string name;
      do
        name = std::to_string(next++);
      while (!taken.try_emplace(name, kForward | kBackward).second);
      return {name, mark.phase.value_or(Phase::Forward)};
    }
    // The first pass with a name is forward unless the text records the phase.
    std::string name = mark.name.str();
    for (unsigned i = 2;; ++i) {
      unsigned &phases = taken[name];
      if (!(phases & kForward) && mark.phase != Phase::Backward) {
        phases |= kForward;
        return {name, Phase::Forward};
      }
      if (!(phases & kBackward) && mark.phase != Phase::Forward) {
        phases |= kBackward;
        return {name, Phase::Backward};
      }
      name = (mark.name + "." + Twine(i)).str();
    }
  }

private:
  static constexpr unsigned kForward = 1, kBackward = 2;
  unsigned next = 0;
  /// The phases that exist for a name.
  llvm::StringMap<unsigned> taken;
};

} // namespace

/// Maximum number of inlined calls between two exchanges, because functions may
/// be recursive.
static constexpr int kMaxCalls = 1000;

static func::FuncOp getCallee(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && !callee.isExternal() && callee.getBody().hasOneBlock()
             ? callee
             : func::FuncOp();
}

/// Inlines calls between two ops as far as possible.
static void inlineCalls(Operation *first, Operation *last) {
  InlinerInterface interface(first->getContext());
  InlinerConfig config;
  int count = 0;
  for (Operation *op = first->getNextNode(); op != last;) {
    auto call = dyn_cast<func::CallOp>(op);
    func::FuncOp callee = call ? getCallee(call) : func::FuncOp();
    Operation *before = op->getPrevNode();
    if (!callee || ++count > kMaxCalls ||
        failed(inlineCall(interface, config.getCloneCallback(), call, callee,
                          &callee.getBody(),
                          /*shouldCloneInlinedRegion=*/true))) {
      op = op->getNextNode();
      continue;
    }
    call.erase();
    op = before->getNextNode();
  }
}

/// Returns the reason why the ops cannot be moved to the last one, or an empty
/// string.
static std::string findObstacle(const OpsBetween &between) {
  // PyTorch has in-place ops; the first exchange must not move across one.
  for (Operation *op = between.first; op != between.last;
       op = op->getNextNode())
    if (op->getName().getDialectNamespace() == "torch" &&
        !isMemoryEffectFree(op))
      return "expected ops without effects up to the next exchange, got " +
             op->getName().getStringRef().str();
  if (between.inside.empty())
    return "expected the next exchange to send what is computed from this one";
  for (ArrayRef<Operation *> ops :
       {ArrayRef(between.inside), ArrayRef(between.beside)})
    for (Operation *op : ops)
      if (isa<CallOpInterface>(op))
        return "expected calls up to the next exchange that can be replaced by "
               "what they run";
      else if (!isa<CollectiveOpInterface>(op) && !isMemoryEffectFree(op))
        return "expected ops without effects up to the next exchange, got " +
               op->getName().getStringRef().str();
  return "";
}

static void makeLayer(const OpsBetween &between, StringRef name, Phase phase) {
  for (Operation *op : llvm::reverse(between.beside))
    op->moveAfter(between.last);
  DenseSet<Operation *> inside(between.inside.begin(), between.inside.end());
  auto isOutside = [&](OpOperand &use) {
    Operation *user =
        between.last->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !inside.contains(user);
  };
  SmallVector<Value> kept;
  for (Operation *op : llvm::reverse(between.inside))
    for (Value result : op->getResults())
      if (op == between.last || llvm::any_of(result.getUses(), isOutside))
        kept.push_back(result);
  OpBuilder builder(between.last);
  auto layer = LayerOp::create(
      builder, between.last->getLoc(), ValueRange(kept).getTypes(),
      builder.getStringAttr(name), PhaseAttr::get(builder.getContext(), phase));
  for (auto [value, result] : llvm::zip_equal(kept, layer.getResults()))
    value.replaceUsesWithIf(result, isOutside);
  Block &block = layer.getBody().emplaceBlock();
  for (Operation *op : between.inside)
    op->moveBefore(&block, block.end());
  builder.setInsertionPointToEnd(&block);
  YieldOp::create(builder, between.last->getLoc(), kept);
}

/// Returns true for exchanges of floats; integers are offsets.
static bool isOfValues(Operation *op) {
  return isAllToAll(op) &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
}

/// Returns true if two values are the same function of the same values.
static bool isSame(Value a, Value b) {
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return a == b || (first && second && isMemoryEffectFree(first) &&
                    OperationEquivalence::isEquivalentTo(
                        first, second, OperationEquivalence::exactValueMatch,
                        /*markEquivalent=*/nullptr,
                        OperationEquivalence::IgnoreLocations |
                            OperationEquivalence::IgnoreDiscardableAttrs));
}

/// Returns the index of the exchange that ends a layer: the next one, or the
/// last one in the same pass that sends rows of a ragged exchange back. There
/// may be several, because a layer may also exchange the weights of its rows.
/// An exchange of what came back belongs to another layer, even if both layers
/// have the same sizes.
static size_t findBack(ArrayRef<Operation *> exchanges, size_t first,
                       GetMark getMark) {
  auto out = dyn_cast<RaggedAllToAllOp>(exchanges[first]);
  size_t last = first + 1;
  bool hasBack = false;
  for (size_t i = first + 1; out && i < exchanges.size(); ++i) {
    auto back = dyn_cast<RaggedAllToAllOp>(exchanges[i]);
    if (!back || !isSame(back.getSendSizes(), out.getRecvSizes()) ||
        !isSame(back.getRecvSizes(), out.getSendSizes()) ||
        getMark(out).phase != getMark(back).phase ||
        getMark(out).name != getMark(back).name ||
        findBetween(out, back).inside.empty())
      continue;
    if (hasBack && !findBetween(exchanges[last], back).inside.empty())
      break;
    last = i;
    hasBack = true;
  }
  return last;
}

void moe::readLayers(ArrayRef<func::FuncOp> bodies, GetMark getMark,
                     Missed missed) {
  Names names;
  for (func::FuncOp body : bodies) {
    if (body.isExternal())
      continue;
    SmallVector<Operation *> exchanges;
    for (Operation &op : body.getBody().front())
      if (isOfValues(&op))
        exchanges.push_back(&op);
    for (size_t i = 0; i < exchanges.size(); ++i) {
      if (i + 1 == exchanges.size()) {
        missed(exchanges[i], "expected an exchange behind this one");
        break;
      }
      size_t back = findBack(exchanges, i, getMark);
      inlineCalls(exchanges[i], exchanges[back]);
      OpsBetween between = findBetween(exchanges[i], exchanges[back]);
      if (std::string why = findObstacle(between); !why.empty()) {
        missed(exchanges[i], why);
        continue;
      }
      auto [name, phase] = names.getNext(getMark(exchanges[i]));
      makeLayer(between, name, phase);
      i = back;
    }
  }
}

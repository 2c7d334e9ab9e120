// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early launches and late waits of PyTorch collectives.
//
// A collective starts after all work that its stream received before the
// launch, and a wait blocks the host or the stream. The order of launches must
// stay: it is equal on all ranks, and a scheduler may have chosen it.

#include "Torch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/Text/Torch/Ops.h"
#include "moe/Dialect/Text/Torch/Text.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace moe;

static bool isWait(Operation *op) {
  return getTorchName(op) == "torch._c10d_functional.wait_tensor";
}
static bool isLaunch(Operation *op) {
  return isTorchCollective(op) && !isWait(op);
}
/// Returns true if the op may write memory. Launches and waits do not cross it.
/// An op that is a function by facts in the text has its own name again.
static bool isBarrier(Operation *op) {
  return !isTorchCollective(op) && !isMemoryEffectFree(op) &&
         !op->hasAttr(kTorchFunctionAttr) &&
         !op->hasAttr(kTorchPointwiseAttr) &&
         !op->getName().getStringRef().starts_with("torch.constant.") &&
         !op->hasTrait<OpTrait::IsTerminator>();
}
static bool isConstantOp(Operation *op) {
  return op && op->getName().getStringRef().starts_with("torch.constant.") &&
         op->getNumOperands() == 0;
}
static bool isList(Operation *op) {
  return op && getTorchName(op) == "torch.prim.ListConstruct";
}

/// Moves launches up, along with their constants and lists.
static void launchEarly(Block &block) {
  SmallVector<Operation *> launches;
  for (Operation &op : block)
    if (isLaunch(&op))
      launches.push_back(&op);
  Operation *before = nullptr;
  for (Operation *launch : launches) {
    // The last op that has to precede the launch.
    Operation *floor = before;
    auto raise = [&](Operation *op) {
      if (op && op->getBlock() == &block &&
          (!floor || floor->isBeforeInBlock(op)))
        floor = op;
    };
    SmallVector<Operation *> constants;
    auto addOperand = [&](Operation *def) {
      if (isConstantOp(def))
        constants.push_back(def);
      else
        raise(def);
    };
    for (Value operand : launch->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!isList(def)) {
        addOperand(def);
        continue;
      }
      for (Value item : def->getOperands())
        addOperand(item.getDefiningOp());
      constants.push_back(def);
    }
    for (Operation *op = launch->getPrevNode(); op && op != floor;
         op = op->getPrevNode())
      if (isBarrier(op)) {
        raise(op);
        break;
      }
    before = launch;
    Operation *next = floor ? floor->getNextNode() : &block.front();
    if (next == launch)
      continue;
    for (Operation *constant : constants)
      if (next == constant)
        next = next->getNextNode();
      else if (!constant->isBeforeInBlock(next))
        constant->moveBefore(next);
    if (next != launch)
      launch->moveBefore(next);
  }
}

/// Moves waits, and views of their results, down.
static void waitLate(Block &block) {
  llvm::SetVector<Operation *> late;
  auto isLate = [&](Operation *op) {
    return isWait(op) ||
           (isTorchAlias(op) && llvm::any_of(op->getOperands(), [&](Value of) {
              return late.contains(of.getDefiningOp());
            }));
  };
  SmallVector<Operation *> ops(llvm::make_pointer_range(block));
  for (Operation *op : ops) {
    if (isLate(op)) {
      late.insert(op);
      continue;
    }
    std::function<void(Operation *)> place = [&](Operation *needed) {
      if (!needed || !late.remove(needed))
        return;
      for (Value operand : needed->getOperands())
        place(operand.getDefiningOp());
      needed->moveBefore(op);
    };
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        place(operand.getDefiningOp());
    });
    if (isBarrier(op) || op->hasTrait<OpTrait::IsTerminator>())
      for (Operation *left : SmallVector<Operation *>(late.getArrayRef()))
        place(left);
  }
}

void moe::launchEarlyAndWaitLate(Block &block) {
  launchEarly(block);
  waitLate(block);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on the dataflow paths between two ops.

#include "moe/Analysis/OpsBetween.h"

using namespace mlir;
using namespace moe;

bool moe::readsAny(Operation *op, const llvm::DenseSet<Operation *> &set) {
  Block *block = op->getBlock();
  auto isOfSet = [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    Operation *maker = def ? block->findAncestorOpInBlock(*def) : nullptr;
    return maker && maker != op && set.contains(maker);
  };
  return op
      ->walk([&](Operation *nested) {
        return llvm::any_of(nested->getOperands(), isOfSet)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

OpsBetween moe::findBetween(Operation *first, Operation *last) {
  llvm::DenseSet<Operation *> from = {first}, into = {last};
  SmallVector<Operation *> found = {first};
  for (Operation *op = first->getNextNode(); op != last->getNextNode();
       op = op->getNextNode())
    if (readsAny(op, from)) {
      from.insert(op);
      found.push_back(op);
    }
  // If the user is nested in another op, that op counts as the user.
  for (Operation *op : llvm::reverse(found))
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return into.contains(op->getBlock()->findAncestorOpInBlock(*user));
        }))
      into.insert(op);
  OpsBetween between{first, last, {}, {}};
  for (Operation *op : found)
    (into.contains(op) ? between.inside : between.beside).push_back(op);
  return between;
}

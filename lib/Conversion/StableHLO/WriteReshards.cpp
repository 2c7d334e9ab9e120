// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Export of Shardy's collectives for XLA.
//
// A collective of Shardy on global values returns its operand with another
// sharding. XLA rejects it in a text, because the mesh that it names has been
// replaced by then. Therefore it is exported as a constraint to the same
// sharding, and XLA rebuilds the collective from it.

#include "StableHLO.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace moe;

static bool isReshard(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"sdy.all_gather", "sdy.all_reduce", "sdy.all_slice",
              "sdy.all_to_all", "sdy.collective_permute", "sdy.reduce_scatter"},
             true)
      .Default(false);
}

void moe::writeReshards(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isReshard(op))
      found.push_back(op);
  });
  for (Operation *op : found) {
    Attribute out = op->getAttr("out_sharding");
    std::optional<ShardySharding> sharding = parseSharding(out);
    if (!sharding || !sharding->unreduced.empty() ||
        op->getNumOperands() != 1 || op->getNumRegions() != 0 ||
        op->getOperandTypes() != op->getResultTypes())
      continue;
    OpBuilder b(op);
    OperationState state(op->getLoc(), kConstraintName);
    state.addOperands(op->getOperands());
    state.addTypes(op->getResultTypes());
    state.propertiesAttr =
        b.getDictionaryAttr(b.getNamedAttr("sharding", out));
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
    op->replaceAllUsesWith(b.create(state));
    op->erase();
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Analysis/GradientUses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"

using namespace mlir;
using namespace moe;

bool moe::isOnlyReturned(Value value, bool throughPieces) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<func::ReturnOp>(user))
      return true;
    if (throughPieces &&
        (isReshape(user) || isa<tensor::ExtractSliceOp, AssembleOp>(user)))
      return isOnlyReturned(user->getResult(0), throughPieces);
    auto layer = dyn_cast<LayerOp>(user->getParentOp());
    return layer && isa<YieldOp>(user) &&
           isOnlyReturned(layer.getResult(use.getOperandNumber()),
                          throughPieces);
  });
}

bool moe::isGradientAllReduce(Operation *op) {
  auto reduce = dyn_cast<AllReduceOp>(op);
  return reduce && !reduce.getResult().use_empty() &&
         isOnlyReturned(reduce.getResult(), /*throughPieces=*/true);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forwards chunks from one pipeline to another.

#include "ChunkForwarding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace moe;

bool moe::takesChunks(PipelineOp reader, unsigned operand, PipelineOp maker,
                      unsigned result) {
  int64_t dim = maker.getConcatDims()[result];
  Type type = maker.getResult(result).getType();
  return dim >= 0 && reader.getSplitDims()[operand] == dim &&
         isa<LayerOp, func::FuncOp>(reader->getParentOp()) &&
         reader.getChunkSizes() == maker.getChunkSizes() &&
         reader.isStack(type, dim) == maker.isStack(type, dim);
}

bool moe::isReadInChunks(PipelineOp maker, unsigned result, Value value) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (auto reader = dyn_cast<PipelineOp>(use.getOwner()))
      return takesChunks(reader, use.getOperandNumber(), maker, result);
    auto layer = dyn_cast<LayerOp>(use.getOwner()->getParentOp());
    return layer && isa<YieldOp>(use.getOwner()) &&
           isReadInChunks(maker, result,
                          layer.getResult(use.getOperandNumber()));
  });
}

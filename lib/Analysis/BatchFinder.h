// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of sub-batches.

#ifndef MOE_LIB_ANALYSIS_BATCHFINDER_H
#define MOE_LIB_ANALYSIS_BATCHFINDER_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Analysis/BatchParts.h"

namespace moe {

/// Returns the size of a dim of a ranked tensor, or -1 if there is none.
inline int64_t getDimSize(mlir::Value value, int64_t dim) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && dim < type.getRank() ? type.getDimSize(dim) : -1;
}

/// Follows the parts' values through the ops of a function.
class BatchFinder {
public:
  BatchFinder(BatchParts &batch, bool sharesSlots, const RowProvenance &rows,
              std::string &reason)
      : batch(batch), sharesSlots(sharesSlots), rows(rows), reason(reason) {}

  bool find();

private:
  bool findTokens();
  bool visitBlock(mlir::Block &block, LayerOp layer);
  bool visit(mlir::Operation *op);
  /// Applies the rule of an op that reads values of parts.
  bool visitOp(mlir::Operation *op);
  bool visitByDims(mlir::Operation *op);
  bool visitMoved(mlir::Operation *op, int64_t dim);
  bool visitSlice(mlir::tensor::ExtractSliceOp op);
  bool visitAssemble(AssembleOp op);
  bool visitOrder(PermuteOp op);
  bool visitExchange(RaggedAllToAllOp op);
  bool visitPlan(RaggedPlanOp op);
  template <typename OpT> bool visitDense(OpT op, mlir::Value rows);
  template <typename OpT> bool visitRuns(OpT op);

  bool refuse(mlir::Operation *op, const llvm::Twine &why) {
    reason = ("expected ops that treat sequences one by one, got " +
              op->getName().getStringRef() + ": " + why)
                 .str();
    return false;
  }
  const PartValue *lookUp(mlir::Value value) const {
    return batch.lookUp(value);
  }
  /// Invalidates the results of earlier lookups.
  bool set(mlir::Value value, PartValue part) {
    batch.values[value] = std::move(part);
    return true;
  }
  PartValue getTokens(int64_t perToken = 1, bool isWhole = true) const {
    PartValue part;
    part.kind = PartValue::Kind::Cut;
    part.size = batch.tokens * perToken;
    part.partSize = batch.partTokens * perToken;
    part.isWhole = isWhole;
    return part;
  }
  /// Returns true if a value is cut along its outermost dim, the token dim.
  bool isOfTokens(mlir::Value value) const {
    const PartValue *part = lookUp(value);
    return part && part->dim == 0 && part->isCutAs(getTokens());
  }

  BatchParts &batch;
  bool sharesSlots;
  const RowProvenance &rows;
  std::string &reason;
};

} // namespace moe

#endif // MOE_LIB_ANALYSIS_BATCHFINDER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain of ops as a pipeline.

#include "moe/Transforms/PipelineBuilder.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/MoE/DimViews.h"

using namespace mlir;
using namespace moe;

/// `type` with one dim of another size.
static RankedTensorType withDim(Type type, int64_t dim, int64_t size) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, tensor.getElementType(),
                               tensor.getEncoding());
}

PipelineOp moe::buildPipeline(const Chain &chain, const ChunkDim &chunk,
                              int64_t degree, ArrayRef<int64_t> sizes,
                              CopyPlacement copies,
                              ArrayRef<LaunchStage> order) {
  // The size of a chunk in types: known when all are equal.
  int64_t size = ShapedType::kDynamic;
  if (sizes.empty() ? chunk.size % degree == 0 : llvm::all_equal(sizes))
    size = chunk.size / degree;

  Operation *last = chain.ops.back();
  OpBuilder builder(last);
  Location loc = last->getLoc();

  // Operands from outside the chain, each with the dim it is cut along.
  struct Outside {
    Value value;
    int64_t cut, fold;
    bool operator==(const Outside &) const = default;
  };
  SmallVector<Outside> outside;
  SmallVector<Value> operands;
  SmallVector<int64_t> splitDims;
  SmallVector<Type> argumentTypes;
  auto addOperand = [&](Value value, int64_t cut, int64_t fold) -> int64_t {
    Outside key{value, cut, cut >= 0 ? fold : 1};
    auto *it = llvm::find(outside, key);
    if (it != outside.end())
      return it - outside.begin();
    outside.push_back(key);
    if (key.fold > 1)
      value = cutDim(builder, loc, value, cut++, key.fold);
    operands.push_back(value);
    splitDims.push_back(cut);
    argumentTypes.push_back(cut >= 0 ? Type(withDim(value.getType(), cut, size))
                                     : value.getType());
    return operands.size() - 1;
  };
  llvm::DenseSet<Operation *> inChain(chain.ops.begin(), chain.ops.end());
  // Per op, per operand: the region argument, or -1 for a value of the chain.
  SmallVector<SmallVector<int64_t>> sources;
  for (auto [i, op] : llvm::enumerate(chain.ops)) {
    SmallVector<int64_t> &from = sources.emplace_back();
    for (auto [j, operand] : llvm::enumerate(op->getOperands()))
      if (inChain.contains(operand.getDefiningOp())) {
        from.push_back(-1);
      } else {
        // What comes in is not folded yet, whatever the first op makes of it.
        bool isInput = i == 0 && j == chain.operands.front();
        from.push_back(addOperand(operand, chunk.operandDims[i][j],
                                  isInput ? 1 : chunk.folds[i]));
      }
  }

  // What the pipeline hands out: what the chain computes, then its taps.
  SmallVector<Operation *> handedOut = {last};
  llvm::append_range(handedOut, chain.getTaps());
  std::optional<SmallVector<Operation *>> later = chain.getLaterOps();
  assert(later && "expected a chain whose readers can wait for it");
  SmallVector<Type> resultTypes;
  SmallVector<int64_t> concatDims, folds;
  for (Operation *op : handedOut) {
    size_t i = llvm::find(chain.ops, op) - chain.ops.begin();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t dim = chunk.resultDims[i], fold = chunk.folds[i];
    if (fold > 1) {
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] = chunk.size;
      shape.insert(shape.begin() + dim++, fold);
      type = RankedTensorType::get(shape, type.getElementType());
    }
    resultTypes.push_back(type);
    concatDims.push_back(dim);
    folds.push_back(fold);
  }

  MLIRContext *context = builder.getContext();
  auto stages = llvm::map_to_vector(order, [&](LaunchStage stage) -> Attribute {
    return LaunchStageAttr::get(context, stage);
  });
  // Their own stream is what a pipeline without the attribute asks for.
  auto pipeline = PipelineOp::create(
      builder, loc, resultTypes, operands, static_cast<uint64_t>(degree),
      sizes.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(sizes),
      copies == CopyPlacement::Own ? CopyPlacementAttr()
                                   : CopyPlacementAttr::get(context, copies),
      order.empty() ? ArrayAttr() : builder.getArrayAttr(stages),
      builder.getDenseI64ArrayAttr(splitDims),
      builder.getDenseI64ArrayAttr(concatDims));
  Block &block = pipeline.getBody().emplaceBlock();
  for (auto [type, operand] : llvm::zip_equal(argumentTypes, operands))
    block.addArgument(type, operand.getLoc());
  builder.setInsertionPointToStart(&block);
  SmallVector<Value> arguments;
  for (auto [i, from] : llvm::enumerate(outside))
    arguments.push_back(
        from.fold > 1 ? joinDim(builder, loc, block.getArgument(i), from.cut)
                      : block.getArgument(i));
  IRMapping made;
  SmallVector<Value> yielded(handedOut.size());
  for (auto [i, op] : llvm::enumerate(chain.ops)) {
    Operation *clone = builder.clone(*op);
    shareStatedTime(clone, degree);
    for (auto [j, source] : llvm::enumerate(sources[i]))
      clone->setOperand(j, source < 0 ? made.lookup(op->getOperand(j))
                                      : arguments[source]);
    int64_t dim = chunk.resultDims[i], fold = chunk.folds[i];
    clone->getResult(0).setType(withDim(op->getResult(0).getType(), dim,
                                        fold > 1 ? size * fold : size));
    Value value = clone->getResult(0);
    made.map(op->getResult(0), value);
    if (auto *it = llvm::find(handedOut, op); it != handedOut.end())
      yielded[it - handedOut.begin()] =
          fold > 1 ? cutDim(builder, loc, value, dim, fold) : value;
  }
  YieldOp::create(builder, loc, yielded);
  builder.setInsertionPointAfter(pipeline);
  Operation *place = pipeline;
  for (auto [i, op] : llvm::enumerate(handedOut)) {
    Value result = pipeline.getResult(i);
    if (folds[i] > 1) {
      result = joinDim(builder, loc, result, concatDims[i] - 1);
      place = result.getDefiningOp();
    }
    op->getResult(0).replaceAllUsesWith(result);
  }
  for (Operation *op : *later) {
    op->moveAfter(place);
    place = op;
  }
  for (Operation *op : llvm::reverse(chain.ops))
    op->erase();
  return pipeline;
}

//===- Pipeline.cpp - Chains of ops in chunks -------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SilentRemarks.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "moe/IR/DimMap.h"
#include "moe/Transforms/Passes.h"
#include <numeric>

namespace moe {
#define GEN_PASS_DEF_PIPELINE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

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

namespace {

struct Pipeline : public moe::impl::PipelineBase<Pipeline> {
  using PipelineBase::PipelineBase;

  void runOnOperation() override {
    if (degree < 1) {
      getOperation()->emitError()
          << "moe-pipeline: expected a degree of at least 1, got "
          << degree.getValue();
      return signalPassFailure();
    }
    if (!sizes.empty() && static_cast<int64_t>(sizes.size()) != degree) {
      getOperation()->emitError()
          << "moe-pipeline: expected as many sizes as chunks, "
          << degree.getValue() << ", got " << sizes.size();
      return signalPassFailure();
    }
    // A chain ends where its value is used twice, so two all-to-alls are in
    // one chain or in two that share no op.
    SmallVector<AllToAllOp> seeds;
    getOperation()->walk([&](AllToAllOp op) {
      if (!op->getParentOfType<PipelineOp>())
        seeds.push_back(op);
    });
    llvm::DenseSet<Operation *> done;
    for (AllToAllOp seed : seeds)
      if (!done.contains(seed)) {
        Chain chain = findChain(seed, scope);
        done.insert(chain.ops.begin(), chain.ops.end());
        reportUnknown(chain);
        pipeline(chain, seed);
      }
  }

private:
  remark::RemarkOpts options() {
    return remark::RemarkOpts::name("pipeline").category(getArgument());
  }

  /// Says where an op of which nothing is known ends a chain.
  void reportUnknown(const Chain &chain) {
    SmallVector<Operation *> neighbours(chain.getOutput().getUsers());
    if (Operation *before = chain.getInput().getDefiningOp())
      neighbours.push_back(before);
    for (Operation *op : neighbours)
      if (!op->hasTrait<OpTrait::IsTerminator>() && !getDimMap(op))
        moe::missed(op->getLoc(), options())
            << remark::reason("the chain ends at {0}: nothing is known about "
                              "its dims",
                              op->getName().getStringRef());
  }

  void pipeline(const Chain &chain, AllToAllOp seed) {
    std::string reason;
    std::optional<ChunkDim> chunk = chooseChunkDim(
        chain, dim >= 0 ? std::optional<int64_t>(dim) : std::nullopt, degree,
        reason);
    if (chunk && !sizes.empty() &&
        (llvm::any_of(sizes, [](int64_t size) { return size < 1; }) ||
         std::accumulate(sizes.begin(), sizes.end(), int64_t(0)) !=
             chunk->size)) {
      reason = "expected sizes of at least 1 that add up to " +
               std::to_string(chunk->size);
      chunk.reset();
    }
    if (!chunk) {
      moe::missed(seed.getLoc(), options()) << remark::reason("{0}", reason);
      return;
    }
    Location loc = seed.getLoc(); // the chain's ops are gone afterwards
    build(chain, *chunk);
    moe::passed(loc, options()) << remark::add("runs in chunks")
                                << remark::metric("degree", degree.getValue())
                                << remark::metric("dim", chunk->inputDim)
                                << remark::metric("size", chunk->size)
                                << remark::metric("ops", chain.ops.size());
  }

  void build(const Chain &chain, const ChunkDim &chunk) {
    // The size of a chunk in types: known when all are equal.
    int64_t size = ShapedType::kDynamic;
    if (sizes.empty() ? chunk.size % degree == 0 : llvm::all_equal(sizes))
      size = chunk.size / degree;

    // Operands from outside the chain, each with the dim it is cut along.
    SmallVector<Value> operands;
    SmallVector<int64_t> splitDims;
    SmallVector<Type> argumentTypes;
    SmallVector<std::pair<Value, int64_t>> keys;
    auto addOperand = [&](Value value, int64_t cut) -> int64_t {
      auto it = llvm::find(keys, std::pair(value, cut));
      if (it != keys.end())
        return it - keys.begin();
      keys.emplace_back(value, cut);
      operands.push_back(value);
      splitDims.push_back(cut);
      argumentTypes.push_back(cut >= 0
                                  ? Type(withDim(value.getType(), cut, size))
                                  : value.getType());
      return operands.size() - 1;
    };
    // Per op, per operand: the region argument, or -1 for the chained value.
    SmallVector<SmallVector<int64_t>> sources;
    for (auto [i, op] : llvm::enumerate(chain.ops)) {
      SmallVector<int64_t> &from = sources.emplace_back();
      Value chained = i == 0 ? Value() : chain.ops[i - 1]->getResult(0);
      for (auto [j, operand] : llvm::enumerate(op->getOperands()))
        from.push_back(operand == chained
                           ? -1
                           : addOperand(operand, chunk.operandDims[i][j]));
    }

    Operation *last = chain.ops.back();
    OpBuilder builder(last);
    DenseI64ArrayAttr sizesAttr =
        sizes.empty() ? DenseI64ArrayAttr()
                      : builder.getDenseI64ArrayAttr(llvm::to_vector(sizes));
    // Their own stream is what a pipeline without the attribute asks for.
    CopyPlacementAttr copiesAttr;
    if (copies != CopyPlacement::Own)
      copiesAttr = CopyPlacementAttr::get(builder.getContext(), copies);
    auto pipeline = PipelineOp::create(
        builder, last->getLoc(), last->getResultTypes(), operands,
        static_cast<uint64_t>(degree.getValue()), sizesAttr, copiesAttr,
        builder.getDenseI64ArrayAttr(splitDims),
        builder.getDenseI64ArrayAttr({chunk.resultDims.back()}));
    Block &block = pipeline.getBody().emplaceBlock();
    for (auto [type, operand] : llvm::zip_equal(argumentTypes, operands))
      block.addArgument(type, operand.getLoc());
    builder.setInsertionPointToStart(&block);
    Value value;
    for (auto [i, op] : llvm::enumerate(chain.ops)) {
      Operation *clone = builder.clone(*op);
      for (auto [j, source] : llvm::enumerate(sources[i]))
        clone->setOperand(j, source < 0 ? value : block.getArgument(source));
      clone->getResult(0).setType(
          withDim(op->getResult(0).getType(), chunk.resultDims[i], size));
      value = clone->getResult(0);
    }
    YieldOp::create(builder, last->getLoc(), value);
    last->getResult(0).replaceAllUsesWith(pipeline.getResult(0));
    for (Operation *op : llvm::reverse(chain.ops))
      op->erase();
  }
};

} // namespace

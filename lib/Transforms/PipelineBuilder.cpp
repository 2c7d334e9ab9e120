// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts a chain of ops to a pipeline.

#include "moe/Transforms/PipelineBuilder.h"
#include "RulePatterns.h"
#include "TorchRowChain.h"
#include "TorchRowChunks.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/DimViews.h"
#include "moe/Dialect/Text/Torch/Text.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Remarks.h"
#include "moe/Transforms/TokenChunkBuilder.h"
#include <numeric>

namespace moe {
#define GEN_PASS_DEF_PIPELINE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Returns `type` with another size of one dim.
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
  // The chunk size in types; static if all chunks are equal.
  int64_t size = ShapedType::kDynamic;
  if (sizes.empty() ? chunk.size % degree == 0 : llvm::all_equal(sizes))
    size = chunk.size / degree;

  Operation *last = chain.ops.back();
  OpBuilder builder(last);
  Location loc = last->getLoc();

  // Operands from outside of the chain, with the dim they are cut along.
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
  // Per op and operand, the region argument, or -1 for a value of the chain.
  SmallVector<SmallVector<int64_t>> sources;
  for (auto [i, op] : llvm::enumerate(chain.ops)) {
    SmallVector<int64_t> &from = sources.emplace_back();
    for (auto [j, operand] : llvm::enumerate(op->getOperands()))
      if (inChain.contains(operand.getDefiningOp())) {
        from.push_back(-1);
      } else {
        // The input is not folded yet, even if the first op folds it.
        bool isInput = i == 0 && j == chain.operands.front();
        from.push_back(addOperand(operand, chunk.operandDims[i][j],
                                  isInput ? 1 : chunk.folds[i]));
      }
  }

  // The results of the pipeline: the result of the chain, then its taps.
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
  // A separate stream is the default, so it needs no attribute.
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

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct Pipeline : public moe::impl::PipelineBase<Pipeline> {
  using PipelineBase::PipelineBase;

  void runOnOperation() override {
    if (degree < 1) {
      emitError(getOperation().getLoc())
          << "moe-pipeline: expected a degree of at least 1, got "
          << degree.number;
      return signalPassFailure();
    }
    if (!sizes.empty() && static_cast<int64_t>(sizes.size()) != degree) {
      emitError(getOperation().getLoc())
          << "moe-pipeline: expected as many sizes as chunks, " << degree.number
          << ", got " << sizes.size();
      return signalPassFailure();
    }
    if (scope == ChainScope::Layer && dim <= 0) {
      pipelineTokens();
      if (failed(pipelineTorchRows()))
        return signalPassFailure();
    }
    // Two all-to-alls are in the same chain, or in two chains that share no op.
    SmallVector<Operation *> seeds;
    getOperation()->walk([&](Operation *op) {
      if (!isDivisibleAllToAll(op))
        return;
      if (op->getParentOfType<TaskOp>())
        moe::missed(op->getLoc(), options())
            << remark::reason("{0}", kScheduled);
      else if (!op->getParentOfType<PipelineOp>() && !done.contains(op))
        seeds.push_back(op);
    });
    for (Operation *seed : seeds)
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

  /// Pipelines dropless layers along their tokens.
  void pipelineTokens() {
    SmallVector<Operation *> plans;
    getOperation()->walk([&](Operation *plan) {
      if (isRowPlan(plan) && !plan->getParentOfType<TaskOp>() &&
          !plan->getParentOfType<PipelineOp>())
        plans.push_back(plan);
    });
    RowProvenance rows(getOperation());
    for (Operation *plan : plans) {
      Location loc = plan->getLoc();
      std::string reason;
      std::optional<TokenChunks> chunks =
          findTokenChunks(plan, rows, degree, reason);
      if (chunks && !sizes.empty() && !llvm::all_equal(sizes))
        reason = "expected chunks of tokens as even as they go, without sizes";
      if (!reason.empty()) {
        moe::missed(loc, options()) << remark::reason("{0}", reason);
        getOperation()->walk([&](RaggedAllToAllOp exchange) {
          if (findPlan(exchange) == plan)
            done.insert(exchange);
        });
        continue;
      }
      int64_t ops = 0;
      for (const ChunkedOps &pipeline : chunks->pipelines)
        ops += pipeline.ops.size();
      int64_t tokens = chunks->tokens;
      buildTokenChunks(*chunks, degree, copies);
      moe::passed(loc, options())
          << remark::add("runs in chunks of its tokens")
          << remark::metric("degree", degree.number) << remark::metric("dim", 0)
          << remark::metric("size", tokens) << remark::metric("ops", ops);
    }
  }

  /// Cuts the rows of PyTorch's layers, if their numbers follow from counts.
  LogicalResult pipelineTorchRows() {
    SmallVector<RaggedAllToAllOp> exchanges = findTorchExchanges();
    if (exchanges.empty() || degree == 1 || !sizes.empty())
      return success();
    FailureOr<std::unique_ptr<ReplicationInfo>> replication =
        ReplicationInfo::computeWhenAsked(getOperation());
    if (failed(replication))
      return failure();
    for (const TorchRowChunks &made :
         chunkTorchRows(exchanges, degree, **replication))
      if (made.reason.empty())
        moe::passed(made.loc, options())
            << remark::add("runs in chunks of its rows")
            << remark::metric("degree", degree.number)
            << remark::metric("ops", made.ops);
      else
        moe::missed(made.loc, options()) << remark::reason("{0}", made.reason);
    done.insert_range(findTorchExchanges());
    keepCounts();
    return success();
  }
  /// Keeps the exchanges of the counts that rows are sent by: no rows can be
  /// sent before all counts have arrived.
  void keepCounts() {
    getOperation()->walk([&](Operation *sizes) {
      if (getTorchName(sizes) != kTorchSizes)
        return;
      llvm::SetVector<Operation *> needed;
      needed.insert(sizes);
      for (size_t i = 0; i < needed.size(); ++i)
        for (Value operand : needed[i]->getOperands()) {
          Operation *def = operand.getDefiningOp();
          if (!def)
            continue;
          if (!isDivisibleAllToAll(def))
            needed.insert(def);
          else if (getElementTypeOrSelf(operand).isInteger())
            done.insert(def);
        }
    });
  }
  SmallVector<RaggedAllToAllOp> findTorchExchanges() {
    SmallVector<RaggedAllToAllOp> found;
    getOperation()->walk([&](RaggedAllToAllOp op) {
      if (hasTorchSplits(op) && !op->getParentOfType<TaskOp>() &&
          !op->getParentOfType<PipelineOp>())
        found.push_back(op);
    });
    return found;
  }

  /// Exchanges that have been cut, or that cannot be.
  llvm::DenseSet<Operation *> done;

  /// Emits a remark if an unknown op ends a chain.
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
    if (!chain.whyShort.empty())
      moe::missed(chain.ops.back()->getLoc(), options()) << remark::reason(
          "the chain ends in front of experts: {0}", chain.whyShort);
  }

  void pipeline(const Chain &chain, Operation *seed) {
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
    if (chunk && chunk->isFolded() && !llvm::all_equal(sizes)) {
      reason = "expected chunks of one size along a dim that is gathered";
      chunk.reset();
    }
    if (!chunk) {
      moe::missed(seed->getLoc(), options()) << remark::reason("{0}", reason);
      return;
    }
    if (!chunk->avoided.empty())
      moe::missed(seed->getLoc(), options())
          << remark::reason("{0}", chunk->avoided);
    Location loc = seed->getLoc(); // copied because the chain's ops are erased
                                   // below
    SmallVector<int64_t> chunkSizes(sizes.begin(), sizes.end());
    buildPipeline(chain, *chunk, degree, chunkSizes, copies);
    moe::passed(loc, options()) << remark::add("runs in chunks")
                                << remark::metric("degree", degree.number)
                                << remark::metric("dim", chunk->inputDim)
                                << remark::metric("size", chunk->size)
                                << remark::metric("ops", chain.ops.size());
  }
};

} // namespace

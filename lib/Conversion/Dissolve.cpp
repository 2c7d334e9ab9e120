// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replacement of layers, pipelines and schedules by their ops.

#include "Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "moe/Dialect/Text/Ops.h"

using namespace mlir;
using namespace moe;

/// Moves the ops of a region with one block before the op around it, which can
/// then be erased. The yielded values replace its results, except further ones
/// (a token).
static void inlineRegion(Operation *op) {
  Block &block = op->getRegion(0).front();
  Operation *yield = block.getTerminator();
  for (auto [result, value] : llvm::zip(op->getResults(), yield->getOperands()))
    result.replaceAllUsesWith(value);
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         block.getOperations());
}

using MarkTask = llvm::function_ref<void(Operation *, StringRef)>;

/// Returns the layer and task, as `moe-sim` names them.
static std::string getMark(TaskOp task) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!task.getLayer().empty())
    os << task.getLayer() << "/" << stringifyPhase(task.getPhase()) << "/";
  os << task.getName() << "[" << task.getChunk() << " of " << task.getChunks()
     << "]@" << task.getStream();
  return text;
}

static void dissolveSchedule(ScheduleOp schedule, MarkTask markTask) {
  SmallVector<Operation *> tasks;
  for (Operation &op : schedule.getBody().front().without_terminator())
    tasks.push_back(&op);
  for (Operation *op : tasks) {
    auto task = dyn_cast<TaskOp>(op);
    if (!task)
      continue;
    std::string text = getMark(task);
    task->walk([&](Operation *inner) {
      if (isa<CollectiveOpInterface>(inner) || isTextProduct(inner->getName()))
        markTask(inner, text);
    });
  }
  // Tokens are removed with their tasks, because the program order is the
  // launch order.
  for (Operation *op : tasks)
    if (isa<TaskOp>(op))
      inlineRegion(op);
  for (Operation *op : llvm::reverse(tasks))
    if (isa<TaskOp>(op))
      op->erase();
  inlineRegion(schedule);
  schedule.erase();
}

static void unroll(PipelineOp pipeline) {
  OpBuilder b(pipeline);
  Location loc = pipeline.getLoc();
  Block &body = pipeline.getBody().front();
  SmallVector<SmallVector<Value>> parts(pipeline.getNumResults());
  int64_t offset = 0;
  for (auto [chunk, size] : llvm::enumerate(pipeline.getChunkSizes())) {
    IRMapping mapping;
    for (auto [i, operand] : llvm::enumerate(pipeline.getOperands())) {
      int64_t dim = pipeline.getSplitDims()[i];
      if (dim < 0) {
        mapping.map(body.getArgument(i), operand);
        continue;
      }
      auto type = cast<RankedTensorType>(operand.getType());
      bool isStack = pipeline.isStack(type, dim);
      SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
      SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
      SmallVector<OpFoldResult> sizes;
      for (int64_t extent : type.getShape())
        sizes.push_back(b.getIndexAttr(extent));
      offsets[dim] = b.getIndexAttr(isStack ? chunk : offset);
      sizes[dim] = b.getIndexAttr(isStack ? 1 : size);
      mapping.map(body.getArgument(i),
                  tensor::ExtractSliceOp::create(b, loc, operand, offsets,
                                                 sizes, strides));
    }
    for (Operation &op : body.without_terminator()) {
      Operation *clone = b.clone(op, mapping);
      for (Value result : clone->getResults())
        result.setType(withChunkSize(result.getType(), size));
      carryOver(pipeline, clone);
    }
    for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
      parts[i].push_back(mapping.lookupOrDefault(value));
    offset += size;
  }
  for (auto [i, result] : llvm::enumerate(pipeline.getResults())) {
    int64_t dim = pipeline.getConcatDims()[i];
    Value whole = parts[i].front();
    if (dim >= 0)
      whole = AssembleOp::create(b, loc, result.getType(), parts[i], dim);
    else
      for (Value part : ArrayRef(parts[i]).drop_front())
        whole = isa<FloatType>(getElementTypeOrSelf(part))
                    ? arith::AddFOp::create(b, loc, whole, part).getResult()
                    : arith::AddIOp::create(b, loc, whole, part).getResult();
    result.replaceAllUsesWith(whole);
  }
  pipeline.erase();
}

void moe::dissolve(Operation *function, MarkTask markTask) {
  SmallVector<Operation *> found;
  function->walk([&](Operation *op) {
    if (isa<ScheduleOp, LayerOp, PipelineOp>(op))
      found.push_back(op);
  });
  // The walk visited inner ops first.
  for (Operation *op : found) {
    if (auto schedule = dyn_cast<ScheduleOp>(op)) {
      dissolveSchedule(schedule, markTask);
    } else if (auto pipeline = dyn_cast<PipelineOp>(op)) {
      unroll(pipeline);
    } else {
      inlineRegion(op);
      op->erase();
    }
  }
}

void moe::removeOwn(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<MeshOp, StreamOp>(op))
      op.erase();
  module.walk([](Operation *op) {
    SmallVector<StringAttr> own;
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (isa_and_nonnull<MoEDialect>(attr.getNameDialect()))
        own.push_back(attr.getName());
    for (StringAttr name : own)
      op->removeDiscardableAttr(name);
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, MoEDialect::getVaryingAttrName());
  });
}

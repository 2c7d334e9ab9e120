// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a batch into concurrent sub-batches.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Analysis/BatchParts.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Remarks.h"

namespace moe {
#define GEN_PASS_DEF_SPLITBATCH
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

using PartKind = PartValue::Kind;

namespace {

class BatchBuilder {
public:
  explicit BatchBuilder(const BatchParts &batch)
      : batch(batch), function(batch.function), builder(function.getContext()),
        made(batch.parts) {}

  void run();

private:
  void cutArguments();
  /// Builds the op of one sub-batch, inside or outside of layers.
  Operation *build(Operation *op, int64_t part);
  void buildLayer(LayerOp layer, int64_t part);
  RankedTensorType getUniformType(OpOperand &operand) const;
  /// Returns the operand of a sub-batch: its own value, or a uniform value of
  /// the right size.
  Value getOperand(OpOperand &operand, int64_t part);
  /// Returns the shards of the sub-batches' values, ordered by shard and then
  /// by sub-batch, as in the original value.
  SmallVector<Value> getShards(ArrayRef<Value> values, const PartValue &own);
  /// Returns the value for the whole batch: the sub-batches' values, joined or
  /// added.
  Value getWhole(Value value);
  IntegerAttr getPartAttr(int64_t part) {
    return builder.getI64IntegerAttr(part);
  }

  const BatchParts &batch;
  func::FuncOp function;
  OpBuilder builder;
  /// Per sub-batch, the replacements of the function's values.
  SmallVector<IRMapping> made;
  llvm::DenseMap<Value, Value> wholes;
};

} // namespace

/// Creates a slice of `size` rows from `offset` along a dim.
static tensor::ExtractSliceOp createSlice(OpBuilder &builder, Value value,
                                          int64_t dim, int64_t offset,
                                          int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> sizes(type.getShape());
  offsets[dim] = builder.getIndexAttr(offset);
  sizes[dim] = size;
  return tensor::ExtractSliceOp::create(
      builder, value.getLoc(), value, offsets,
      getAsIndexOpFoldResult(builder.getContext(), sizes), strides);
}

void BatchBuilder::cutArguments() {
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    const PartValue *value = batch.lookUp(argument);
    if (!value)
      continue;
    for (int64_t part = 0; part < batch.parts; ++part) {
      auto slice = createSlice(builder, argument, /*dim=*/0,
                               part * batch.partTokens, batch.partTokens);
      slice->setAttr(kSubBatchAttrName, getPartAttr(part));
      made[part].map(argument, slice.getResult());
    }
  }
}

/// Returns the type of a uniform buffer, or of uniform weights, in a sub-batch.
RankedTensorType BatchBuilder::getUniformType(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  auto whole = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!whole || !batch.isOfParts(op))
    return whole;
  auto result = dyn_cast<RankedTensorType>(
      op->getNumResults() == 1 ? batch.getPartType(op->getResult(0)) : Type());
  if (isa<RaggedAllToAllOp>(op) && operand.getOperandNumber() == 1)
    return result;
  if (isa<UnpermuteOp, ScatterOp>(op) && operand.getOperandNumber() == 2)
    return whole.clone({batch.partTokens, whole.getDimSize(1)});
  if (result && OpTrait::hasElementwiseMappableTraits(op))
    return whole.clone(result.getShape());
  if (isa<AssembleOp>(op)) {
    const PartValue *made = batch.lookUp(op->getResult(0));
    SmallVector<int64_t> shape(whole.getShape());
    shape[made->dim] = shape[made->dim] / made->size * made->partSize;
    return whole.clone(shape);
  }
  return whole;
}

Value BatchBuilder::getOperand(OpOperand &operand, int64_t part) {
  Value value = operand.get();
  RankedTensorType type;
  if (!batch.lookUp(value) && isUniformValue(value))
    type = getUniformType(operand);
  if (!type || type == value.getType())
    return made[part].lookupOrDefault(value);
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, value.getLoc(),
                                     constant.resizeSplat(type));
  return tensor::EmptyOp::create(builder, value.getLoc(), type.getShape(),
                                 type.getElementType());
}

Operation *BatchBuilder::build(Operation *op, int64_t part) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(getOperand(operand, part));
  Operation *clone;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    clone = tensor::ExpandShapeOp::create(
        builder, op->getLoc(), batch.getPartType(expand.getResult()),
        operands.front(), expand.getReassociationIndices());
    clone->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  } else {
    clone = op->clone();
    clone->setOperands(operands);
    for (auto [old, result] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      result.setType(batch.getPartType(old));
    builder.insert(clone);
  }
  shareStatedTime(clone, batch.parts);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(clone))
    if (const PartValue *own =
            batch.lookUp(cast<tensor::ExtractSliceOp>(op).getSource())) {
      SmallVector<int64_t> offsets(slice.getStaticOffsets());
      offsets[own->dim] = offsets[own->dim] / own->size * own->partSize;
      slice.setStaticOffsets(offsets);
      slice.setStaticSizes(slice.getType().getShape());
    }
  if (auto plan = dyn_cast<RaggedPlanOp>(clone))
    plan.setLimit(batch.lookUp(op->getResult(0))->partLimit);
  if (isa<DenseOp, DenseDgradOp, DenseWgradOp>(op)) {
    auto share = [&](StringRef name) {
      auto all = op->getAttrOfType<IntegerAttr>(name);
      clone->setAttr(name, builder.getI64IntegerAttr((all ? all.getInt() : 1) /
                                                     batch.parts));
    };
    share("macs");
    share("sequences");
    if (auto us = op->getAttrOfType<FloatAttr>("us"))
      clone->setAttr("us", builder.getF64FloatAttr(us.getValueAsDouble() /
                                                   double(batch.parts)));
  }
  made[part].map(op->getResults(), clone->getResults());
  return clone;
}

void BatchBuilder::buildLayer(LayerOp layer, int64_t part) {
  Block &old = layer.getBody().front();
  Operation *yield = old.getTerminator();
  SmallVector<Type> types;
  for (Value result : layer.getResults())
    types.push_back(batch.getPartType(result));
  auto own = LayerOp::create(builder, layer.getLoc(), types,
                             layer.getNameAttr(), layer.getPhaseAttr());
  own->setDiscardableAttrs(layer->getDiscardableAttrDictionary());
  own->setAttr(kSubBatchAttrName, getPartAttr(part));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&own.getBody().emplaceBlock());
  for (Operation &op : old.without_terminator()) {
    // Sums over ranks are computed after the layer, once for all sub-batches.
    if (auto reduce = dyn_cast<AllReduceOp>(op))
      if (const PartValue *sum = batch.lookUp(reduce.getResult());
          sum && sum->reduce == reduce) {
        made[part].map(reduce.getResult(),
                       made[part].lookup(reduce.getOperand()));
        continue;
      }
    build(&op, part);
  }
  SmallVector<Value> yielded;
  for (Value value : yield->getOperands())
    yielded.push_back(made[part].lookupOrDefault(value));
  YieldOp::create(builder, yield->getLoc(), yielded);
  // Erases operands that were recreated with another size.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(own.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  made[part].map(layer.getResults(), own.getResults());
}

SmallVector<Value> BatchBuilder::getShards(ArrayRef<Value> values,
                                           const PartValue &own) {
  if (own.shards == 1)
    return SmallVector<Value>(values);
  SmallVector<Value> shards;
  for (int64_t shard = 0; shard < own.shards; ++shard)
    for (Value value : values)
      shards.push_back(createSlice(builder, value, own.dim,
                                   shard * own.partSize, own.partSize));
  return shards;
}

Value BatchBuilder::getWhole(Value value) {
  const PartValue *own = batch.lookUp(value);
  if (!own)
    return value;
  Value &whole = wholes[value];
  if (whole)
    return whole;
  SmallVector<Value> values;
  for (IRMapping &mapping : made)
    values.push_back(mapping.lookup(value));
  Location loc = value.getLoc();
  if (own->kind == PartKind::Cut)
    return whole = AssembleOp::create(builder, loc, value.getType(),
                                      getShards(values, *own), own->dim);
  Value sum = values.front();
  for (Value more : ArrayRef(values).drop_front())
    sum = arith::AddFOp::create(builder, loc, sum, more);
  if (AllReduceOp reduce = own->reduce) {
    Operation *clone = reduce->clone();
    clone->setOperand(0, sum);
    sum = builder.insert(clone)->getResult(0);
  }
  return whole = sum;
}

void BatchBuilder::run() {
  Block &entry = function.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : entry)
    ops.push_back(&op);
  cutArguments();
  SmallVector<Operation *> done;
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    if (!batch.isOfParts(op)) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(getWhole(operand.get()));
      continue;
    }
    done.push_back(op);
    for (int64_t part = 0; part < batch.parts; ++part) {
      if (auto layer = dyn_cast<LayerOp>(op))
        buildLayer(layer, part);
      else
        build(op, part)->setAttr(kSubBatchAttrName, getPartAttr(part));
    }
    // Combines gradients of weights as soon as they are available.
    for (Value result : op->getResults())
      if (const PartValue *own = batch.lookUp(result);
          own && own->kind == PartKind::Sum && !result.use_empty())
        getWhole(result);
  }
  for (Operation *op : llvm::reverse(done)) {
    op->dropAllUses();
    op->erase();
  }
}

bool moe::splitBatch(ModuleOp module, int64_t parts, SlotSharing slots,
                     std::string &reason,
                     llvm::SmallVectorImpl<std::string> &changed) {
  std::vector<BatchParts> found;
  RowProvenance rows(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    bool hasLayers = false;
    WalkResult cut = function.walk([&](Operation *op) {
      hasLayers |= isa<LayerOp>(op);
      return getPart(op) || isa<TaskOp, PipelineOp>(op)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (cut.wasInterrupted()) {
      reason = "expected a program whose batch and layers are whole and not "
               "scheduled yet, got tasks, pipelines or parts";
      return false;
    }
    if (!hasLayers)
      continue;
    std::optional<BatchParts> batch = findBatchParts(
        function, parts, slots == SlotSharing::Share, rows, reason);
    if (!batch)
      return false;
    found.push_back(std::move(*batch));
  }
  if (found.empty()) {
    reason = "expected a function with moe.layer, got none";
    return false;
  }
  for (const BatchParts &batch : found) {
    for (LayerOp layer : batch.changed)
      changed.push_back(LayerOp(layer).getName().str());
    BatchBuilder(batch).run();
  }
  return true;
}

namespace {

struct SplitBatch : public moe::impl::SplitBatchBase<SplitBatch> {
  using SplitBatchBase::SplitBatchBase;

  void runOnOperation() override {
    Location loc = getOperation().getLoc();
    if (parts < 1) {
      emitError(loc) << getArgument() << ": expected sub-batches of at least 1, got "
                     << parts.number;
      return signalPassFailure();
    }
    if (parts == 1)
      return;
    auto options =
        remark::RemarkOpts::name("split-batch").category(getArgument());
    std::string reason;
    SmallVector<std::string> changed;
    if (!splitBatch(getOperation(), parts, slots, reason, changed)) {
      moe::missed(loc, options) << remark::reason("{0}", reason);
      return;
    }
    moe::passed(loc, options) << remark::add("runs in parts of its batch")
                              << remark::metric("parts", parts.number);
    for (const std::string &name : changed)
      moe::passed(loc, options) << remark::add(
          "changing: layer {0} may drop other tokens, each part has its share "
          "of the slots",
          name);
  }
};

} // namespace

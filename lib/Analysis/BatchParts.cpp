// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with a batch that runs in sub-batches.

#include "BatchFinder.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

using PartKind = PartValue::Kind;

bool BatchParts::isOfParts(Operation *op) const {
  if (isa<LayerOp>(op))
    return true;
  return llvm::any_of(op->getResults(), [&](Value v) { return lookUp(v); });
}

Type BatchParts::getPartType(Value value) const {
  const PartValue *part = lookUp(value);
  if (!part || part->kind != PartKind::Cut)
    return value.getType();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[part->dim] = part->shards * part->partSize;
  return type.clone(shape);
}

/// Collects the arguments that tokens originate from.
static void findArguments(Value value, llvm::SetVector<Value> &seen) {
  if (!seen.insert(value))
    return;
  Operation *op = value.getDefiningOp();
  if (op && op->getNumRegions() == 0 &&
      (isa<AllGatherOp, ReduceScatterOp, AllReduceOp, HookOp>(op) ||
       OpTrait::hasElementwiseMappableTraits(op)))
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        findArguments(operand, seen);
}

bool BatchFinder::findTokens() {
  llvm::SetVector<Value> seen;
  batch.function.walk([&](Operation *op) {
    for (Value value :
         llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
             .Case([](GateOp gate) {
               return SmallVector<Value>{gate.getTokens()};
             })
             .Case([](DenseOp dense) {
               return SmallVector<Value>{dense.getOperand()};
             })
             .Case<DenseDgradOp, DenseWgradOp>([](auto dense) {
               return SmallVector<Value>{dense.getCotangent()};
             })
             .Case([](ScatterOp scatter) {
               return SmallVector<Value>{scatter.getRows()};
             })
             .Default([](Operation *) { return SmallVector<Value>(); }))
      findArguments(value, seen);
  });
  Block &entry = batch.function.getBody().front();
  batch.tokens = -1;
  for (Value value : seen) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &entry)
      continue;
    int64_t size = getDimSize(value, 0);
    if (batch.tokens >= 0 && size != batch.tokens) {
      reason = "expected arguments of as many tokens each, got " +
               std::to_string(batch.tokens) + " and " + std::to_string(size);
      return false;
    }
    batch.tokens = size;
  }
  if (batch.tokens < 0) {
    reason = "expected tokens that are an argument, got none";
    return false;
  }
  // Dense ops have the number of sequences.
  WalkResult result = batch.function.walk([&](Operation *op) {
    auto sequences = op->getAttrOfType<IntegerAttr>("sequences");
    if (!isa<DenseOp, DenseDgradOp, DenseWgradOp>(op))
      return WalkResult::advance();
    int64_t count = sequences ? sequences.getInt() : 1;
    if (batch.sequences != 0 && count != batch.sequences) {
      refuse(op, "its rows are of " + Twine(count) + " sequences, others of " +
                     Twine(batch.sequences));
      return WalkResult::interrupt();
    }
    batch.sequences = count;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  int64_t count = batch.sequences ? batch.sequences : batch.tokens;
  if (count % batch.parts != 0 || batch.tokens % batch.parts != 0) {
    reason = "expected a number of " +
             std::string(batch.sequences ? "sequences" : "tokens") +
             " that is a multiple of the parts, " +
             std::to_string(batch.parts) + ", got " + std::to_string(count);
    return false;
  }
  batch.partTokens = batch.tokens / batch.parts;
  for (Value value : seen)
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &entry)
      set(value, getTokens());
  return true;
}

bool BatchFinder::visit(Operation *op) {
  auto reads = [&](Operation *reader) {
    return llvm::any_of(reader->getOperands(),
                        [&](Value value) { return lookUp(value); });
  };
  bool readsInside = false;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) { readsInside |= reads(nested); });
  if (readsInside)
    return refuse(op, "it has a region");
  if (!reads(op))
    return true;
  for (Value value : op->getOperands())
    if (const PartValue *part = lookUp(value);
        part && part->kind == PartKind::Sum) {
      // Outside layers, the sum is available to all parts.
      if (!op->getParentOfType<LayerOp>())
        return llvm::all_of(op->getOperands(),
                            [&](Value other) {
                              const PartValue *own = lookUp(other);
                              return !own || own->kind == PartKind::Sum;
                            }) ||
               refuse(op, "it reads tokens and the sum over all parts");
      auto reduce = dyn_cast<AllReduceOp>(op);
      if (!reduce || reduce.getReduction() != Reduction::Sum || part->reduce)
        return refuse(op, "it reads the sum over all parts in a layer");
      PartValue sum = *part;
      sum.reduce = reduce;
      return set(op->getResult(0), sum);
    }
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        !tensor || !tensor.hasStaticShape())
      return refuse(op, "its results are not of a static shape");
  if (op->getNumRegions() != 0)
    return refuse(op, "it has a region");
  // A part places its tokens in other rows than the whole batch does.
  StringRef why = rows.getReason(op);
  return visitOp(op) && (why.empty() || refuse(op, why));
}

bool BatchFinder::visitBlock(Block &block, LayerOp layer) {
  for (Operation &op : block) {
    if (auto inner = dyn_cast<LayerOp>(op)) {
      if (!visitBlock(inner.getBody().front(), inner))
        return false;
      if (!llvm::any_of(inner.getResults(), [&](Value v) { return lookUp(v); }))
        return refuse(inner, "it does not depend on tokens");
      continue;
    }
    if (!op.hasTrait<OpTrait::IsTerminator>()) {
      if (!visit(&op))
        return false;
      // Each part repeats the ops of the layer.
      if (layer && !batch.isOfParts(&op) &&
          (!isMemoryEffectFree(&op) || isa<CollectiveOpInterface>(op)))
        return refuse(&op, "in a layer it does not depend on tokens");
      continue;
    }
    for (auto [i, value] : llvm::enumerate(op.getOperands())) {
      std::optional<PartValue> part;
      if (const PartValue *found = lookUp(value))
        part = *found;
      if (layer && part)
        set(layer.getResult(i), *part);
      if (!layer && part && part->kind != PartKind::Sum && !part->isWhole) {
        reason = ("expected the forward and the backward pass in one function, "
                  "got @" +
                  batch.function.getName() +
                  ", which returns values of a sub-batch for a backward "
                  "function, as --phase=layer imports it; import the step with "
                  "--phase=train, or leave out sub-batches")
                     .str();
        return false;
      }
      // The sum of this weight gradient is added up at its only use.
      AllReduceOp reduce = part ? part->reduce : AllReduceOp();
      if (layer && reduce &&
          !(value == reduce.getResult() && reduce->hasOneUse()))
        return refuse(reduce, "more than the layer's result reads it");
    }
  }
  return true;
}

bool BatchFinder::find() {
  return findTokens() && visitBlock(batch.function.getBody().front(), {});
}

std::optional<BatchParts> moe::findBatchParts(func::FuncOp function,
                                              int64_t parts, bool sharesSlots,
                                              const RowProvenance &rows,
                                              std::string &reason) {
  BatchParts batch;
  batch.function = function;
  batch.parts = parts;
  if (function.isExternal() || !function.getBody().hasOneBlock()) {
    reason = "expected a function of one block";
    return std::nullopt;
  }
  if (!BatchFinder(batch, sharesSlots, rows, reason).find())
    return std::nullopt;
  return batch;
}

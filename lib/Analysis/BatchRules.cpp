// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for the ops of sub-batches.

#include "BatchFinder.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

using PartKind = PartValue::Kind;

bool BatchFinder::visitMoved(Operation *op, int64_t dim) {
  PartValue part = *lookUp(op->getOperand(0));
  if (part.kind != PartKind::Cut || part.dim != dim) {
    set(op->getResult(0), part);
    return true;
  }
  int64_t before = getDimSize(op->getOperand(0), dim);
  int64_t after = getDimSize(op->getResult(0), dim);
  if (after >= before)
    part.shards *= after / before;
  else if (part.shards % (before / after) == 0)
    part.shards /= before / after;
  else
    return refuse(op, "it takes sequences apart");
  return set(op->getResult(0), part);
}

/// Columns of tokens, or the tokens of some of the ranks they originate from.
bool BatchFinder::visitSlice(tensor::ExtractSliceOp op) {
  PartValue part = *lookUp(op.getSource());
  int64_t rank = op.getSourceType().getRank();
  if (part.kind != PartKind::Cut || !op.hasUnitStride() ||
      op.getType().getRank() != rank ||
      ShapedType::isDynamicShape(op.getStaticSizes()) ||
      ShapedType::isDynamicShape(op.getStaticOffsets()))
    return refuse(op, "expected columns or whole shards of tokens");
  int64_t offset = op.getStaticOffset(part.dim);
  int64_t size = op.getStaticSize(part.dim);
  if (size == 0 || offset % part.size != 0 || size % part.size != 0)
    return refuse(op, Twine(size) + " rows from " + Twine(offset) +
                          " on are no whole shards of " + Twine(part.size));
  part.shards = size / part.size;
  return set(op.getResult(), part);
}

/// Consecutive shards of tokens.
bool BatchFinder::visitAssemble(AssembleOp op) {
  std::optional<PartValue> made;
  bool isWhole = true;
  for (Value operand : op.getParts()) {
    const PartValue *part = lookUp(operand);
    if (part &&
        (part->kind != PartKind::Cut || part->dim != int64_t(op.getDim()) ||
         (made &&
          (part->size != made->size || part->partSize != made->partSize ||
           part->slotSize != made->slotSize))))
      return refuse(op, "its operands are of other tokens each");
    if (!part && !isUniformValue(operand))
      return refuse(op, "an operand is the same for all parts");
    if (part) {
      made = *part;
      isWhole &= part->isWhole;
    }
  }
  made->shards = 0;
  made->isWhole = isWhole;
  for (Value operand : op.getParts()) {
    int64_t rows = getDimSize(operand, made->dim);
    if (rows % made->size != 0)
      return refuse(op, Twine(rows) + " rows are no whole shards of " +
                            Twine(made->size));
    made->shards += rows / made->size;
  }
  return set(op.getResult(), *made);
}

bool BatchFinder::visitOrder(PermuteOp op) {
  if (!isOfTokens(op.getTokens()) || !isOfTokens(op.getIds()))
    return refuse(op, "it reads other tokens");
  PartValue buffer;
  buffer.kind = PartKind::Cut;
  buffer.dim = cast<RankedTensorType>(op.getBuffer().getType()).getRank() - 2;
  buffer.size = getDimSize(op.getBuffer(), buffer.dim);
  bool divides = buffer.size % batch.parts == 0;
  buffer.partSize = divides ? buffer.size / batch.parts : batch.partTokens;
  // Each token is sent to the same expert at most once.
  if (buffer.size < batch.tokens) {
    if (!sharesSlots)
      return refuse(op, "of " + Twine(batch.tokens) + " tokens " +
                            Twine(buffer.size) +
                            " slots an expert keep some out, by all of them "
                            "(slots=share of moe-split-batch shares them out)");
    if (!divides)
      return refuse(op, Twine(buffer.size) + " slots are no multiple of the " +
                            "parts");
    if (auto layer = op->getParentOfType<LayerOp>())
      if (!llvm::is_contained(batch.changed, layer))
        batch.changed.push_back(layer);
  }
  PartValue slots = getTokens(1, /*isWhole=*/false);
  slots.slotSize = buffer.size;
  slots.slotPartSize = buffer.partSize;
  return set(op.getBuffer(), buffer) && set(op.getSlots(), slots);
}

bool BatchFinder::visitPlan(RaggedPlanOp op) {
  PartValue part = *lookUp(op.getCounts());
  TokenChunks chunks;
  chunks.plan = op;
  auto all = cast<RankedTensorType>(op.getCounts().getType());
  chunks.ranks = all.getDimSize(all.getRank() - 2);
  chunks.experts = all.getShape().back();
  chunks.choices = part.choices;
  chunks.limit = part.limit = op.getLimit();
  part.partLimit = chunks.getLimit(batch.partTokens);
  for (Value result : op->getResults())
    set(result, part);
  return true;
}

bool BatchFinder::visitExchange(RaggedAllToAllOp op) {
  const PartValue *rows = lookUp(op.getOperand());
  const PartValue *sizes = lookUp(op.getSendSizes());
  for (unsigned i = 2; i < 6; ++i)
    if (const PartValue *other = lookUp(op->getOperand(i));
        !other || other->kind != PartKind::Fixed || other->limit == 0 ||
        other->limit != sizes->limit)
      return refuse(op, "offsets or sizes are of no plan");
  if (!rows || rows->kind != PartKind::Cut || rows->dim != 0 ||
      rows->shards != 1)
    return refuse(op, "it sends what no part has made");
  if (!isUniformValue(op.getInit()))
    return refuse(op, "it writes into what is no tensor.empty");
  PartValue ordered = getTokens(sizes->choices, /*isWhole=*/false);
  PartValue received = ordered;
  received.size = sizes->limit;
  received.partSize = sizes->partLimit;
  const PartValue &made = rows->isCutAs(ordered) ? received : ordered;
  if ((!rows->isCutAs(ordered) && !rows->isCutAs(received)) ||
      getDimSize(op.getResult(), 0) != made.size)
    return refuse(op, "it sends or brings other rows than are planned");
  return set(op.getResult(), made);
}

template <typename OpT> bool BatchFinder::visitDense(OpT op, Value rows) {
  for (Value operand : op->getOperands()) {
    const PartValue *part = lookUp(operand);
    if (!part || part->kind != PartKind::Cut || part->dim != 0 ||
        !part->isWhole || part->size != batch.tokens)
      return refuse(op, "it reads other tokens");
    if (part->shards != int64_t(op.getShards()))
      return refuse(op, "its rows are of " + Twine(op.getShards()) +
                            " shards, and of " + Twine(part->shards) +
                            " where they come from");
  }
  if (int64_t(op.getMacs()) % batch.parts != 0)
    return refuse(op, "its macs are no multiple of the parts");
  PartValue part = *lookUp(rows);
  if constexpr (std::is_same_v<OpT, DenseWgradOp>) {
    part = PartValue();
    part.kind = PartKind::Sum;
  }
  return set(op->getResult(0), part);
}

/// Experts on runs of received rows.
template <typename OpT> bool BatchFinder::visitRuns(OpT op) {
  const PartValue *rows = lookUp(op.getTokens());
  const PartValue *offsets = lookUp(op.getRunOffsets());
  const PartValue *sizes = lookUp(op.getRunSizes());
  if (!rows || rows->kind != PartKind::Cut || rows->dim != 0 || !offsets ||
      !sizes || offsets->kind != PartKind::Fixed ||
      sizes->kind != PartKind::Fixed)
    return refuse(op, "expected rows received by a plan of their own");
  if constexpr (!std::is_same_v<OpT, ExpertsOp>) {
    const PartValue *cotangent = lookUp(op.getCotangent());
    if (!cotangent || !cotangent->isCutAs(*rows))
      return refuse(op, "its gradient is of other rows");
  }
  PartValue made = *rows;
  if constexpr (std::is_same_v<OpT, ExpertsWgradOp>) {
    made = PartValue();
    made.kind = PartKind::Sum;
  }
  for (Value result : op->getResults())
    set(result, made);
  return true;
}

bool BatchFinder::visitByDims(Operation *op) {
  std::optional<DimMap> map = getDimMap(op);
  bool moves = isa<AllReduceOp, AllToAllOp, HookOp, tensor::ExpandShapeOp,
                   tensor::CollapseShapeOp>(op);
  if (!map || (!map->isPartwise && !moves))
    return refuse(op, "nothing says that it does");
  for (auto [r, result] : llvm::enumerate(op->getResults())) {
    std::optional<PartValue> made;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      const PartValue *part = lookUp(operand);
      if (!part)
        continue;
      if (part->kind != PartKind::Cut)
        return refuse(op, "it reads what only a part has");
      std::optional<unsigned> dim = map->getResultDim(i, part->dim, r);
      if (!dim)
        return refuse(op, "the tokens of operand " + Twine(i) +
                              " are not those of its result");
      PartValue own = *part;
      own.dim = *dim;
      if (made && (!made->isCutAs(own) || made->dim != own.dim))
        return refuse(op, "its operands are of other tokens each");
      if (made)
        own.isWhole &= made->isWhole;
      made = own;
    }
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      if (!made || lookUp(operand) || !map->getOperandDim(r, made->dim, i) ||
          isUniformValue(operand))
        continue;
      // The operand is the tokens of another argument.
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument ||
          argument.getOwner() != &batch.function.getBody().front() ||
          made->dim != 0 || !made->isCutAs(getTokens()))
        return refuse(op, "operand " + Twine(i) + " is the same for all parts");
      set(operand, getTokens());
    }
    if (made)
      set(result, *made);
  }
  return true;
}

bool BatchFinder::visitOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](GateOp gate) {
        if (gate.getSeed())
          return refuse(op, "it goes by the numbers of tokens");
        if (!isOfTokens(gate.getTokens()))
          return refuse(op, "it reads other tokens");
        return set(gate.getIds(), getTokens()) &&
               set(gate.getWeights(), getTokens());
      })
      .Case([&](GateGradOp gate) {
        for (Value value :
             {gate.getTokens(), gate.getIds(), gate.getCotangent()})
          if (!isOfTokens(value))
            return refuse(op, "it reads other tokens");
        if (gate.getSeed())
          return refuse(op, "it goes by the numbers of tokens");
        // The router and any other weights have gradients that are sums.
        PartValue sum;
        sum.kind = PartKind::Sum;
        for (Value result : op->getResults())
          set(result, sum);
        return set(gate.getTokensGradient(), getTokens());
      })
      .Case([&](ExpertCountsOp counts) {
        auto ids = cast<RankedTensorType>(counts.getIds().getType());
        if (!isOfTokens(counts.getIds()) || ids.getRank() != 2)
          return refuse(op, "it counts other tokens");
        PartValue part;
        part.choices = ids.getDimSize(1);
        return set(counts.getCounts(), part);
      })
      .Case([&](PermuteRowsOp order) {
        if (!isOfTokens(order.getTokens()) || !isOfTokens(order.getIds()))
          return refuse(op, "it reads other tokens");
        PartValue rows = getTokens(getDimSize(order.getIds(), 1), false);
        PartValue slots = getTokens(1, false);
        slots.slotSize = rows.size;
        slots.slotPartSize = rows.partSize;
        return set(order.getRows(), rows) && set(order.getSlots(), slots);
      })
      .Case([&](PermuteOp order) { return visitOrder(order); })
      .Case([&](RaggedPlanOp plan) { return visitPlan(plan); })
      .Case([&](RaggedAllToAllOp exchange) { return visitExchange(exchange); })
      .Case<UnpermuteOp, UnpermuteWgradOp>([&](auto unpermute) {
        const PartValue *buffer = lookUp(unpermute.getBuffer());
        const PartValue *slots = lookUp(unpermute.getSlots());
        if (!isOfTokens(unpermute.getSlots()) || !buffer ||
            buffer->kind != PartKind::Cut || buffer->shards != 1 ||
            buffer->size != slots->slotSize ||
            buffer->partSize != slots->slotPartSize)
          return refuse(op, "it brings back other rows");
        Value other = op->getOperand(isa<UnpermuteOp>(op) ? 2 : 0);
        if (!isOfTokens(other) &&
            !(isa<UnpermuteOp>(op) && !lookUp(other) && isUniformValue(other)))
          return refuse(op, "it reads other tokens");
        return set(op->getResult(0), getTokens());
      })
      .Case([&](ScatterOp scatter) {
        const PartValue *slots = lookUp(scatter.getSlots());
        if (!isOfTokens(scatter.getRows()) || !isOfTokens(scatter.getSlots()) ||
            slots->slotSize == 0 ||
            (scatter.getWeights() && !isOfTokens(scatter.getWeights()) &&
             !isUniformValue(scatter.getWeights())))
          return refuse(op, "it reads other tokens");
        PartValue made = getTokens(1, false);
        int64_t rank = scatter.getResult().getType().getRank();
        made.dim = rank - 2;
        made.size = slots->slotSize;
        made.partSize = slots->slotPartSize;
        if (getDimSize(scatter.getResult(), made.dim) != made.size)
          return refuse(op, "it makes other rows");
        return set(scatter.getResult(), made);
      })
      .Case(
          [&](DenseOp dense) { return visitDense(dense, dense.getOperand()); })
      .Case<DenseDgradOp, DenseWgradOp>(
          [&](auto dense) { return visitDense(dense, dense.getTokens()); })
      .Case<ExpertsOp, ExpertsDgradOp>([&](auto experts) {
        return experts.getRunSizes() ? visitRuns(experts) : visitByDims(op);
      })
      .Case([&](ExpertsWgradOp experts) {
        if (experts.getRunSizes())
          return visitRuns(experts);
        const PartValue *rows = lookUp(experts.getTokens());
        const PartValue *cotangent = lookUp(experts.getCotangent());
        if (!rows || !cotangent || !rows->isCutAs(*cotangent) ||
            rows->dim != cotangent->dim || rows->dim == 0)
          return refuse(op, "its gradient is of other rows");
        PartValue sum;
        sum.kind = PartKind::Sum;
        for (Value result : op->getResults())
          set(result, sum);
        return true;
      })
      .Case<AllGatherOp, ReduceScatterOp, DropOp>(
          [&](auto moved) { return visitMoved(op, moved.getDim()); })
      .Case([&](tensor::ExtractSliceOp slice) { return visitSlice(slice); })
      .Case([&](AssembleOp assemble) {
        auto isAlong = [&](Value operand) {
          const PartValue *part = lookUp(operand);
          return part && part->dim == int64_t(assemble.getDim());
        };
        return llvm::any_of(assemble.getParts(), isAlong)
                   ? visitAssemble(assemble)
                   : visitByDims(op);
      })
      .Default([&](Operation *) {
        // The sizes of an exchange, reshaped and gathered.
        if (llvm::all_of(op->getOperands(),
                         [&](Value value) {
                           const PartValue *part = lookUp(value);
                           return part && part->kind == PartKind::Fixed;
                         }) &&
            isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
          return set(op->getResult(0), *lookUp(op->getOperand(0)));
        return visitByDims(op);
      });
}

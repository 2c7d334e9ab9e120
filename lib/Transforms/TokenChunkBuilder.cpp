// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a layer's tokens into chunks.

#include "moe/Transforms/TokenChunkBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/MoE/DimViews.h"
#include "moe/Transforms/ChunkOrder.h"

using namespace mlir;
using namespace moe;

using ChunkKind = ChunkValue::Kind;

/// Returns `type` with another outermost size.
static RankedTensorType withLength(Type type, int64_t length) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.front() = length;
  return tensor.clone(shape);
}

/// Returns `size` slices of a value from `offset` along `dim`; the value itself
/// if that is all.
static Value slice(OpBuilder &builder, Location loc, Value value, int64_t dim,
                   int64_t offset, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(dim) == size)
    return value;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  for (int64_t extent : type.getShape())
    sizes.push_back(builder.getIndexAttr(extent));
  offsets[dim] = builder.getIndexAttr(offset);
  sizes[dim] = builder.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(builder, loc, value, offsets, sizes,
                                        strides);
}

/// Joins values along `dim`; returns a single value unchanged.
static Value join(OpBuilder &builder, Location loc, ArrayRef<Value> parts,
                  int64_t dim) {
  if (parts.size() == 1)
    return parts.front();
  auto type = cast<RankedTensorType>(parts.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 0;
  for (Value part : parts)
    shape[dim] += cast<RankedTensorType>(part.getType()).getDimSize(dim);
  return AssembleOp::create(builder, loc, type.clone(shape), parts, dim);
}

namespace {

/// Consecutive chunks of the same size.
struct Part {
  /// The first chunk, the number of chunks, and the tokens per chunk.
  int64_t first, degree, tokens;
  /// The first token.
  int64_t offset;
  int64_t getTokens() const { return degree * tokens; }
};

using GetOrder = function_ref<SmallVector<LaunchStage>(Block *)>;

class TokenPipelines {
public:
  TokenPipelines(const TokenChunks &layer, int64_t degree, CopyPlacement copies,
                 GetOrder getOrder)
      : chunks(layer), copies(copies), getOrder(getOrder),
        builder(chunks.plan->getContext()) {
    int64_t size = chunks.tokens / degree, larger = chunks.tokens % degree;
    if (larger > 0)
      parts.push_back({0, larger, size + 1, 0});
    if (larger < degree)
      parts.push_back({larger, degree - larger, size, larger * (size + 1)});
    limit = chunks.getLimit(parts.front().tokens);
    nodeLimit = chunks.getNodeLimit(parts.front().tokens);
  }

  void run();

private:
  /// Builds the counts of all chunks and exchanges them, [..., degree,
  /// experts].
  void buildCounts();
  void buildPipelines(ChunkedOps pipeline);
  PipelineOp buildPipeline(const ChunkedOps &pipeline, const Part &part,
                           ArrayRef<Value> handedOut);
  /// Replaces a value by the joined values of the chunks.
  void replace(Value value, ArrayRef<Value> made);

  const ChunkValue *lookUp(Value value) const {
    auto it = chunks.values.find(value);
    return it == chunks.values.end() ? nullptr : &it->second;
  }
  /// Returns the type of a value inside one chunk.
  Type getChunkType(Value value, const Part &part) const {
    const ChunkValue *chunk = lookUp(value);
    if (std::optional<int64_t> length = getUnit(chunk->kind, part))
      return withLength(value.getType(), chunk->factor * *length);
    return value.getType();
  }
  /// Returns the outermost size of a chunk's value for a factor of 1; nullopt
  /// if it does not depend on the chunk.
  std::optional<int64_t> getUnit(ChunkKind kind, const Part &part) const {
    switch (kind) {
    case ChunkKind::Tokens:
      return part.tokens;
    case ChunkKind::Rows:
      return limit;
    case ChunkKind::NodeRows:
      return nodeLimit;
    case ChunkKind::Fixed:
    case ChunkKind::Part:
      return std::nullopt;
    }
    llvm_unreachable("unknown kind");
  }
  /// Returns the type of a buffer that is recreated per chunk: the length of
  /// the result that is exchanged or computed into it, or of the op's slots.
  Type getRemadeType(OpOperand &operand, const Part &part) const;
  /// Returns the counts per expert or node of the chunks of a part.
  Value countPart(ExpertCountsOp like, const Part &part);
  /// Recreates a buffer of undefined or equal elements with another type.
  static Value remake(OpBuilder &builder, Location loc, Value value, Type type);
  /// Changes layers that return a value to return its stack.
  void handOn(Value value, Value stack);
  /// Returns the replacement of the value for all chunks.
  Value getStack(Value value) const {
    Value stack = stacks.lookup(value);
    return stack ? stack : value;
  }

  /// Returns the launch order of a pipeline; null for none.
  ArrayAttr getOrderAttr(const ChunkedOps &pipeline) const;

  TokenChunks chunks;
  CopyPlacement copies;
  GetOrder getOrder;
  OpBuilder builder;
  SmallVector<Part, 2> parts;
  int64_t limit, nodeLimit;
  Value counts;
  /// Stacks of values that only exist per chunk.
  llvm::DenseMap<Value, Value> stacks;
};

} // namespace

Value TokenPipelines::remake(OpBuilder &builder, Location loc, Value value,
                             Type type) {
  auto tensor = cast<RankedTensorType>(type);
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, loc,
                                     constant.resizeSplat(tensor));
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return tensor::SplatOp::create(builder, loc, tensor, splat.getInput());
  return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                 tensor.getElementType());
}

Type TokenPipelines::getRemadeType(OpOperand &operand, const Part &part) const {
  Operation *op = operand.getOwner();
  Type type = operand.get().getType();
  Value slots;
  if (auto unpermute = dyn_cast<UnpermuteOp>(op))
    slots = unpermute.getSlots();
  else if (auto scatter = dyn_cast<ScatterOp>(op))
    slots = scatter.getSlots();
  else if (!isa<UnpermuteWgradOp>(op))
    return withLength(
        type, cast<RankedTensorType>(getChunkType(op->getResult(0), part))
                  .getDimSize(0));
  // All other buffers have one row per token.
  const ChunkValue *chunk = slots ? lookUp(slots) : nullptr;
  return withLength(type,
                    *getUnit(chunk ? chunk->kind : ChunkKind::Tokens, part));
}

Value TokenPipelines::countPart(ExpertCountsOp like, const Part &part) {
  Location loc = like.getLoc();
  auto type = cast<RankedTensorType>(like.getCounts().getType());
  Value some =
      slice(builder, loc, like.getIds(), 0, part.offset, part.getTokens());
  some = cutDim(builder, loc, some, 0, part.degree);
  return ExpertCountsOp::create(
      builder, loc, type.clone({part.degree, type.getDimSize(0)}), some);
}

void TokenPipelines::buildCounts() {
  Operation *last = !chunks.exchange.empty() ? chunks.exchange.back()
                    : chunks.bothCounts      ? chunks.bothCounts.getOperation()
                                             : chunks.counts.getOperation();
  builder.setInsertionPointAfter(last);
  Location loc = chunks.counts.getLoc();
  SmallVector<Value> counted;
  for (const Part &part : parts) {
    Value experts = countPart(chunks.counts, part);
    if (!chunks.nodeCounts) {
      counted.push_back(experts);
      continue;
    }
    Value both[] = {experts, countPart(chunks.nodeCounts, part)};
    counted.push_back(join(builder, chunks.bothCounts.getLoc(), both, 1));
  }
  counts = join(builder, loc, counted, 0);
  for (Operation *op : chunks.exchange) {
    auto before = cast<RankedTensorType>(counts.getType());
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      counts = cutDim(builder, op->getLoc(), counts, 0,
                      expand.getResultType().getDimSize(0));
      continue;
    }
    auto gather = cast<AllGatherOp>(op);
    SmallVector<int64_t> shape(before.getShape());
    shape[gather.getDim()] =
        cast<RankedTensorType>(gather.getType()).getDimSize(gather.getDim());
    IRMapping mapping;
    mapping.map(gather.getOperand(), counts);
    Operation *clone = gather->clone(mapping);
    clone->getResult(0).setType(before.clone(shape));
    counts = builder.insert(clone)->getResult(0);
  }
}

ArrayAttr TokenPipelines::getOrderAttr(const ChunkedOps &pipeline) const {
  if (!getOrder || parts.size() > 1 || getChunkStages(pipeline.ops).empty())
    return ArrayAttr();
  MLIRContext *context = builder.getContext();
  auto stages = llvm::map_to_vector(
      getOrder(pipeline.block), [&](LaunchStage stage) -> Attribute {
        return LaunchStageAttr::get(context, stage);
      });
  return stages.empty() ? ArrayAttr() : ArrayAttr::get(context, stages);
}

PipelineOp TokenPipelines::buildPipeline(const ChunkedOps &pipeline,
                                         const Part &part,
                                         ArrayRef<Value> handedOut) {
  Location loc = pipeline.ops.back()->getLoc();
  SmallVector<Value> operands;
  SmallVector<int64_t> splitDims;
  Block block;
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(&block);
  // The replacements of values inside one chunk: cut, and whole.
  IRMapping cut, whole;
  // Adds a region argument: `value` cut along `dim`, or the whole value for -1.
  auto addOperand = [&](Value value, int64_t dim, int64_t length) {
    operands.push_back(value);
    splitDims.push_back(dim);
    auto type = cast<RankedTensorType>(value.getType());
    if (dim >= 0) {
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] = length;
      type = type.clone(shape);
    }
    return block.addArgument(type, value.getLoc());
  };
  auto getChunk = [&](OpOperand &operand) -> Value {
    Value value = operand.get();
    const ChunkValue *chunk = lookUp(value);
    bool isLocal = chunk && !chunk->isWhole;
    ChunkInput input = isLocal ? ChunkInput::Cut : getChunkInput(operand);
    IRMapping &known = input == ChunkInput::Whole ? whole : cut;
    if (Value made = known.lookupOrNull(value))
      return made;
    Value made;
    if (operand.getOwner() == chunks.plan) {
      int64_t dim = cast<RankedTensorType>(counts.getType()).getRank() - 2;
      Value some = slice(builder, loc, counts, dim, part.first, part.degree);
      made = joinDim(inside, loc, addOperand(some, dim, 1), dim - 1);
    } else if (input == ChunkInput::Whole) {
      made = value;
    } else if (input == ChunkInput::Remade) {
      return remake(inside, loc, value, getRemadeType(operand, part));
    } else if (!isLocal) {
      Value some = slice(builder, loc, value, 0, part.offset, part.getTokens());
      made = addOperand(some, 0, part.tokens);
    } else if (chunk->kind == ChunkKind::Tokens) {
      // [tokens, factor, ...], or [tokens, ...] for a factor of 1.
      Value some = slice(builder, loc, getStack(value), 0, part.offset,
                         part.getTokens());
      made = addOperand(some, 0, part.tokens);
      if (chunk->factor > 1)
        made = joinDim(inside, loc, made, 0);
    } else {
      Value some =
          slice(builder, loc, getStack(value), 0, part.first, part.degree);
      made = joinDim(inside, loc, addOperand(some, 0, 1), 0);
    }
    known.map(value, made);
    return made;
  };

  for (Operation *op : pipeline.ops) {
    SmallVector<Value> read;
    for (OpOperand &operand : op->getOpOperands())
      read.push_back(getChunk(operand));
    Operation *clone = op->clone();
    clone->setOperands(read);
    shareStatedTime(clone, part.degree);
    for (auto [old, result] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      result.setType(getChunkType(old, part));
    if (auto plan = dyn_cast<RaggedPlanOp>(clone))
      plan.setLimit(limit);
    if (auto plan = dyn_cast<NodePlanOp>(clone)) {
      plan.setLimit(limit);
      plan.setNodeLimit(nodeLimit);
    }
    inside.insert(clone);
    for (auto [old, result] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      cut.map(old, result);
  }

  SmallVector<Value> yielded;
  SmallVector<Type> resultTypes;
  SmallVector<int64_t> concatDims;
  for (Value value : handedOut) {
    const ChunkValue *chunk = lookUp(value);
    Value made = cut.lookup(value);
    bool isStack = chunk->kind == ChunkKind::Rows ||
                   chunk->kind == ChunkKind::NodeRows ||
                   chunk->kind == ChunkKind::Fixed;
    if (isStack)
      made = cutDim(inside, loc, made, 0, 1);
    else if (chunk->kind == ChunkKind::Tokens && chunk->factor > 1)
      made = cutDim(inside, loc, made, 0, part.tokens);
    yielded.push_back(made);
    concatDims.push_back(chunk->kind == ChunkKind::Part ? -1 : 0);
    Type type = made.getType();
    if (chunk->kind != ChunkKind::Part)
      type = withLength(type, isStack ? part.degree : part.getTokens());
    resultTypes.push_back(type);
  }
  YieldOp::create(inside, loc, yielded);

  MLIRContext *context = builder.getContext();
  auto made = PipelineOp::create(
      builder, loc, resultTypes, operands, static_cast<uint64_t>(part.degree),
      DenseI64ArrayAttr(),
      copies == CopyPlacement::Own ? CopyPlacementAttr()
                                   : CopyPlacementAttr::get(context, copies),
      getOrderAttr(pipeline), builder.getDenseI64ArrayAttr(splitDims),
      builder.getDenseI64ArrayAttr(concatDims));
  Block &body = made.getBody().emplaceBlock();
  for (BlockArgument argument : block.getArguments())
    argument.replaceAllUsesWith(
        body.addArgument(argument.getType(), argument.getLoc()));
  body.getOperations().splice(body.end(), block.getOperations());
  return made;
}

void TokenPipelines::buildPipelines(ChunkedOps pipeline) {
  // Earlier pipelines may have moved some of the ops.
  llvm::sort(pipeline.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::DenseSet<Operation *> inside(pipeline.ops.begin(), pipeline.ops.end());
  // The values that other ops of the layer, or other pipelines, read.
  SmallVector<Value> handedOut;
  for (Operation *op : pipeline.ops)
    for (Value value : op->getResults())
      if (llvm::any_of(value.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        handedOut.push_back(value);
  Operation *last = pipeline.ops.back();
  // Ops that read the results must wait for all chunks.
  SmallVector<Operation *> later;
  llvm::DenseSet<Operation *> isLater;
  for (Operation *op = pipeline.ops.front(); op != last;
       op = op->getNextNode()) {
    if (inside.contains(op))
      continue;
    bool reads = false;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (Operation *maker = pipeline.block->findAncestorOpInBlock(*def))
            reads |= maker != op &&
                     (inside.contains(maker) || isLater.contains(maker));
    });
    if (reads) {
      later.push_back(op);
      isLater.insert(op);
    }
  }
  builder.setInsertionPoint(last);
  SmallVector<SmallVector<Value>> made(handedOut.size());
  for (const Part &part : parts) {
    PipelineOp op = buildPipeline(pipeline, part, handedOut);
    for (auto [values, result] : llvm::zip_equal(made, op.getResults()))
      values.push_back(result);
  }
  for (auto [value, values] : llvm::zip_equal(handedOut, made))
    replace(value, values);
  Operation *place = last;
  for (Operation *op : later) {
    op->moveAfter(place);
    place = op;
  }
}

void TokenPipelines::replace(Value value, ArrayRef<Value> made) {
  const ChunkValue *chunk = lookUp(value);
  Location loc = value.getLoc();
  if (chunk->kind == ChunkKind::Part) {
    Value sum = made.front();
    for (Value part : made.drop_front())
      sum = arith::AddFOp::create(builder, loc, sum, part);
    value.replaceAllUsesWith(sum);
    return;
  }
  Value all = join(builder, loc, made, 0);
  if (chunk->isWhole)
    value.replaceAllUsesWith(all);
  else
    stacks[value] = all;
}

void TokenPipelines::handOn(Value value, Value stack) {
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    auto layer = dyn_cast<LayerOp>(use.getOwner()->getParentOp());
    if (!layer || !isa<YieldOp>(use.getOwner()))
      continue;
    Value result = layer.getResult(use.getOperandNumber());
    use.set(stack);
    result.setType(stack.getType());
    handOn(result, result);
  }
}

void TokenPipelines::run() {
  buildCounts();
  for (const ChunkedOps &pipeline : chunks.pipelines) {
    buildPipelines(pipeline);
    for (Operation *op : pipeline.ops)
      for (Value value : op->getResults())
        if (Value stack = stacks.lookup(value))
          handOn(value, stack);
  }
  for (const ChunkedOps &pipeline : llvm::reverse(chunks.pipelines))
    for (Operation *op : llvm::reverse(pipeline.ops)) {
      SmallVector<Value> read(op->getOperands());
      op->dropAllUses();
      op->erase();
      for (Value value : read)
        if (auto empty = value.getDefiningOp<tensor::EmptyOp>();
            empty && empty->use_empty())
          empty->erase();
    }
  for (Operation *op : llvm::reverse(chunks.exchange))
    if (op->use_empty())
      op->erase();
  if (chunks.bothCounts && chunks.bothCounts->use_empty())
    chunks.bothCounts->erase();
  for (ExpertCountsOp counted : {chunks.counts, chunks.nodeCounts})
    if (counted && counted->use_empty())
      counted->erase();
}

void moe::buildTokenChunks(const TokenChunks &chunks, int64_t degree,
                           CopyPlacement copies, GetOrder getOrder) {
  TokenPipelines(chunks, degree, copies, getOrder).run();
}

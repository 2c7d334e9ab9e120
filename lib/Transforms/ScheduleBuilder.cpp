// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the schedule of a function.

#include "ScheduleBuilder.h"
#include "ChunkForwarding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "moe/Analysis/GradientUses.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Transforms/ModulePlatform.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

StreamAssignment::StreamAssignment(SymbolTable &symbols,
                                   ArrayRef<std::string> priorities,
                                   CollectiveStreams collectives)
    : symbols(symbols), priorities(priorities), collectives(collectives) {}

FlatSymbolRefAttr StreamAssignment::getStream(Operation *op,
                                              Operation *before) {
  unsigned priority = 0;
  // A branch or loop that is one task uses the stream of its first collective
  // between nodes, or else of its first collective.
  if (op->getNumRegions() != 0) {
    Operation *first = nullptr;
    op->walk([&](CollectiveOpInterface nested) {
      bool isInter = getResource(nested) == ResourceKind::Inter;
      if (!first || isInter)
        first = nested;
      return isInter ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (first)
      op = first;
  }
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (isApart(op))
    priority = std::max<unsigned>(1, priorities.size());
  else if (collective && collectives != CollectiveStreams::One)
    priority = getPriority(collective.getGroup());
  return getStream(getResource(op), priority, before);
}

FlatSymbolRefAttr StreamAssignment::getCopyStream(Operation *before) {
  return getStream(ResourceKind::Copy, 0, before);
}

FlatSymbolRefAttr StreamAssignment::getComputeStream(Operation *before) {
  return getStream(ResourceKind::Compute, 0, before);
}

std::optional<ResourceKind>
StreamAssignment::getResource(FlatSymbolRefAttr stream) const {
  for (auto &[kind, of] : streams)
    if (of == stream && kind.second == 0)
      return kind.first;
  return std::nullopt;
}

FlatSymbolRefAttr StreamAssignment::getStream(ResourceKind resource,
                                              unsigned priority,
                                              Operation *before) {
  FlatSymbolRefAttr &stream = streams[{resource, priority}];
  if (stream)
    return stream;
  // Reuses a stream that is declared for the same purpose.
  for (auto declared : cast<ModuleOp>(symbols.getOp()).getOps<StreamOp>())
    if (declared.getResource() == resource &&
        declared.getPriority().value_or(0) == priority)
      return stream = FlatSymbolRefAttr::get(declared.getSymNameAttr());
  OpBuilder builder(before);
  std::string name = stringifyResourceKind(resource).str();
  IntegerAttr priorityAttr;
  if (priority != 0) {
    name += "_" + (priority < priorities.size() ? priorities[priority]
                                                : std::string("gradients"));
    priorityAttr = builder.getI64IntegerAttr(priority);
  }
  auto declared = StreamOp::create(
      builder, before->getLoc(), builder.getStringAttr(name),
      ResourceKindAttr::get(builder.getContext(), resource), priorityAttr);
  return stream = FlatSymbolRefAttr::get(
             symbols.insert(declared, before->getIterator()));
}

ResourceKind StreamAssignment::getResource(Operation *op) {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
    if (collectives == CollectiveStreams::One)
      return ResourceKind::Inter;
    if (std::optional<bool> inside = staysInside(collective))
      return *inside ? ResourceKind::Intra : ResourceKind::Inter;
    // If the machine is unknown, assumes as MoNTA does that all-to-alls cross
    // nodes, and so do exchanges of data-parallel and pipeline-parallel ranks.
    return isAllToAll(op) || isApart(op) ||
                   getPriority(collective.getGroup()) != 0
               ? ResourceKind::Inter
               : ResourceKind::Intra;
  }
  switch (getLocalResource(op)) {
  case cost::Resource::Inter:
    return ResourceKind::Inter;
  case cost::Resource::Intra:
    return ResourceKind::Intra;
  case cost::Resource::Copy:
    return ResourceKind::Copy;
  case cost::Resource::Compute:
    return ResourceKind::Compute;
  }
  llvm_unreachable("unknown resource");
}

bool StreamAssignment::isApart(Operation *op) const {
  return collectives == CollectiveStreams::GradientsApart &&
         isGradientAllReduce(op);
}

unsigned StreamAssignment::getPriority(GroupAttrInterface group) const {
  std::optional<SmallVector<StringRef>> names = group.getAxisNames();
  if (!names)
    return 0;
  for (auto [i, axis] : llvm::enumerate(priorities))
    for (StringRef name : *names)
      if (name == axis || name == axis + "_outer" || name == axis + "_inner")
        return i;
  return 0;
}

std::optional<bool> StreamAssignment::staysInside(CollectiveOpInterface op) {
  PlatformAttr platform = getPlatformAttr(cast<ModuleOp>(symbols.getOp()));
  if (!platform)
    return std::nullopt;
  auto [it, isNew] = inside.try_emplace(Attribute(op.getGroup()), false);
  if (!isNew)
    return it->second;
  auto groups = getRankGroups(op, op.getGroup());
  return it->second = groups && groups->stayInside(platform.getRanks().front());
}

/// Returns true for ops that take a contiguous slice of a vector.
static bool isPiece(Operation *op) {
  auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op);
  return slice && slice.getSourceType().getRank() == 1 &&
         slice.getType().getRank() == 1 && slice.hasUnitStride() &&
         !ShapedType::isDynamic(slice.getStaticOffset(0)) &&
         !ShapedType::isDynamic(slice.getStaticSize(0));
}

/// Returns true for a chunk size that only reshapes read, because all sizes are
/// static in tasks.
static bool isSizeOfView(Operation *op) {
  return isa<tensor::DimOp>(op) && llvm::all_of(op->getUsers(), isReshape);
}

/// Returns true if an op reads a chunk of a pipeline's operand, possibly
/// reshaped, that is not contiguous.
static bool readsStridedChunk(Value value, PipelineOp pipeline) {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!pipeline || !argument || argument.getOwner()->getParentOp() != pipeline)
    return false;
  unsigned number = argument.getArgNumber();
  int64_t dim = pipeline.getSplitDims()[number];
  return dim >= 0 && !isOutermost(cast<RankedTensorType>(
                                      pipeline.getOperand(number).getType()),
                                  dim);
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

ScheduleOp ScheduleBuilder::run() {
  findVariants();
  Block &body = function.getBody().front();
  Operation *terminator = body.getTerminator();
  builder.setInsertionPoint(terminator);
  scheduleOp = ScheduleOp::create(builder, function.getLoc(),
                                  terminator->getOperandTypes());
  tasks = &scheduleOp.getBody().emplaceBlock();
  SmallVector<Operation *> ops;
  for (Operation &op : body)
    if (&op != scheduleOp && &op != terminator)
      ops.push_back(&op);
  for (Operation *op : ops)
    visit(op);
  SmallVector<Value> results;
  for (Value value : terminator->getOperands())
    results.push_back(resolveResult(value));
  builder.setInsertionPointToEnd(tasks);
  YieldOp::create(builder, terminator->getLoc(), results);
  terminator->setOperands(scheduleOp.getResults());
  for (Operation *op : llvm::reverse(ops))
    if (!kept.contains(op))
      op->erase();
  // Collectives in a branch or loop have their copies in the same task.
  makeCollectivesContiguous(scheduleOp);
  return scheduleOp;
}

void ScheduleBuilder::findVariants() {
  function.walk([&](CollectiveOpInterface op) {
    // Ops in a branch or loop are part of its single task.
    for (Operation *parent = op->getParentOp(); parent != function;
         parent = parent->getParentOp())
      if (!isa<LayerOp, PipelineOp>(parent))
        return;
    std::optional<ContiguousCollective> form = ContiguousCollective::find(op);
    if (!form)
      return;
    // A transpose between a reduce-scatter and an all-gather is only done once.
    if (TransposeOp transpose = form->getTranspose())
      if (!absorbed.insert(transpose).second)
        form->dropTranspose();
    forms.try_emplace(op, *form);
  });
}

void ScheduleBuilder::visit(Operation *op) {
  if (auto inner = dyn_cast<LayerOp>(op))
    return visitLayer(inner);
  if (dissolved.empty())
    part = getPart(op);
  if (auto pipeline = dyn_cast<PipelineOp>(op))
    return unroll(pipeline);
  schedule(op, outside);
}

void ScheduleBuilder::visitLayer(LayerOp op) {
  layer = op.getName();
  phase = op.getPhase();
  part = getPart(op);
  dissolved.push_back(op);
  beforeLayer = tasks->empty() ? TaskOp() : cast<TaskOp>(tasks->back());
  Block &body = op.getBody().front();
  for (Operation &nested : body.without_terminator())
    visit(&nested);
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands()))
    aliases[result] = value;
  layer = "";
  phase = Phase::Forward;
  part.reset();
  dissolved.pop_back();
  beforeLayer = tasks->empty() ? TaskOp() : cast<TaskOp>(tasks->back());
}

void ScheduleBuilder::unroll(PipelineOp pipeline) {
  SmallVector<Lane> lanes;
  int64_t offset = 0;
  for (auto [chunk, size] : llvm::enumerate(pipeline.getChunkSizes())) {
    lanes.push_back(
        {pipeline, static_cast<int64_t>(chunk), offset, size, IRMapping()});
    offset += size;
  }
  SmallVector<Operation *> ops;
  for (Operation &op : pipeline.getBody().front().without_terminator())
    ops.push_back(&op);
  SmallVector<ChunkStage> stages = getChunkStages(ops);
  dissolved.push_back(pipeline);
  SmallVector<ChunkTask> chunkTasks;
  Operation *before = tasks->empty() ? nullptr : &tasks->back();
  for (auto [i, op] : llvm::enumerate(ops)) {
    Operation *last = tasks->empty() ? nullptr : &tasks->back();
    schedule(op, lanes);
    if (stages.empty())
      continue;
    Block::iterator made =
        last ? std::next(last->getIterator()) : tasks->begin();
    for (Operation &task : llvm::make_range(made, tasks->end()))
      chunkTasks.push_back(
          {cast<TaskOp>(task), stages[i], cast<TaskOp>(task).getChunk()});
  }
  if (pipeline.getOrder() && !chunkTasks.empty()) {
    launchInOrder(pipeline.getLaunchStages(), chunkTasks, beforeLayer);
  } else {
    Block::iterator first =
        before ? std::next(before->getIterator()) : tasks->begin();
    SmallVector<TaskOp> unrolled;
    for (Operation &task : llvm::make_range(first, tasks->end()))
      unrolled.push_back(cast<TaskOp>(task));
    orderByChunk(unrolled);
  }
  if (!chunkTasks.empty())
    this->chunkTasks[static_cast<size_t>(phase)] = chunkTasks;
  joinChunks(pipeline, lanes);
  dissolved.pop_back();
}

void ScheduleBuilder::orderByChunk(ArrayRef<TaskOp> tasks) {
  // Tasks of a run read no other chunk. Runs of copies alone keep the order of
  // the ops, because no product waits for them.
  while (!tasks.empty()) {
    bool computes = false;
    ArrayRef<TaskOp> run = tasks.take_while([&](TaskOp task) {
      std::optional<ResourceKind> resource =
          streams.getResource(task.getStreamAttr());
      computes |= resource == ResourceKind::Compute;
      return resource == ResourceKind::Compute ||
             resource == ResourceKind::Copy;
    });
    tasks = tasks.drop_front(std::max<size_t>(run.size(), 1));
    if (!computes)
      continue;
    TaskOp last = run.back();
    int64_t chunks = last.getChunks();
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      for (TaskOp task : run)
        if (task.getChunk() == chunk && task != last) {
          task->moveAfter(last);
          last = task;
        }
  }
}

void ScheduleBuilder::joinChunks(PipelineOp pipeline,
                                 MutableArrayRef<Lane> lanes) {
  llvm::append_range(lanesDone[pipeline], lanes);
  Operation *yield = pipeline.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    Value result = pipeline.getResult(i);
    int64_t dim = pipeline.getConcatDims()[i];
    if (!result.use_empty() && isReadInChunks(pipeline, i, result))
      continue;
    Family family{(dim >= 0 ? "assemble." : "sum.") + getName(pipeline), 1};
    TaskOp task =
        addTask(pipeline.getLoc(),
                dim >= 0 ? streams.getCopyStream(function)
                         : streams.getComputeStream(function),
                family, 0, [&]() -> SmallVector<Value> {
                  SmallVector<Value> parts;
                  for (const Lane &lane : lanes)
                    parts.push_back(resolve(value, lane));
                  if (dim >= 0)
                    return {AssembleOp::create(builder, pipeline.getLoc(),
                                               result.getType(), parts, dim)};
                  return {addUp(pipeline.getLoc(), parts)};
                });
    outside.made.map(result, task.getValues().front());
  }
}

bool ScheduleBuilder::tryEarly(Operation *op) {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  bool isMoved = op->getBlock() != scheduleOp->getBlock();
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value value = operand;
    while (aliases.contains(value))
      value = aliases.lookup(value);
    value = outside.made.lookupOrDefault(value);
    isMoved |= value != operand;
    mapping.map(operand, value);
    auto argument = dyn_cast<BlockArgument>(value);
    bool isArgument =
        argument && argument.getOwner() == &function.getBody().front();
    if (auto shaped = dyn_cast<ShapedType>(value.getType())) {
      // Only offsets and sizes are computed early, no data.
      if (!early.contains(value) || !shaped.getElementType().isIntOrIndex())
        return false;
    } else if (!early.contains(value) && !isArgument) {
      return false;
    }
  }
  if (!isMoved) {
    kept.insert(op);
  } else {
    builder.setInsertionPoint(scheduleOp);
    Operation *clone = builder.clone(*op, mapping);
    outside.made.map(op->getResults(), clone->getResults());
    op = clone;
  }
  early.insert(op->result_begin(), op->result_end());
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ScheduleBuilder::resolve(Value value, const Lane &lane) {
  if (Value made = lane.made.lookupOrNull(value))
    return made;
  if (Value made = outside.made.lookupOrNull(value))
    return made;
  if (auto it = aliases.find(value); it != aliases.end())
    return resolve(it->second, lane);
  if (Operation *op = value.getDefiningOp();
      (isReshape(op) || isPiece(op)) && !kept.contains(op)) {
    Value source = resolve(op->getOperand(0), lane);
    Operation *view;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      view = tensor::ExtractSliceOp::create(
          builder, op->getLoc(), source, slice.getMixedOffsets(),
          slice.getMixedSizes(), slice.getMixedStrides());
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      view = tensor::CollapseShapeOp::create(
          builder, op->getLoc(), source, collapse.getReassociationIndices());
    } else {
      auto expand = cast<tensor::ExpandShapeOp>(op);
      view = tensor::ExpandShapeOp::create(
          builder, op->getLoc(), withChunkSize(expand.getType(), lane.size),
          source, expand.getReassociationIndices());
    }
    carryOver(op, view);
    return view->getResult(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !lane.pipeline ||
      argument.getOwner()->getParentOp() != lane.pipeline)
    return value;
  unsigned number = argument.getArgNumber();
  PipelineOp pipeline = lane.pipeline;
  Value operand = pipeline.getOperand(number);
  while (aliases.contains(operand))
    operand = aliases.lookup(operand);
  if (auto maker = operand.getDefiningOp<PipelineOp>()) {
    unsigned result = cast<OpResult>(operand).getResultNumber();
    if (takesChunks(pipeline, number, maker, result))
      return resolve(
          maker.getBody().front().getTerminator()->getOperand(result),
          lanesDone.at(maker)[lane.chunk]);
  }
  Value whole = resolve(pipeline.getOperand(number), outside);
  int64_t dim = pipeline.getSplitDims()[number];
  if (dim < 0)
    return whole;
  auto type = cast<RankedTensorType>(whole.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(builder.getIndexAttr(extent));
  bool isStack = pipeline.isStack(type, dim);
  offsets[dim] = builder.getIndexAttr(isStack ? lane.chunk : lane.offset);
  extents[dim] = builder.getIndexAttr(isStack ? 1 : lane.size);
  return tensor::ExtractSliceOp::create(builder, pipeline.getLoc(), whole,
                                        offsets, extents, strides);
}

Value ScheduleBuilder::resolveResult(Value value) {
  while (aliases.contains(value))
    value = aliases.lookup(value);
  Operation *op = value.getDefiningOp();
  if (!(isReshape(op) || isPiece(op)) || kept.contains(op) ||
      outside.made.contains(value))
    return resolve(value, outside);
  TaskOp task =
      addTask(op->getLoc(), streams.getCopyStream(function), {getName(op), 1},
              0, [&] { return SmallVector<Value>{resolve(value, outside)}; });
  outside.made.map(value, task.getValues().front());
  return task.getValues().front();
}

Value ScheduleBuilder::addUp(Location loc, ArrayRef<Value> parts) {
  Value sum = parts.front();
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(sum.getType()));
  for (Value part : parts.drop_front())
    sum = isFloat ? arith::AddFOp::create(builder, loc, sum, part).getResult()
                  : arith::AddIOp::create(builder, loc, sum, part).getResult();
  return sum;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

std::string ScheduleBuilder::getName(Operation *op) {
  std::string name;
  if (auto loc = op->getLoc()->findInstanceOf<NameLoc>()) {
    StringRef text = loc.getName();
    name = text.substr(text.rfind('.') + 1).str() + ".";
  }
  // If the name has no dialect prefix, stripDialect returns an empty text.
  StringRef stripped = op->getName().stripDialect();
  name += stripped.empty() ? op->getName().getStringRef() : stripped;
  std::string scope = layer.str() + "/" + stringifyPhase(phase).str();
  unsigned &count = names[{scope, name}];
  return ++count == 1 ? name : name + "." + std::to_string(count);
}

TaskOp ScheduleBuilder::addTask(Location loc, FlatSymbolRefAttr stream,
                                const Family &family, int64_t chunk,
                                function_ref<SmallVector<Value>()> body) {
  // Builds the body first, because it determines the types of the task's
  // values.
  Block block;
  builder.setInsertionPointToStart(&block);
  SmallVector<Value> values = body();
  YieldOp::create(builder, loc, values);
  builder.setInsertionPointToEnd(tasks);
  MLIRContext *context = builder.getContext();
  auto task = TaskOp::create(
      builder, loc, ValueRange(values).getTypes(), TokenType::get(context),
      stream, builder.getStringAttr(family.name),
      builder.getI64IntegerAttr(chunk),
      builder.getI64IntegerAttr(family.chunks), builder.getStringAttr(layer),
      PhaseAttr::get(context, phase), /*after=*/ValueRange());
  if (part)
    task->setAttr(kSubBatchAttrName, builder.getI64IntegerAttr(*part));
  for (Operation *op : llvm::reverse(dissolved))
    carryOver(op, task);
  Block &region = task.getBody().emplaceBlock();
  region.getOperations().splice(region.end(), block.getOperations());
  return task;
}

void ScheduleBuilder::schedule(Operation *op, MutableArrayRef<Lane> lanes) {
  if (isReshape(op) || isPiece(op) || isSizeOfView(op) ||
      absorbed.contains(op) || tryEarly(op))
    return;
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return scheduleCollective(collective, lanes);
  Family family{getName(op), static_cast<int64_t>(lanes.size())};
  for (auto [i, lane] : llvm::enumerate(lanes)) {
    TaskOp task =
        addTask(op->getLoc(), streams.getStream(op, function), family, i, [&] {
          IRMapping local;
          for (Value operand : op->getOperands())
            local.map(operand, resolve(operand, lane));
          // Values that the region of a structured op captures.
          llvm::SetVector<Value> captured;
          getUsedValuesDefinedAbove(op->getRegions(), captured);
          for (Value value : captured)
            local.map(value, resolve(value, lane));
          Operation *clone = builder.clone(*op, local);
          for (Value result : clone->getResults())
            result.setType(withChunkSize(result.getType(), lane.size));
          return SmallVector<Value>(clone->getResults());
        });
    lane.made.map(op->getResults(), task.getValues());
  }
}

void ScheduleBuilder::scheduleCollective(CollectiveOpInterface op,
                                         MutableArrayRef<Lane> lanes) {
  auto it = forms.find(op);
  const ContiguousCollective *form = it == forms.end() ? nullptr : &it->second;
  Family family{getName(op), static_cast<int64_t>(lanes.size())};
  FlatSymbolRefAttr stream = streams.getStream(op, function);
  // Copies only share the stream of a collective if it is not an all-to-all,
  // because they would delay the all-to-all.
  PipelineOp pipeline = lanes.front().pipeline;
  bool inTurn = pipeline && pipeline.getCopies() == CopyPlacement::Intra &&
                !isAllToAll(op);
  auto getCopies = [&] {
    return inTurn ? stream : streams.getCopyStream(function);
  };

  Value source = form ? form->getSource() : op->getOperand(0);
  Value result = form ? form->getResult() : op->getResult(0);
  bool packs = (form && form->packs()) || readsStridedChunk(source, pipeline);
  for (auto [i, lane] : llvm::enumerate(lanes)) {
    Value packed;
    if (packs)
      packed = addTask(op.getLoc(), getCopies(),
                       {"pack." + family.name, family.chunks}, i,
                       [&] {
                         Value value = resolve(source, lane);
                         if (form && form->packs())
                           value = form->buildPack(builder, op.getLoc(), value);
                         return SmallVector<Value>{value};
                       })
                   .getValues()
                   .front();
    TaskOp task = addTask(op.getLoc(), stream, family, i, [&] {
      Value operand = packed ? packed : resolve(source, lane);
      if (form)
        return SmallVector<Value>{form->buildCollective(builder, operand)};
      IRMapping local;
      for (Value other : op->getOperands())
        if (other != source)
          local.map(other, resolve(other, lane));
      local.map(source, operand);
      Operation *clone = builder.clone(*op, local);
      for (Value value : clone->getResults())
        value.setType(withChunkSize(value.getType(), lane.size));
      return SmallVector<Value>(clone->getResults());
    });
    Value made = task.getValues().front();
    if (form && form->unpacks())
      made = addTask(op.getLoc(), getCopies(),
                     {"unpack." + family.name, family.chunks}, i,
                     [&] {
                       return SmallVector<Value>{
                           form->buildUnpack(builder, op.getLoc(), made)};
                     })
                 .getValues()
                 .front();
    lane.made.map(result, made);
  }
}

//===- ChunkedLayer.cpp - What a layer takes in chunks --------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkedLayer.h"
#include "../ScheduleBuilder.h"
#include <cmath>

using namespace mlir;
using namespace moe;

/// Stands for no time: beyond what any layer takes, and finite.
static constexpr double kImpossibleUs = 1e13;

/// Collectives in front of a chain's end that it does not read, perhaps by way
/// of other ops, and that do not read it.
static SmallVector<CollectiveOpInterface> findBeside(const Chain &chain) {
  Block *block = chain.ops.front()->getBlock();
  llvm::DenseSet<Operation *> part(chain.ops.begin(), chain.ops.end());
  for (Operation &op : llvm::reverse(llvm::make_range(
           block->begin(), std::next(chain.ops.back()->getIterator()))))
    if (part.contains(&op))
      for (Value operand : op.getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && def->getBlock() == block)
          part.insert(def);
  std::optional<SmallVector<Operation *>> later = chain.getLaterOps();
  part.insert(later->begin(), later->end());
  SmallVector<CollectiveOpInterface> beside;
  for (Operation &op :
       llvm::make_range(block->begin(), chain.ops.back()->getIterator()))
    if (auto collective = dyn_cast<CollectiveOpInterface>(op))
      if (!part.contains(&op))
        beside.push_back(collective);
  return beside;
}

std::optional<ExpertChain> moe::findExpertChain(LayerOp layer,
                                                std::string &reason) {
  std::optional<ExpertChain> found;
  bool isPipelined = false, exchanges = false;
  layer.walk([&](AllToAllOp op) {
    exchanges = true;
    if (op->getParentOfType<PipelineOp>()) {
      isPipelined = true;
      return WalkResult::advance();
    }
    Chain chain = findChain(op, ChainScope::Layer);
    if (getChunkStages(chain.ops).empty())
      return WalkResult::advance();
    reason.clear();
    std::optional<ChunkDim> dim =
        chooseChunkDim(chain, /*dim=*/std::nullopt, /*degree=*/2, reason);
    if (dim)
      found = ExpertChain{chain, *dim, findBeside(chain)};
    return WalkResult::interrupt();
  });
  if (!found && reason.empty())
    reason = isPipelined ? "the layer has a pipeline"
             : exchanges ? "expected a chain from an all-to-all over experts "
                           "to an all-to-all, in which each op hands its "
                           "value to the next"
                         : "expected an all-to-all, the layer has none";
  return found;
}

static LayerOp getLayer(ModuleOp module) {
  LayerOp layer;
  module.walk([&](LayerOp found) { layer = found; });
  return layer;
}

/// Schedules a copy of a layer with its chain in chunks.
static std::optional<ScheduleBuilder>
scheduleChunks(ModuleOp copy, const PipelineForm &form,
               StreamAssignment &streams) {
  std::string reason;
  std::optional<ExpertChain> found = findExpertChain(getLayer(copy), reason);
  assert(found && "expected the chain of the layer that was copied");
  buildPipeline(found->chain, found->dim, form);
  auto function = *copy.getOps<func::FuncOp>().begin();
  std::optional<ScheduleBuilder> scheduler(std::in_place, function, streams);
  scheduler->run();
  return scheduler;
}

static const std::vector<std::string> kPriorities = {"ep"};

/// What one chunk of a scheduled chain takes; nullopt where one of several has
/// messages below the machine's smallest.
static FailureOr<std::optional<schedule::ChunkTimes>>
timeChunk(const ScheduleBuilder &scheduler, int64_t number, bool isOneOfSeveral,
          OpTimer &timer) {
  const cost::Machine &machine = timer.getMachine();
  double least = machine.minimumMessage.value.value();
  schedule::ChunkTimes times;
  bool isPossible = true;
  for (const ChunkTask &chunk : scheduler.getChunkTasks()) {
    if (chunk.chunk != number)
      continue;
    double us = isOneOfSeveral ? machine.pipelineStall.value.value() : 0.0;
    bool exchanges = false;
    for (Operation &op : TaskOp(chunk.task).getBody().front()) {
      FailureOr<cost::Microseconds> time = timer.getTime(&op);
      if (failed(time))
        return failure();
      us += time->value();
      exchanges |= isa<AllToAllOp, RaggedAllToAllOp>(op);
      if (isa<CollectiveOpInterface>(op) && isOneOfSeveral) {
        FailureOr<int64_t> bytes =
            getTensorBytes(cast<RankedTensorType>(op.getOperand(0).getType()));
        if (succeeded(bytes) && double(*bytes) < least)
          isPossible = false;
      }
    }
    switch (chunk.stage) {
    case ChunkStage::Dispatch:
      // Copies before the first exchange and what follows the last have
      // streams of their own.
      times.dispatchUs += exchanges ? us : 0;
      break;
    case ChunkStage::Gather:
      times.allGatherUs += us;
      break;
    case ChunkStage::Experts:
      times.expertsUs += us;
      break;
    case ChunkStage::Scatter:
      times.reduceScatterUs += us;
      break;
    case ChunkStage::Combine:
      times.combineUs += exchanges ? us : 0;
      break;
    }
  }
  return isPossible ? std::optional(times) : std::nullopt;
}

FailureOr<std::optional<ChunkedLayer>>
ChunkedLayer::create(ModuleOp alone, OpTimer &timer, int64_t maxDegree,
                     std::string &reason) {
  auto none = [] { return std::optional<ChunkedLayer>(); };
  std::optional<ExpertChain> found = findExpertChain(getLayer(alone), reason);
  if (!found)
    return none();
  for (auto function : alone.getOps<func::FuncOp>())
    if (reason = findObstacle(function); !reason.empty())
      return none();
  ChunkedLayer layer;
  for (CollectiveOpInterface op : found->beside) {
    FailureOr<cost::Microseconds> time = timer.getTime(op);
    if (failed(time))
      return failure();
    layer.gradientUs += time->value();
    ++layer.numBeside;
  }
  for (Operation *op : found->chain.ops) {
    if (isa<ExpertsOp, ExpertsDgradOp>(op)) {
      auto tokens = cast<ShapedType>(op->getOperand(0).getType());
      layer.numExperts = layer.ep * tokens.getDimSize(0);
      break;
    }
    // A dispatch in several steps reaches the product of their groups.
    if (isa<AllToAllOp, RaggedAllToAllOp>(op)) {
      auto lists = cast<CollectiveOpInterface>(op).getGroup().getRankLists(op);
      if (succeeded(lists))
        layer.ep *= lists->front().size();
    }
  }
  for (int64_t degree = 1; degree <= std::min(maxDegree, found->dim.size);
       ++degree) {
    std::optional<schedule::ChunkTimes> times;
    std::string why;
    if (chooseChunkDim(found->chain, found->dim.inputDim, degree, why)) {
      OwningOpRef<ModuleOp> copy(alone.clone());
      SymbolTable symbols(*copy);
      StreamAssignment streams(symbols, kPriorities);
      PipelineForm form;
      form.degree = degree;
      // The first chunk is the largest, and takes the same beside one chunk of
      // all the rest, which is faster to schedule. One of a single element
      // differs, whose type says that it is one.
      int64_t size = llvm::divideCeil(found->dim.size, degree);
      if (degree > 2 && size > 1 && !found->dim.isFolded()) {
        form.degree = 2;
        form.sizes = {size, found->dim.size - size};
      }
      std::optional<ScheduleBuilder> scheduler =
          scheduleChunks(*copy, form, streams);
      auto timed = timeChunk(*scheduler, 0, degree > 1, timer);
      if (failed(timed))
        return failure();
      times = *timed;
    }
    layer.possible.push_back(times.has_value());
    layer.times.push_back(times.value_or(
        schedule::ChunkTimes{kImpossibleUs, 0, 0, 0, kImpossibleUs}));
  }
  return std::optional<ChunkedLayer>(std::move(layer));
}

schedule::ChunkTimes ChunkedLayer::getTimes(double share) const {
  return times[static_cast<size_t>(std::lround(1 / share)) - 1];
}

/// The timed schedule of a module with one.
static FailureOr<TimedSchedule> timeModule(ModuleOp module, OpTimer &timer) {
  ScheduleOp op;
  module.walk([&](ScheduleOp found) { op = found; });
  return timeSchedule(op, timer);
}

FailureOr<TimedForm> moe::timeForm(ModuleOp alone, OpTimer &timer,
                                   const PipelineForm &form) {
  TimedForm timed;
  timed.module = alone.clone();
  SymbolTable symbols(*timed.module);
  StreamAssignment streams(symbols, kPriorities);
  scheduleChunks(*timed.module, form, streams);
  FailureOr<TimedSchedule> schedule = timeModule(*timed.module, timer);
  if (failed(schedule))
    return failure();
  timed.schedule = std::move(*schedule);
  return timed;
}

FailureOr<double> ChunkedLayer::simulate(ModuleOp alone, OpTimer &timer,
                                         const PipelineForm &form) {
  FailureOr<TimedForm> timed = timeForm(alone, timer, form);
  if (failed(timed))
    return failure();
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  if (!simulator.run(timed->schedule.graph, timed->schedule.contention,
                     timeline))
    return alone.emitError() << "cannot be simulated: " << simulator.getError();
  return timeline.makespanUs;
}

//===----------------------------------------------------------------------===//
// Unequal chunks
//===----------------------------------------------------------------------===//

/// See `PartedLayer::kMostParts`.
static int64_t getNumPartsOf(int64_t dimSize) {
  for (int64_t parts = std::min(PartedLayer::kMostParts, dimSize);
       parts > PartedLayer::kMostParts / 2; --parts)
    if (dimSize % parts == 0)
      return parts;
  return std::min(PartedLayer::kMostParts, dimSize);
}

FailureOr<std::optional<PartedLayer>>
PartedLayer::create(ModuleOp alone, OpTimer &timer,
                    const schedule::ChunkTimes &whole, std::string &reason) {
  auto none = [] { return std::optional<PartedLayer>(); };
  std::optional<ExpertChain> found = findExpertChain(getLayer(alone), reason);
  assert(found && "expected a layer that can be cut");
  if (found->dim.isFolded()) {
    reason = "dim " + std::to_string(found->dim.inputDim) + " of size " +
             std::to_string(found->dim.size) +
             " is gathered and needs chunks of one size";
    return none();
  }
  PartedLayer layer;
  layer.dimSize = found->dim.size;
  int64_t numParts = getNumPartsOf(layer.dimSize);
  std::vector<std::optional<schedule::ChunkTimes>> times(numParts);
  times.back() = whole;
  for (int64_t parts = 1; 2 * parts <= numParts; ++parts) {
    OwningOpRef<ModuleOp> copy(alone.clone());
    SymbolTable symbols(*copy);
    StreamAssignment streams(symbols, kPriorities);
    PipelineForm form;
    form.degree = 2;
    int64_t size = layer.dimSize * parts / numParts;
    form.sizes = {size, layer.dimSize - size};
    std::optional<ScheduleBuilder> scheduler =
        scheduleChunks(*copy, form, streams);
    for (auto [number, count] :
         {std::pair<int64_t, int64_t>{0, parts}, {1, numParts - parts}}) {
      auto timed =
          timeChunk(*scheduler, number, /*isOneOfSeveral=*/true, timer);
      if (failed(timed))
        return failure();
      times[count - 1] = *timed;
    }
    FailureOr<TimedSchedule> tasks = timeModule(*copy, timer);
    if (failed(tasks))
      return failure();
    for (auto [id, task] : llvm::enumerate(tasks->tasks)) {
      if (task.getChunks() < 2)
        continue;
      std::vector<double> &us = layer.taskTimes[task.getName()];
      us.resize(numParts);
      us[(task.getChunk() == 0 ? parts : numParts - parts) - 1] =
          tasks->graph.getTask(id).durationUs;
    }
  }
  // Messages grow with chunks.
  while (!times[layer.leastParts - 1])
    ++layer.leastParts;
  if (2 * layer.leastParts > numParts) {
    reason = "of two chunks, one has messages below the platform's minimum";
    return none();
  }
  for (const std::optional<schedule::ChunkTimes> &of : times)
    layer.times.push_back(of.value_or(schedule::ChunkTimes()));
  return std::optional<PartedLayer>(std::move(layer));
}

schedule::ChunkTimes PartedLayer::getTimes(double share) const {
  size_t parts = std::lround(share * double(times.size()));
  assert(parts >= size_t(leastParts) && parts <= times.size() &&
         "expected parts that have times");
  return times[parts - 1];
}

SmallVector<int64_t> PartedLayer::getSizes(ArrayRef<int64_t> parts) const {
  SmallVector<int64_t> sizes;
  int64_t upTo = 0, given = 0;
  for (int64_t count : parts) {
    upTo += count;
    int64_t end = dimSize * upTo / getNumParts();
    sizes.push_back(end - given);
    given = end;
  }
  return sizes;
}

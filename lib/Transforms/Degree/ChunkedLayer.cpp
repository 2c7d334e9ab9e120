//===- ChunkedLayer.cpp - What a layer takes in chunks --------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkedLayer.h"
#include "../ChainPipeline.h"
#include "../Scheduler.h"
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
static std::optional<Scheduler> scheduleChunks(ModuleOp copy,
                                               const PipelineForm &form,
                                               StreamAssignment &streams) {
  std::string reason;
  std::optional<ExpertChain> found = findExpertChain(getLayer(copy), reason);
  assert(found && "expected the chain of the layer that was copied");
  buildPipeline(found->chain, found->dim, form);
  auto function = *copy.getOps<func::FuncOp>().begin();
  std::optional<Scheduler> scheduler(std::in_place, function, streams);
  scheduler->run();
  return scheduler;
}

static const std::vector<std::string> kPriorities = {"ep"};

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
  const cost::Machine &machine = timer.getMachine();
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
  double least = machine.minimumMessage.value.value();
  for (int64_t degree = 1; degree <= std::min(maxDegree, found->dim.size);
       ++degree) {
    schedule::ChunkTimes &times = layer.times.emplace_back();
    layer.possible.push_back(true);
    std::string why;
    if (!chooseChunkDim(found->chain, found->dim.inputDim, degree, why)) {
      times = {kImpossibleUs, 0, 0, 0, kImpossibleUs};
      layer.possible.back() = false;
      continue;
    }
    OwningOpRef<ModuleOp> copy(alone.clone());
    SymbolTable symbols(*copy);
    StreamAssignment streams(symbols, kPriorities);
    PipelineForm form;
    form.degree = degree;
    std::optional<Scheduler> scheduler = scheduleChunks(*copy, form, streams);
    // The first chunk is the largest.
    for (const ChunkTask &chunk : scheduler->getChunkTasks()) {
      if (chunk.chunk != 0)
        continue;
      double us = degree > 1 ? machine.pipelineStall.value.value() : 0.0;
      bool exchanges = false;
      for (Operation &op : TaskOp(chunk.task).getBody().front()) {
        FailureOr<cost::Microseconds> time = timer.getTime(&op);
        if (failed(time))
          return failure();
        us += time->value();
        exchanges |= isa<AllToAllOp, RaggedAllToAllOp>(op);
        if (isa<CollectiveOpInterface>(op) && degree > 1) {
          FailureOr<int64_t> bytes = getTensorBytes(
              cast<RankedTensorType>(op.getOperand(0).getType()));
          if (succeeded(bytes) && double(*bytes) < least)
            layer.possible.back() = false;
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
    if (!layer.possible.back())
      times = {kImpossibleUs, 0, 0, 0, kImpossibleUs};
  }
  return std::optional<ChunkedLayer>(std::move(layer));
}

schedule::ChunkTimes ChunkedLayer::getTimes(double share) const {
  return times[static_cast<size_t>(std::lround(1 / share)) - 1];
}

FailureOr<double> ChunkedLayer::simulate(ModuleOp alone, OpTimer &timer,
                                         int64_t degree, StringRef order) {
  OwningOpRef<ModuleOp> copy(alone.clone());
  SymbolTable symbols(*copy);
  StreamAssignment streams(symbols, kPriorities);
  PipelineForm form;
  form.degree = degree;
  form.order = order.str();
  scheduleChunks(*copy, form, streams);
  ScheduleOp op;
  copy->walk([&](ScheduleOp found) { op = found; });
  FailureOr<TimedSchedule> timed = timeSchedule(op, timer);
  if (failed(timed))
    return failure();
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  if (!simulator.run(timed->graph, timed->contention, timeline))
    return op.emitError() << "cannot be simulated: " << simulator.getError();
  return timeline.makespanUs;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of layers in chunks.

#include "ChunkedLayer.h"
#include "../Variants/ChunkRules.h"
#include "../Variants/ExpertChain.h"
#include "../Variants/IsolatedLayer.h"
#include "../Variants/TokenLayer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/Text/Ops.h"
#include "moe/Transforms/ScheduleFunction.h"
#include <cmath>

using namespace mlir;
using namespace moe;

/// Time of an impossible variant: larger than any layer's time, and finite.
static constexpr double kImpossibleUs = 1e13;

/// Schedules the copy of the layer with its chain in chunks.
static SmallVector<ChunkTask> scheduleChunks(ModuleOp copy,
                                             const LayerVariant &form) {
  Phase phase = getLayer(copy).getPhase();
  [[maybe_unused]] LogicalResult cut = cutExperts(getLayer(copy), form);
  assert(succeeded(cut) && "expected the chain of the layer that was copied");
  return scheduleFunction(*copy.getOps<func::FuncOp>().begin(), {"ep"}, phase);
}

/// Returns the times of one chunk of a scheduled chain.
static FailureOr<TimedChunk> timeChunk(ArrayRef<ChunkTask> chunks,
                                       int64_t number, bool isOneOfSeveral,
                                       OpTimer &timer) {
  const cost::Machine &machine = timer.getMachine();
  int64_t extrapolatedBefore = timer.getNumExtrapolated();
  schedule::ChunkTimes times;
  bool isPossible = true;
  for (const ChunkTask &chunk : chunks) {
    if (chunk.chunk != number)
      continue;
    double us = isOneOfSeveral ? machine.pipelineStall.value.value() : 0.0;
    bool exchanges = false;
    for (Operation &op : TaskOp(chunk.task).getBody().front()) {
      FailureOr<cost::Microseconds> time = timer.getTime(&op);
      if (failed(time))
        return failure();
      us += time->value();
      exchanges |= isAllToAll(&op);
      if (auto collective = dyn_cast<CollectiveOpInterface>(op);
          collective && isOneOfSeveral &&
          getTooSmallMessage(collective, machine))
        isPossible = false;
    }
    switch (chunk.stage) {
    case ChunkStage::Dispatch:
      // Copies before the first exchange, and ops after the last, have separate
      // streams.
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
  return TimedChunk{isPossible ? std::optional(times) : std::nullopt,
                    timer.getNumExtrapolated() > extrapolatedBefore};
}

/// Returns the number of experts per rank. For a product of another dialect,
/// multiplies the dims that tokens and weights share.
static int64_t countExperts(Operation *op) {
  if (!isTextProduct(op->getName()))
    return cast<ShapedType>(op->getOperand(0).getType()).getDimSize(0);
  std::optional<DimMap> map = getDimMap(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t count = 1;
  for (unsigned dim = 0; map && dim < type.getRank(); ++dim)
    if (map->getOperandDim(0, dim, 0) && map->getOperandDim(0, dim, 1))
      count *= type.getDimSize(dim);
  return count;
}

LogicalResult
ChunkedLayer::timeBeside(ArrayRef<CollectiveOpInterface> collectives,
                         OpTimer &timer) {
  for (CollectiveOpInterface op : collectives) {
    FailureOr<cost::Microseconds> time = timer.getTime(op);
    if (failed(time))
      return failure();
    gradientUs += time->value();
    ++numBeside;
  }
  return success();
}

void ChunkedLayer::add(const TimedChunk &chunk) {
  possible.push_back(chunk.times.has_value());
  extrapolated.push_back(chunk.isExtrapolated);
  times.push_back(chunk.times.value_or(
      schedule::ChunkTimes{kImpossibleUs, 0, 0, 0, kImpossibleUs}));
}

FailureOr<std::optional<ChunkedLayer>>
ChunkedLayer::create(ModuleOp alone, Phase phase, ScheduleEvaluator &evaluator,
                     int64_t maxDegree, std::string &reason) {
  auto none = [] { return std::optional<ChunkedLayer>(); };
  if (failed(evaluator.takeTraffic(alone)))
    return failure();
  for (auto function : alone.getOps<func::FuncOp>())
    if (reason = findObstacle(function); !reason.empty())
      return none();
  if (findPlan(alone))
    return createOfTokens(alone, phase, evaluator, maxDegree, reason);
  std::optional<ExpertChain> found = findExpertChain(getLayer(alone), reason);
  if (!found)
    return none();
  ChunkedLayer layer;
  if (failed(layer.timeBeside(found->beside, evaluator.getTimer())))
    return failure();
  for (Operation *op : found->chain.ops) {
    if (appliesExperts(op)) {
      layer.numExperts = layer.ep * countExperts(op);
      break;
    }
    // A dispatch in several steps reaches the product of the group sizes.
    if (isAllToAll(op)) {
      auto lists = cast<CollectiveOpInterface>(op).getGroup().getRankLists(op);
      if (succeeded(lists))
        layer.ep *= lists->front().size();
    }
  }
  for (int64_t degree = 1; degree <= std::min(maxDegree, found->dim.size);
       ++degree) {
    TimedChunk chunk;
    std::string why;
    if (chooseChunkDim(found->chain, found->dim.inputDim, degree, why)) {
      OwningOpRef<ModuleOp> copy(alone.clone());
      LayerVariant form;
      form.scope = ChainScope::Layer;
      form.chunks = degree;
      // The first chunk is the largest. It takes the same time with one chunk
      // of the remaining elements, which is faster to schedule. A chunk of a
      // single element differs, because its type shows this size.
      int64_t size = llvm::divideCeil(found->dim.size, degree);
      if (degree > 2 && size > 1 && !found->dim.isFolded()) {
        form.chunks = 2;
        form.sizes = {size, found->dim.size - size};
      }
      auto timed = timeChunk(scheduleChunks(*copy, form), 0, degree > 1,
                             evaluator.getTimer());
      if (failed(timed))
        return failure();
      chunk = *timed;
    }
    layer.add(chunk);
  }
  return std::optional<ChunkedLayer>(std::move(layer));
}

FailureOr<std::optional<ChunkedLayer>>
ChunkedLayer::createOfTokens(ModuleOp alone, Phase phase,
                             ScheduleEvaluator &evaluator, int64_t maxDegree,
                             std::string &reason) {
  std::optional<TokenLayer> found =
      findTokenLayer(findPlan(alone), phase, reason);
  if (!found)
    return std::optional<ChunkedLayer>();
  ChunkedLayer layer;
  layer.ofTokens = true;
  if (failed(layer.timeBeside(found->beside, evaluator.getTimer())))
    return failure();
  layer.ep = found->chunks.ranks;
  layer.numExperts = found->chunks.experts;
  int64_t tokens = found->chunks.tokens;
  for (int64_t degree = 1; degree <= std::min(maxDegree, tokens); ++degree) {
    TimedChunk chunk;
    // Chunks of two sizes would be two pipelines without a common order.
    if (tokens % degree == 0) {
      OwningOpRef<ModuleOp> copy(alone.clone());
      LayerVariant form;
      form.chunks = degree;
      [[maybe_unused]] LogicalResult cut =
          cutTokens(findPlan(*copy), RowProvenance(*copy), {form, form});
      assert(succeeded(cut) && "expected the layer that was copied");
      auto timed =
          timeChunk(scheduleFunction(*copy->getOps<func::FuncOp>().begin(),
                                     {"ep"}, phase),
                    0, degree > 1, evaluator.getTimer());
      if (failed(timed))
        return failure();
      chunk = *timed;
    }
    layer.add(chunk);
  }
  return std::optional<ChunkedLayer>(std::move(layer));
}

FailureOr<const KnownLayers::Entry *>
KnownLayers::get(ModuleOp alone, Phase phase, StringRef key,
                 ScheduleEvaluator &evaluator, int64_t maxDegree) {
  llvm::StringMap<Entry> &known = entries[{maxDegree, phase}];
  auto it = known.find(key);
  if (it != known.end())
    return &it->second;
  Entry entry;
  auto layer =
      ChunkedLayer::create(alone, phase, evaluator, maxDegree, entry.reason);
  if (failed(layer))
    return failure();
  entry.layer = std::move(*layer);
  return &known.try_emplace(key, std::move(entry)).first->second;
}

schedule::ChunkTimes ChunkedLayer::getTimes(double share) const {
  return times[static_cast<size_t>(std::lround(1 / share)) - 1];
}

FailureOr<SimulatedVariant> moe::simulateVariant(ModuleOp alone,
                                                 ScheduleEvaluator &evaluator,
                                                 const LayerVariant &form) {
  SimulatedVariant simulated;
  simulated.module = alone.clone();
  scheduleChunks(*simulated.module, form);
  auto schedule = evaluator.simulate(
      findSchedule(*simulated.module->getOps<func::FuncOp>().begin()));
  if (failed(schedule))
    return failure();
  simulated.schedule = std::move(*schedule);
  return simulated;
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
PartedLayer::create(ModuleOp alone, ScheduleEvaluator &evaluator,
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
  layer.extrapolated.resize(numParts);
  for (int64_t parts = 1; 2 * parts <= numParts; ++parts) {
    OwningOpRef<ModuleOp> copy(alone.clone());
    LayerVariant form;
    form.scope = ChainScope::Layer;
    form.chunks = 2;
    int64_t size = layer.dimSize * parts / numParts;
    form.sizes = {size, layer.dimSize - size};
    SmallVector<ChunkTask> chunks = scheduleChunks(*copy, form);
    for (auto [number, count] :
         {std::pair<int64_t, int64_t>{0, parts}, {1, numParts - parts}}) {
      auto timed = timeChunk(chunks, number, /*isOneOfSeveral=*/true,
                             evaluator.getTimer());
      if (failed(timed))
        return failure();
      times[count - 1] = timed->times;
      layer.extrapolated[count - 1] = timed->isExtrapolated;
    }
    FailureOr<TimedSchedule> tasks =
        timeSchedule(findSchedule(*copy->getOps<func::FuncOp>().begin()),
                     evaluator.getTimer());
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
  // Messages grow with chunks, so all larger chunks are possible.
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

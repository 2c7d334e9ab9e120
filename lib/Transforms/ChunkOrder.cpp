// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch order of chunks.

#include "moe/Transforms/ChunkOrder.h"
#include "moe/Dialect/MoE/FindExperts.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace moe;

SmallVector<ChunkStage> moe::getChunkStages(ArrayRef<Operation *> chain) {
  std::optional<std::pair<size_t, size_t>> experts = findExperts(chain);
  if (!experts)
    return {};
  auto [begin, end] = *experts;
  size_t dispatch = begin, combine = chain.size();
  for (auto [i, op] : llvm::enumerate(chain)) {
    if (!isAllToAll(op))
      continue;
    if (i < begin)
      dispatch = i;
    else if (combine == chain.size())
      combine = i;
  }
  if (dispatch == begin || combine == chain.size())
    return {};
  SmallVector<ChunkStage> stages;
  for (size_t i = 0; i < chain.size(); ++i)
    stages.push_back(i <= dispatch ? ChunkStage::Dispatch
                     : i < begin   ? ChunkStage::Gather
                     : i < end     ? ChunkStage::Experts
                     : i < combine ? ChunkStage::Scatter
                                   : ChunkStage::Combine);
  return stages;
}

/// Returns the launched stage of the chunk; nullopt for gradients, which belong
/// to no chunk.
static std::optional<ChunkStage> getStage(LaunchStage stage) {
  switch (stage) {
  case LaunchStage::Dispatch:
    return ChunkStage::Dispatch;
  case LaunchStage::Gather:
    return ChunkStage::Gather;
  case LaunchStage::Scatter:
    return ChunkStage::Scatter;
  case LaunchStage::Combine:
    return ChunkStage::Combine;
  case LaunchStage::Gradients:
    return std::nullopt;
  }
  llvm_unreachable("unknown stage");
}

static bool isCollective(TaskOp task) {
  return llvm::any_of(task.getBody().front(), [](Operation &op) {
    return isa<CollectiveOpInterface>(op);
  });
}

/// Returns the tasks that produce the values or tokens that a task uses.
static SmallVector<TaskOp> getWaitedFor(TaskOp task) {
  SmallVector<TaskOp> makers;
  task->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (auto maker = operand.getDefiningOp<TaskOp>())
        makers.push_back(maker);
  });
  return makers;
}

namespace {

class Launcher {
public:
  explicit Launcher(ArrayRef<TaskOp> tasks) {
    for (TaskOp task : tasks)
      waiting.insert(task);
  }

  bool isWaiting(TaskOp task) const { return waiting.contains(task); }

  /// Launches a task, and before it the tasks it waits for.
  void launch(TaskOp task) {
    if (!waiting.remove(task))
      return;
    for (TaskOp maker : getWaitedFor(task))
      launch(maker);
    order.push_back(task);
  }

  /// Launches the remaining tasks of `tasks` that wait for no remaining task.
  void launchReady(ArrayRef<TaskOp> tasks) {
    for (TaskOp task : tasks)
      if (isWaiting(task) && llvm::none_of(getWaitedFor(task), [&](TaskOp by) {
            return isWaiting(by);
          }))
        launch(task);
  }

  ArrayRef<TaskOp> getOrder() const { return order; }

private:
  llvm::SetVector<TaskOp> waiting;
  SmallVector<TaskOp> order;
};

} // namespace

void moe::launchInOrder(ArrayRef<LaunchStage> order, ArrayRef<ChunkTask> chunks,
                        TaskOp before) {
  Block *block = chunks.front().task->getBlock();
  // All tasks of the layer so far, and the tasks that the pipeline consists of
  // or needs.
  SmallVector<TaskOp> tasks;
  llvm::DenseSet<Operation *> needed;
  for (const ChunkTask &chunk : chunks)
    needed.insert(chunk.task);
  auto begin = before ? std::next(before->getIterator()) : block->begin();
  for (Operation &op : llvm::make_range(begin, block->end()))
    if (auto task = dyn_cast<TaskOp>(op))
      tasks.push_back(task);
  size_t numFront = llvm::find(tasks, chunks.front().task) - tasks.begin();
  ArrayRef<TaskOp> front = ArrayRef(tasks).take_front(numFront);
  // Tasks that the pipeline waits for, found in reverse order.
  for (const ChunkTask &chunk : chunks)
    for (TaskOp maker : getWaitedFor(chunk.task))
      needed.insert(maker);
  for (TaskOp task : llvm::reverse(front))
    if (needed.contains(task))
      for (TaskOp maker : getWaitedFor(task))
        needed.insert(maker);

  // Holds back collectives that the pipeline does not need, and the tasks that
  // wait for them.
  llvm::DenseSet<Operation *> held;
  SmallVector<TaskOp> beside;
  if (llvm::is_contained(order, LaunchStage::Gradients))
    for (TaskOp task : front) {
      if (needed.contains(task))
        continue;
      bool waits = llvm::any_of(getWaitedFor(task), [&](TaskOp maker) {
        return held.contains(maker);
      });
      if (!waits && !isCollective(task))
        continue;
      held.insert(task);
      if (isCollective(task))
        beside.push_back(task);
    }

  Launcher launcher(tasks);
  for (TaskOp task : front)
    if (!held.contains(task))
      launcher.launch(task);
  // A stream of copies also runs in order, so no copy may be before one that
  // could run earlier. Copies before dispatches wait for nothing, copies before
  // experts follow the gather, and copies before a combine follow the
  // reduce-scatter.
  for (const ChunkTask &chunk : chunks)
    if (chunk.stage == ChunkStage::Dispatch && !isCollective(chunk.task) &&
        llvm::none_of(getWaitedFor(chunk.task), isCollective))
      launcher.launch(chunk.task);
  bool hasGathers = llvm::is_contained(order, LaunchStage::Gather);
  int64_t turns[5] = {};
  for (LaunchStage launched : order) {
    std::optional<ChunkStage> stage = getStage(launched);
    if (!stage) {
      for (TaskOp task : beside)
        launcher.launch(task);
      continue;
    }
    int64_t chunk = turns[static_cast<size_t>(*stage)]++;
    auto launchStage = [&](ChunkStage which, bool all) {
      for (const ChunkTask &other : chunks)
        if (other.stage == which && other.chunk == chunk &&
            (all || isCollective(other.task)))
          launcher.launch(other.task);
    };
    bool isDispatch = *stage == ChunkStage::Dispatch;
    launchStage(*stage, /*all=*/!isDispatch);
    if (*stage == ChunkStage::Gather || (isDispatch && !hasGathers)) {
      launchStage(ChunkStage::Gather, /*all=*/true);
      launchStage(ChunkStage::Experts, /*all=*/true);
    }
  }
  launcher.launchReady(tasks);
  for (TaskOp task : tasks)
    launcher.launch(task);

  Operation *place = before;
  for (TaskOp task : launcher.getOrder()) {
    if (place)
      task->moveAfter(place);
    else
      task->moveBefore(block, block->begin());
    place = task;
  }
}

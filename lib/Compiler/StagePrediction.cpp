// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prediction of steps with several pipeline stages.

#include "moe/Compiler/StagePrediction.h"

using namespace mlir;
using namespace moe;
using schedule::TaskId;

/// Name of the mesh axis of the stages.
static constexpr StringRef kStageAxis = "pp";

namespace {

/// The tasks of a stage's program by their purpose.
class StageTasks {
public:
  explicit StageTasks(const TimedSchedule &timed);

  /// Returns the number of ranks along `pp`; 1 if there are no sends along it.
  int64_t getNumStages() const;
  std::vector<bool> getSums() const;
  /// Return the times of the tasks of one pass alone. With one stage, the
  /// backward time is the time after the forward pass.
  double getForwardUs() const;
  double getBackwardUs(bool withSums) const;
  /// Returns the longer time of the forward send and the send back.
  double getSendUs() const;

private:
  enum class Kind : uint8_t { Forward, Backward, Sum, Send, SendBack };

  /// `markDependents` extends a set of tasks by the tasks that depend on them;
  /// `findMakers` returns the tasks that the given ones depend on.
  void markDependents(std::vector<bool> &marked) const;
  std::vector<bool> findMakers(llvm::function_ref<bool(TaskId)> of) const;
  bool computes(TaskId id) const;
  /// Returns the time of tasks of these kinds, assuming that all others are
  /// finished.
  double simulate(ArrayRef<Kind> wanted) const;

  const TimedSchedule &timed;
  std::vector<Kind> kinds;
  /// A task's exchange along `pp`.
  CollectiveOpInterface send;
};

} // namespace

/// Returns a task's exchange along `pp`, or null.
static CollectiveOpInterface findSend(TaskOp task) {
  CollectiveOpInterface found;
  task->walk([&](CollectiveOpInterface op) {
    std::optional<SmallVector<StringRef>> axes = op.getGroup().getAxisNames();
    if (axes && axes->size() == 1 && axes->front() == kStageAxis)
      found = op;
  });
  return found;
}

static bool isSum(TaskOp task) {
  return task
      ->walk([](Operation *op) {
        return isa<AllReduceOp, ReduceScatterOp>(op) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

StageTasks::StageTasks(const TimedSchedule &timed)
    : timed(timed), kinds(timed.tasks.size(), Kind::Backward) {
  // Tasks follow their dependencies.
  std::vector<bool> isBackward(kinds.size());
  for (auto [id, op] : llvm::enumerate(timed.tasks)) {
    TaskOp task = op; // Accessors of ops are not const.
    isBackward[id] = task.getPhase() == Phase::Backward;
  }
  markDependents(isBackward);
  for (auto [id, task] : llvm::enumerate(timed.tasks))
    if (CollectiveOpInterface op = findSend(task)) {
      send = op;
      kinds[id] = isBackward[id] ? Kind::SendBack : Kind::Send;
    }
  auto makersOf = [&](Kind kind) {
    return findMakers([this, kind](TaskId id) { return kinds[id] == kind; });
  };
  std::vector<bool> forward = makersOf(Kind::Send);
  std::vector<bool> back = makersOf(Kind::SendBack);
  if (!send) {
    forward = isBackward;
    forward.flip();
    back = findMakers([this](TaskId id) { return computes(id); });
  }
  std::vector<bool> sums(kinds.size());
  for (auto [id, task] : llvm::enumerate(timed.tasks))
    sums[id] = kinds[id] == Kind::Backward && !forward[id] && !back[id] &&
               isBackward[id] && isSum(task);
  markDependents(sums);
  for (TaskId id = 0; id < kinds.size(); ++id)
    if (kinds[id] == Kind::Backward)
      kinds[id] = forward[id] ? Kind::Forward
                  : sums[id]  ? Kind::Sum
                              : Kind::Backward;
}

void StageTasks::markDependents(std::vector<bool> &marked) const {
  for (TaskId id = 0; id < marked.size(); ++id)
    if (marked[id])
      timed.graph.forEachDependent(id,
                                   [&](TaskId later) { marked[later] = true; });
}

std::vector<bool>
StageTasks::findMakers(llvm::function_ref<bool(TaskId)> of) const {
  std::vector<bool> makers(kinds.size());
  for (TaskId id = TaskId(kinds.size()); id-- > 0;)
    timed.graph.forEachDependent(id, [&](TaskId later) {
      if (of(later) || makers[later])
        makers[id] = true;
    });
  return makers;
}

bool StageTasks::computes(TaskId id) const {
  StreamOp stream = timed.streams[timed.graph.getTask(id).stream];
  return stream.getResource() == ResourceKind::Compute;
}

std::vector<bool> StageTasks::getSums() const {
  std::vector<bool> sums(kinds.size());
  for (TaskId id = 0; id < kinds.size(); ++id)
    sums[id] = kinds[id] == Kind::Sum;
  return sums;
}

int64_t StageTasks::getNumStages() const {
  if (!send)
    return 1;
  CollectiveOpInterface op = send;
  // The verifier guarantees that its axis is in the mesh.
  return *op.getGroup().getGroupSize(op);
}

double StageTasks::simulate(ArrayRef<Kind> wanted) const {
  schedule::TaskGraph graph;
  for (uint32_t i = 0; i < timed.graph.getNumStreams(); ++i)
    graph.addStream();
  std::vector<TaskId> ids(kinds.size(), schedule::kNoTask);
  for (TaskId id = 0; id < kinds.size(); ++id)
    if (llvm::is_contained(wanted, kinds[id]))
      ids[id] = graph.addTask(timed.graph.getTask(id));
  for (TaskId id = 0; id < kinds.size(); ++id)
    if (ids[id] != schedule::kNoTask)
      timed.graph.forEachDependent(id, [&](TaskId later) {
        if (ids[later] != schedule::kNoTask)
          graph.addDependency(ids[id], ids[later]);
      });
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  [[maybe_unused]] bool ran = simulator.run(graph, timed.contention, timeline);
  assert(ran && "expected a part of a schedule that runs to run");
  return timeline.makespanUs;
}

double StageTasks::getForwardUs() const { return simulate(Kind::Forward); }

double StageTasks::getBackwardUs(bool withSums) const {
  // Both passes may overlap if there is no send between them.
  if (!send && withSums)
    return simulate({Kind::Forward, Kind::Backward, Kind::Sum}) -
           getForwardUs();
  if (!send)
    return simulate({Kind::Forward, Kind::Backward}) - getForwardUs();
  if (withSums)
    return simulate({Kind::Backward, Kind::Sum});
  return simulate(Kind::Backward);
}

double StageTasks::getSendUs() const {
  return std::max(simulate(Kind::Send), simulate(Kind::SendBack));
}

FailureOr<StagePrediction> moe::predictStages(func::FuncOp function,
                                              const TimedSchedule &timed,
                                              const StageSettings &settings) {
  StageTasks tasks(timed);
  StagePrediction prediction;
  prediction.sums = tasks.getSums();
  schedule::StagedStep &step = prediction.step;
  step.stages = tasks.getNumStages();
  step.virtualStages = settings.virtualStages;
  step.microBatches = settings.microBatches;
  step.order = settings.order;
  step.waitsForSends = settings.waitsForSends;
  double backwardUs = tasks.getBackwardUs(/*withSums=*/false);
  auto pieces = static_cast<double>(settings.virtualStages);
  step.pieces = {{tasks.getForwardUs() / pieces, backwardUs / pieces}};
  step.sendUs = tasks.getSendUs();
  step.endUs =
      std::max(0.0, tasks.getBackwardUs(/*withSums=*/true) - backwardUs);
  if (std::string problem = schedule::checkStagedStep(step); !problem.empty())
    // Uses only the location, so that the program is not printed.
    return emitError(function.getLoc()) << problem;
  prediction.time = schedule::simulateStagedStep(step);
  return prediction;
}

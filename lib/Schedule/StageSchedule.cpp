// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of several pipeline stages.

#include "moe/Schedule/StageSchedule.h"

#include <algorithm>
#include <cmath>

using namespace moe::schedule;

const char *moe::schedule::getName(StageOrder order) {
  return order == StageOrder::AllForward ? "gpipe" : "1f1b";
}

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

std::string moe::schedule::checkStagedStep(const StagedStep &step) {
  auto say = [](const char *what, auto got) {
    return std::string("expected ") + what + ", got " + std::to_string(got);
  };
  for (auto [what, count] :
       {std::pair("at least 1 stage", step.stages),
        std::pair("at least 1 piece of the model a stage", step.virtualStages),
        std::pair("at least 1 micro-batch", step.microBatches)})
    if (count < 1)
      return say(what, count);
  // Their product is below 2^63 where no factor is above this.
  for (int64_t count : {step.stages, step.virtualStages, step.microBatches})
    if (count > kMaxPasses)
      return say("fewer passes", count);
  if (step.stages > kMaxPasses / 2 / step.virtualStages / step.microBatches)
    return "expected at most " + std::to_string(kMaxPasses) +
           " passes of all stages, got 2 x " + std::to_string(step.stages) +
           " x " + std::to_string(step.virtualStages) + " x " +
           std::to_string(step.microBatches);
  if (step.virtualStages > 1) {
    if (step.order == StageOrder::AllForward)
      return "expected one piece of the model a stage where all forward passes "
             "come first, got " +
             std::to_string(step.virtualStages);
    if (step.stages < 2)
      return "expected at least 2 stages where each holds several pieces of "
             "the model, got " +
             std::to_string(step.stages);
    if (step.microBatches % step.stages != 0)
      return "expected a multiple of the " + std::to_string(step.stages) +
             " stages as micro-batches, as pieces are run through in turns of "
             "so many, got " +
             std::to_string(step.microBatches);
  }
  if (step.pieces.size() != 1 &&
      int64_t(step.pieces.size()) != step.getNumPieces())
    return "expected times of 1 piece or of " +
           std::to_string(step.getNumPieces()) + ", got " +
           std::to_string(step.pieces.size());
  auto isTime = [](double us) { return us >= 0 && us <= kMaxDurationUs; };
  for (const PassTimes &piece : step.pieces)
    for (double us : {piece.forwardUs, piece.backwardUs})
      if (!isTime(us))
        return say("times of passes from 0 to 1e15 us", us);
  for (double us : {step.sendUs, step.endUs})
    if (!isTime(us))
      return say("times of sends and of the end from 0 to 1e15 us", us);
  return "";
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

std::vector<StagePass> moe::schedule::listPasses(const StagedStep &step,
                                                 int64_t stage) {
  int64_t stages = step.stages, virtualStages = step.virtualStages;
  int64_t count = step.microBatches * virtualStages;
  // The i-th forward or backward pass: through one piece `stages` micro-batches
  // at a time, or all of them where there is one piece.
  auto getPass = [&](int64_t i, bool isBackward) {
    if (virtualStages == 1)
      return StagePass{i, stage, isBackward};
    int64_t turn = i / (stages * virtualStages);
    int64_t inTurn = i % (stages * virtualStages);
    int64_t own = inTurn / stages;
    if (isBackward)
      own = virtualStages - 1 - own;
    return StagePass{turn * stages + inTurn % stages, own * stages + stage,
                     isBackward};
  };
  // Forward passes before the first backward one.
  int64_t ahead = count;
  if (step.order == StageOrder::OneForwardOneBackward) {
    int64_t behind = stages - stage - 1;
    ahead =
        virtualStages == 1 ? behind : 2 * behind + (virtualStages - 1) * stages;
    ahead = std::min(ahead, count);
  }
  std::vector<StagePass> passes;
  passes.reserve(size_t(2 * count));
  for (int64_t i = 0; i < ahead; ++i)
    passes.push_back(getPass(i, /*isBackward=*/false));
  for (int64_t i = 0; i < count; ++i) {
    if (ahead + i < count)
      passes.push_back(getPass(ahead + i, /*isBackward=*/false));
    passes.push_back(getPass(i, /*isBackward=*/true));
  }
  return passes;
}

int64_t moe::schedule::getMostHeld(const StagedStep &step, int64_t stage) {
  int64_t held = 0, most = 0;
  for (const StagePass &pass : listPasses(step, stage)) {
    held += pass.isBackward ? -1 : 1;
    most = std::max(most, held);
  }
  return most;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

StageGraph moe::schedule::makeStageGraph(const StagedStep &step) {
  StageGraph made;
  int64_t numPieces = step.getNumPieces();
  // Streams of a stage: passes, and what it sends onwards and back.
  auto getStream = [&](int64_t stage, int which) {
    return StreamId(3 * stage + (step.waitsForSends ? 0 : which));
  };
  for (int64_t i = 0; i < 3 * step.stages; ++i)
    made.graph.addStream();
  auto add = [&](StageTask task, double us, StreamId stream) {
    Task timed;
    timed.durationUs = us;
    timed.stream = stream;
    made.tasks.push_back(task);
    return made.graph.addTask(timed);
  };
  // By direction, piece and micro-batch: the pass, and what its neighbour waits
  // for, which is what it sends.
  auto getPlace = [&](const StagePass &pass) {
    return size_t((int64_t(pass.isBackward) * numPieces + pass.piece) *
                      step.microBatches +
                  pass.microBatch);
  };
  std::vector<TaskId> passes(size_t(2 * numPieces * step.microBatches));
  std::vector<TaskId> given(passes.size());
  for (int64_t stage = 0; stage < step.stages; ++stage) {
    TaskId last = kNoTask;
    for (const StagePass &pass : listPasses(step, stage)) {
      const PassTimes &times = step.getPiece(pass.piece);
      last = add({StageTask::Kind::Pass, stage, pass},
                 pass.isBackward ? times.backwardUs : times.forwardUs,
                 getStream(stage, 0));
      TaskId &gives = given[getPlace(pass)];
      gives = passes[getPlace(pass)] = last;
      bool isLast = pass.piece == (pass.isBackward ? 0 : numPieces - 1);
      if (isLast || step.stages == 1)
        continue;
      gives = add({StageTask::Kind::Send, stage, pass}, step.sendUs,
                  getStream(stage, pass.isBackward ? 2 : 1));
      made.graph.addDependency(last, gives);
      last = gives;
    }
    if (step.endUs > 0)
      made.graph.addDependency(last, add({StageTask::Kind::End, stage},
                                         step.endUs, getStream(stage, 0)));
  }
  for (TaskId id = 0; id < made.tasks.size(); ++id) {
    const StageTask task = made.tasks[id];
    if (task.kind != StageTask::Kind::Pass)
      continue;
    StagePass before = task.pass;
    if (!task.pass.isBackward) {
      if (--before.piece < 0)
        continue;
    } else if (++before.piece == numPieces) {
      // The loss is where the last piece ends.
      before = {task.pass.microBatch, task.pass.piece, /*isBackward=*/false};
    }
    made.graph.addDependency(given[getPlace(before)], id);
  }
  return made;
}

StagedStepTime moe::schedule::simulateStagedStep(const StagedStep &step) {
  StageGraph made = makeStageGraph(step);
  Simulator simulator;
  Timeline timeline;
  [[maybe_unused]] bool ran = simulator.run(made.graph, timeline);
  assert(ran && "expected an order that can run");
  StagedStepTime time;
  time.stepUs = timeline.makespanUs;
  std::vector<double> busyUs(size_t(step.stages), 0);
  for (TaskId id = 0; id < made.tasks.size(); ++id)
    if (made.tasks[id].kind == StageTask::Kind::Pass)
      busyUs[size_t(made.tasks[id].stage)] += made.graph.getTask(id).durationUs;
  time.busyUs = *std::max_element(busyUs.begin(), busyUs.end());
  time.bubbleUs = std::max(0.0, time.stepUs - time.busyUs - step.endUs);
  for (int64_t stage = 0; stage < step.stages; ++stage)
    time.heldMicroBatches =
        std::max(time.heldMicroBatches,
                 double(getMostHeld(step, stage)) / double(step.virtualStages));
  return time;
}

std::optional<double> moe::schedule::getBubbleUs(const StagedStep &step) {
  if (step.pieces.size() != 1 || (step.sendUs > 0 && step.stages > 1))
    return std::nullopt;
  const PassTimes &piece = step.pieces.front();
  return double(step.stages - 1) * (piece.forwardUs + piece.backwardUs);
}

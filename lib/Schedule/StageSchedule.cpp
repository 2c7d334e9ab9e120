// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps with several pipeline stages.

#include "moe/Schedule/StageSchedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numeric>

using namespace moe::schedule;

const char *moe::schedule::getName(StageOrder order) {
  switch (order) {
  case StageOrder::AllForward:
    return "gpipe";
  case StageOrder::OneForwardOneBackward:
    return "1f1b";
  case StageOrder::DualPipeV:
    return "dualpipev";
  case StageOrder::DualPipe:
    return "dualpipe";
  }
  return "";
}

bool moe::schedule::runsPairs(StageOrder order) {
  return order == StageOrder::DualPipeV || order == StageOrder::DualPipe;
}

std::vector<int64_t> moe::schedule::listPieces(const StagedStep &step,
                                               int64_t stage) {
  if (runsPairs(step.order)) {
    int64_t mirrored = step.getNumPieces() - 1 - stage;
    return {std::min(stage, mirrored), std::max(stage, mirrored)};
  }
  std::vector<int64_t> pieces;
  for (int64_t piece = stage; piece < step.getNumPieces(); piece += step.stages)
    pieces.push_back(piece);
  return pieces;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Returns why paired passes are invalid for `step`; empty if valid.
static std::string checkPairs(const StagedStep &step) {
  std::string order = getName(step.order);
  auto got = [](int64_t count) { return ", got " + std::to_string(count); };
  int64_t least = 2 * step.stages;
  if (step.order == StageOrder::DualPipeV) {
    if (step.virtualStages != 2)
      return "expected 2 pieces of the model a stage with " + order +
             got(step.virtualStages);
  } else {
    if (step.virtualStages != 1)
      return "expected 1 piece of the model for each stage with " + order +
             got(step.virtualStages);
    if (step.stages % 2 != 0)
      return "expected an even number of stages with " + order +
             got(step.stages);
    if (step.microBatches % 2 != 0)
      return "expected an even number of micro-batches with " + order +
             got(step.microBatches);
  }
  if (step.microBatches < least)
    return "expected at least " + std::to_string(least) +
           " micro-batches with " + order + ", twice the stages" +
           got(step.microBatches);
  return "";
}

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
  // With factors up to this limit, the product is below 2^63.
  for (int64_t count : {step.stages, step.virtualStages, step.microBatches})
    if (count > kMaxPasses)
      return say("fewer passes", count);
  if (step.stages > kMaxPasses / 2 / step.virtualStages / step.microBatches)
    return "expected at most " + std::to_string(kMaxPasses) +
           " passes of all stages, got 2 x " + std::to_string(step.stages) +
           " x " + std::to_string(step.virtualStages) + " x " +
           std::to_string(step.microBatches);
  if (runsPairs(step.order)) {
    if (std::string problem = checkPairs(step); !problem.empty())
      return problem;
  } else if (step.virtualStages > 1) {
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
    for (double us : {piece.forwardUs, piece.backwardUs, piece.weightUs,
                      piece.forwardExchangeUs, piece.backwardExchangeUs,
                      piece.forwardProductUs, piece.backwardProductUs})
      if (!isTime(us))
        return say("times of passes from 0 to 1e15 us", us);
  for (const PassTimes &piece : step.pieces)
    if (piece.forwardExchangeUs > piece.forwardUs ||
        std::max(piece.weightUs, piece.backwardExchangeUs) > piece.backwardUs)
      return "expected passes that take at least what they exchange or put off";
  if (!(step.overlapCost >= 0 && step.overlapCost < 1))
    return say("an overlap cost from 0 to 1, exclusive", step.overlapCost);
  for (double us : {step.sendUs, step.endUs})
    if (!isTime(us))
      return say("times of sends and of the end from 0 to 1e15 us", us);
  return "";
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Lists the passes of a stage in an order with pairs. `stage` counts from the
/// stage with the first and last piece. Micro-batches enter at the first piece,
/// `near`, and return through the last one, `far`.
static std::vector<StagePass> listPairs(int64_t stages, int64_t microBatches,
                                        int64_t stage, int64_t near,
                                        int64_t far) {
  std::vector<StagePass> passes;
  std::array<int64_t, 2> forward{}, backward{};
  std::deque<StagePass> putOff;
  auto addForward = [&](bool isFar, bool isPaired = false) {
    passes.push_back(
        {forward[isFar]++, isFar ? far : near, PassKind::Forward, isPaired});
  };
  auto addBackward = [&](bool isFar, bool putsOff = false) {
    StagePass pass{backward[isFar]++, isFar ? far : near,
                   putsOff ? PassKind::InputGradient : PassKind::Backward};
    passes.push_back(pass);
    pass.kind = PassKind::WeightGradient;
    if (putsOff)
      putOff.push_back(pass);
  };
  auto addWeights = [&] {
    passes.push_back(putOff.front());
    putOff.pop_front();
  };
  int64_t behind = stages - stage - 1;
  // Fill the pipeline.
  for (int64_t i = 0; i < 2 * behind; ++i)
    addForward(false);
  for (int64_t i = 0; i <= stage; ++i) {
    addForward(false);
    addForward(true);
  }
  for (int64_t i = 0; i < behind; ++i) {
    addBackward(true, /*putsOff=*/true);
    addWeights();
    addForward(true);
  }
  for (int64_t i = 0; i < microBatches - 2 * stages + stage + 1; ++i) {
    // The first two passes of the middle stage are not a pair: the backward
    // pass starts the way back of its micro-batch, and all stages wait for it.
    addForward(false, /*isPaired=*/i > 0 || behind > 0);
    addBackward(true);
    addForward(true, /*isPaired=*/true);
    addBackward(false);
  }
  // Empty the pipeline.
  for (int64_t i = 0; i < behind; ++i) {
    addBackward(true);
    addForward(true, /*isPaired=*/true);
    addBackward(false);
  }
  // The second half of these passes delays weight gradients.
  for (int64_t i = 0; i < 2 * (stage + 1); ++i)
    addBackward(/*isFar=*/i % 2 == 0, /*putsOff=*/i > stage);
  for (int64_t i = 0; i < behind; ++i) {
    addWeights();
    addBackward(false, /*putsOff=*/true);
  }
  while (!putOff.empty())
    addWeights();
  return passes;
}

std::vector<StagePass> moe::schedule::listPasses(const StagedStep &step,
                                                 int64_t stage) {
  int64_t stages = step.stages, virtualStages = step.virtualStages;
  if (step.order == StageOrder::DualPipeV)
    return listPairs(stages, step.microBatches, stage, stage,
                     2 * stages - 1 - stage);
  if (step.order == StageOrder::DualPipe)
    return listPairs(stages / 2, step.microBatches / 2,
                     std::min(stage, stages - 1 - stage),
                     std::min(stage, stages - 1 - stage),
                     std::max(stage, stages - 1 - stage));
  int64_t count = step.microBatches * virtualStages;
  // Returns the i-th forward or backward pass. `stages` micro-batches at a time
  // pass through each piece, or all of them if there is only one piece.
  auto getPass = [&](int64_t i, PassKind kind) {
    if (virtualStages == 1)
      return StagePass{i, stage, kind};
    int64_t turn = i / (stages * virtualStages);
    int64_t inTurn = i % (stages * virtualStages);
    int64_t own = inTurn / stages;
    if (kind == PassKind::Backward)
      own = virtualStages - 1 - own;
    return StagePass{turn * stages + inTurn % stages, own * stages + stage,
                     kind};
  };
  // Number of forward passes before the first backward pass.
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
    passes.push_back(getPass(i, PassKind::Forward));
  for (int64_t i = 0; i < count; ++i) {
    if (ahead + i < count)
      passes.push_back(getPass(ahead + i, PassKind::Forward));
    passes.push_back(getPass(i, PassKind::Backward));
  }
  return passes;
}

std::vector<int64_t> moe::schedule::countHeld(const StagedStep &step,
                                              int64_t stage,
                                              std::span<const double> sizes) {
  std::vector<int64_t> own = listPieces(step, stage);
  std::vector<int64_t> held(own.size()), most(own.size());
  double all = 0, mostOfAll = 0;
  for (const StagePass &pass : listPasses(step, stage)) {
    if (pass.kind == PassKind::InputGradient)
      continue;
    auto place =
        size_t(std::find(own.begin(), own.end(), pass.piece) - own.begin());
    int64_t more = pass.kind == PassKind::Forward ? 1 : -1;
    held[place] += more;
    all += double(more) * sizes[place];
    if (all > mostOfAll) {
      mostOfAll = all;
      most = held;
    }
  }
  return most;
}

int64_t moe::schedule::getMostHeld(const StagedStep &step, int64_t stage) {
  std::vector<double> sizes(listPieces(step, stage).size(), 1);
  std::vector<int64_t> held = countHeld(step, stage, sizes);
  return std::accumulate(held.begin(), held.end(), int64_t(0));
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

PairSaving moe::schedule::getPairSaving(const PassTimes &forward,
                                        const PassTimes &backward,
                                        double overlapCost) {
  // Products take longer while they hide an exchange.
  auto hide = [&](double exchangeUs, double productUs) {
    return std::min(exchangeUs, productUs / (1 + overlapCost));
  };
  double forwardUs =
      hide(forward.forwardExchangeUs, backward.backwardProductUs);
  double backwardUs =
      hide(backward.backwardExchangeUs,
           forward.forwardProductUs +
               std::min(backward.weightUs, backward.backwardProductUs));
  double all = hide(forwardUs + backwardUs,
                    forward.forwardProductUs + backward.backwardProductUs);
  double share =
      all > 0 ? (1 - overlapCost) * all / (forwardUs + backwardUs) : 0;
  return {share * forwardUs, share * backwardUs};
}

/// Returns the time of an unpaired pass.
static double getPassUs(const PassTimes &times, PassKind kind) {
  switch (kind) {
  case PassKind::Forward:
    return times.forwardUs;
  case PassKind::Backward:
    return times.backwardUs;
  case PassKind::InputGradient:
    return times.backwardUs - times.weightUs;
  case PassKind::WeightGradient:
    return times.weightUs;
  }
  return 0;
}

/// Returns DualPipe's first half of stages as a folded pipeline: micro-batches
/// from the second half take the same times as the half's own ones, so they
/// return as if from a pipeline that is folded in the middle.
static StagedStep foldHalves(StagedStep step) {
  step.order = StageOrder::DualPipeV;
  step.stages /= 2;
  step.virtualStages = 2;
  step.microBatches /= 2;
  return step;
}

/// If `isFolded`, the two pieces in the middle are on different stages.
static StageGraph makeGraph(const StagedStep &step, bool isFolded) {
  StageGraph made;
  int64_t numPieces = step.getNumPieces();
  // Streams of a stage: passes, sends to the next stage, and sends to the
  // previous stage.
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
  // Index by direction, piece and micro-batch of the task that a neighbor waits
  // for: the pass, or the send after it.
  auto getPlace = [&](const StagePass &pass) {
    return size_t(
        (int64_t(pass.kind != PassKind::Forward) * numPieces + pass.piece) *
            step.microBatches +
        pass.microBatch);
  };
  std::vector<TaskId> given(size_t(2 * numPieces * step.microBatches));
  for (int64_t stage = 0; stage < step.stages; ++stage) {
    std::vector<int64_t> own = listPieces(step, stage);
    TaskId last = kNoTask;
    // Adds the send to the stage with the next piece, if any.
    auto give = [&](const StagePass &pass, TaskId from) {
      TaskId &gives = given[getPlace(pass)];
      gives = from;
      bool isForward = pass.kind == PassKind::Forward;
      int64_t next = pass.piece + (isForward ? 1 : -1);
      if (next < 0 || next == numPieces ||
          (!isFolded && std::find(own.begin(), own.end(), next) != own.end()))
        return;
      gives = add({StageTask::Kind::Send, stage, pass}, step.sendUs,
                  getStream(stage, isForward ? 1 : 2));
      made.graph.addDependency(from, gives);
      last = gives;
    };
    std::vector<StagePass> passes = listPasses(step, stage);
    for (size_t i = 0; i < passes.size(); ++i) {
      const StagePass &pass = passes[i];
      bool follows = i > 0 && passes[i - 1].isPaired;
      double us = getPassUs(step.getPiece(pass.piece), pass.kind);
      if (pass.isPaired || follows) {
        PairSaving saving = getPairSaving(
            step.getPiece(passes[follows ? i - 1 : i].piece),
            step.getPiece(passes[follows ? i : i + 1].piece), step.overlapCost);
        us -= follows ? saving.backwardUs : saving.forwardUs;
      }
      TaskId task =
          add({StageTask::Kind::Pass, stage, pass}, us, getStream(stage, 0));
      last = task;
      // Both passes of a pair end together.
      if (pass.isPaired)
        continue;
      if (follows)
        give(passes[i - 1], task);
      if (pass.kind != PassKind::WeightGradient)
        give(pass, task);
    }
    if (step.endUs > 0)
      made.graph.addDependency(last, add({StageTask::Kind::End, stage},
                                         step.endUs, getStream(stage, 0)));
  }
  // Returns the task that a pass waits for, if it is on another stage.
  auto findInput = [&](StagePass before) -> TaskId {
    if (before.kind == PassKind::Forward) {
      if (--before.piece < 0)
        return kNoTask;
    } else if (++before.piece == numPieces) {
      // The backward pass starts with the loss after the last piece.
      --before.piece;
      before.kind = PassKind::Forward;
    }
    return given[getPlace(before)];
  };
  for (TaskId id = 0; id < made.tasks.size(); ++id) {
    const StageTask task = made.tasks[id];
    if (task.kind != StageTask::Kind::Pass ||
        task.pass.kind == PassKind::WeightGradient)
      continue;
    // The tasks of a pair are consecutive and start together.
    bool follows = id > 0 && made.tasks[id - 1].kind == StageTask::Kind::Pass &&
                   made.tasks[id - 1].pass.isPaired;
    if (TaskId input = findInput(task.pass); input != kNoTask)
      made.graph.addDependency(input, follows ? id - 1 : id);
  }
  return made;
}

StageGraph moe::schedule::makeStageGraph(const StagedStep &step) {
  if (step.order == StageOrder::DualPipe)
    return makeGraph(foldHalves(step), /*isFolded=*/true);
  return makeGraph(step, /*isFolded=*/false);
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
  if (step.pieces.size() != 1 || (step.sendUs > 0 && step.stages > 1) ||
      runsPairs(step.order))
    return std::nullopt;
  const PassTimes &piece = step.pieces.front();
  return double(step.stages - 1) * (piece.forwardUs + piece.backwardUs);
}

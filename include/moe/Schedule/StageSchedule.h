// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of several pipeline stages.
//
// Layers are cut into stages, which other ranks hold, and the batch into
// micro-batches, which pass all stages forward and then backward. A stage runs
// one pass of one micro-batch at a time. What orders of passes take, and how
// long stages wait, is simulated with the times of a pass.

#ifndef MOE_SCHEDULE_STAGESCHEDULE_H
#define MOE_SCHEDULE_STAGESCHEDULE_H

#include "moe/Schedule/Simulation.h"
#include <optional>

namespace moe::schedule {

/// In which order a stage runs passes.
enum class StageOrder : uint8_t {
  /// All forward passes, then all backward ones (GPipe).
  AllForward,
  /// As many forward passes as fill the pipeline, then one backward and one
  /// forward pass in turn (1F1B). A stage that holds several pieces of the
  /// model runs `stages` micro-batches through one piece, then through the
  /// next, as Megatron-LM's interleaved schedule does.
  OneForwardOneBackward
};

/// "gpipe" or "1f1b".
const char *getName(StageOrder order);

/// What a pass of one micro-batch through one piece takes on its stage.
struct PassTimes {
  double forwardUs = 0, backwardUs = 0;
  bool operator==(const PassTimes &) const = default;
};

/// One training step. Piece `i` of the model, first layers first, is held by
/// stage `i % stages`: each stage has `virtualStages` of them.
struct StagedStep {
  int64_t stages = 1, virtualStages = 1, microBatches = 1;
  StageOrder order = StageOrder::OneForwardOneBackward;
  /// By piece, `stages * virtualStages` of them; one entry for pieces alike.
  std::vector<PassTimes> pieces;
  /// What tokens of a micro-batch, or their gradient, take from one stage to
  /// the next.
  double sendUs = 0;
  /// A stage sends before it runs its next pass, and not beside it.
  bool waitsForSends = false;
  /// What a stage does behind its last pass, as sums of gradients.
  double endUs = 0;

  int64_t getNumPieces() const { return stages * virtualStages; }
  const PassTimes &getPiece(int64_t piece) const {
    return pieces[pieces.size() == 1 ? 0 : size_t(piece)];
  }
};

/// Most passes of all stages together that a step may have.
constexpr int64_t kMaxPasses = int64_t(1) << 22;

/// What is wrong with a step, in words that say what was expected; empty when
/// nothing is.
std::string checkStagedStep(const StagedStep &step);

/// One pass of one micro-batch through one piece.
struct StagePass {
  int64_t microBatch = 0, piece = 0;
  bool isBackward = false;

  bool operator==(const StagePass &) const = default;
};

/// The passes of a stage in the order it runs them, of a step that is checked.
std::vector<StagePass> listPasses(const StagedStep &step, int64_t stage);

/// The most pieces of micro-batches whose values a stage holds at once, for
/// backward passes that are still to come.
int64_t getMostHeld(const StagedStep &step, int64_t stage);

/// A task of a step: a pass, or what is sent behind it, or the end of a stage.
struct StageTask {
  enum class Kind : uint8_t { Pass, Send, End };
  Kind kind = Kind::Pass;
  int64_t stage = 0;
  StagePass pass = {};
};

/// A step as tasks: of each stage a stream of passes and, unless stages wait
/// for them, one of what it sends onwards and one of what it sends back.
struct StageGraph {
  TaskGraph graph;
  /// By task.
  std::vector<StageTask> tasks;
};

/// The tasks of a step that is checked.
StageGraph makeStageGraph(const StagedStep &step);

/// When the tasks of a step run.
struct StagedStepTime {
  double stepUs = 0;
  /// Of the stage that computes most: how long it does, and how long it does
  /// not.
  double busyUs = 0, bubbleUs = 0;
  /// The most that a stage holds, in micro-batches; see `getMostHeld`.
  double heldMicroBatches = 0;
};

/// Simulates a step that is checked.
StagedStepTime simulateStagedStep(const StagedStep &step);

/// The bubble by formula, (p - 1)(f + b) for p stages and passes of f and b us
/// through a piece, which is what is simulated; none where the formula does not
/// hold: pieces that differ, or sends that take time.
std::optional<double> getBubbleUs(const StagedStep &step);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_STAGESCHEDULE_H

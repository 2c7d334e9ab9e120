// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps with several pipeline stages.
//
// The layers are cut into stages on different ranks, and the batch into
// micro-batches, which pass all stages forward and then backward. A stage runs
// one pass of one micro-batch at a time. A simulation with the times of the
// passes gives the time of an order and the waiting time of stages.

#ifndef MOE_SCHEDULE_STAGESCHEDULE_H
#define MOE_SCHEDULE_STAGESCHEDULE_H

#include "moe/Schedule/Simulation.h"
#include <optional>
#include <span>

namespace moe::schedule {

/// The order of passes on a stage.
enum class StageOrder : uint8_t {
  /// All forward passes, then all backward ones (GPipe).
  AllForward,
  /// As many forward passes as fill the pipeline, then alternately one backward
  /// and one forward pass (1F1B). A stage that holds several pieces of the
  /// model runs `stages` micro-batches through one piece, then through the
  /// next, like Megatron-LM's interleaved schedule.
  OneForwardOneBackward,
  /// A stage holds two pieces, the i-th from the first layer and the i-th from
  /// the last layer, and runs a forward pass of one together with a backward
  /// pass of the other. Some weight gradients are delayed to fill the ends of
  /// the pipeline (deepseek-ai/DualPipe, dualpipe/dualpipev.py).
  /// `virtualStages` is 2.
  DualPipeV,
  /// The same with one piece per stage, but two stages hold each piece: half of
  /// the micro-batches enter at the last stage (dualpipe/dualpipe.py).
  /// `virtualStages` is 1.
  DualPipe
};

/// Returns "gpipe", "1f1b", "dualpipev" or "dualpipe".
const char *getName(StageOrder order);

/// Returns true if the order runs passes in pairs: DualPipeV and DualPipe.
bool runsPairs(StageOrder order);

/// Times of a pass of one micro-batch through one piece on its stage.
struct PassTimes {
  double forwardUs = 0, backwardUs = 0;
  /// The part of `backwardUs` for weight gradients.
  double weightUs = 0;
  /// Exchanges and matrix products of each pass. In a pair of passes, the
  /// products hide the exchanges.
  double forwardExchangeUs = 0, backwardExchangeUs = 0;
  double forwardProductUs = 0, backwardProductUs = 0;
  bool operator==(const PassTimes &) const = default;
};

/// One training step. `listPieces` returns the stages' pieces of the model;
/// piece 0 has the first layers. Each stage has `virtualStages` pieces, or two
/// with DualPipe.
struct StagedStep {
  int64_t stages = 1, virtualStages = 1, microBatches = 1;
  StageOrder order = StageOrder::OneForwardOneBackward;
  /// Times per piece, `stages * virtualStages` entries, or a single entry if
  /// all pieces are equal.
  std::vector<PassTimes> pieces;
  /// Time to send the tokens of a micro-batch, or their gradient, from one
  /// stage to the next.
  double sendUs = 0;
  /// If set, a stage sends before it runs its next pass instead of
  /// concurrently.
  bool waitsForSends = false;
  /// Work of a stage after its last pass, for example gradient all-reduces.
  double endUs = 0;
  /// Time that products lose to a concurrent exchange, relative to the
  /// exchange.
  double overlapCost = 0;

  int64_t getNumPieces() const { return stages * virtualStages; }
  const PassTimes &getPiece(int64_t piece) const {
    return pieces[pieces.size() == 1 ? 0 : size_t(piece)];
  }
};

/// Maximum number of passes of all stages together.
constexpr int64_t kMaxPasses = int64_t(1) << 22;

/// Returns the reason why `step` is invalid, with the expected values; empty if
/// valid.
std::string checkStagedStep(const StagedStep &step);

/// Lists the pieces of a stage, first layers first.
std::vector<int64_t> listPieces(const StagedStep &step, int64_t stage);

enum class PassKind : uint8_t {
  Forward,
  /// Gradients of both inputs and weights.
  Backward,
  /// Gradients of only one of the two.
  InputGradient,
  WeightGradient
};

struct StagePass {
  int64_t microBatch = 0, piece = 0;
  PassKind kind = PassKind::Forward;
  /// True if it runs together with the next pass of the stage.
  bool isPaired = false;

  bool operator==(const StagePass &) const = default;
};

/// Lists the passes of a stage of a valid step in execution order. With
/// DualPipe, micro-batches that enter at the last stage have the same numbers
/// as the others.
std::vector<StagePass> listPasses(const StagedStep &step, int64_t stage);

/// Time that a forward and a backward pass save by running as a pair.
struct PairSaving {
  double forwardUs = 0, backwardUs = 0;
};

/// Computes the saving. Products of one pass hide exchanges of the other.
/// Weight gradients wait for no exchange, so they also hide the exchanges of
/// their own pass.
PairSaving getPairSaving(const PassTimes &forward, const PassTimes &backward,
                         double overlapCost);

/// Returns how many micro-batches a stage holds of each of its pieces
/// (`listPieces`) when it holds the most in total, where a micro-batch of piece
/// i counts as `sizes[i]`.
std::vector<int64_t> countHeld(const StagedStep &step, int64_t stage,
                               std::span<const double> sizes);

/// Returns the maximum number of (piece, micro-batch) pairs that a stage keeps
/// values of for later backward passes.
int64_t getMostHeld(const StagedStep &step, int64_t stage);

/// A pass, a send after a pass, or the end of a stage.
struct StageTask {
  enum class Kind : uint8_t { Pass, Send, End };
  Kind kind = Kind::Pass;
  int64_t stage = 0;
  StagePass pass = {};
};

/// A step as tasks. Each stage has a stream of passes and, unless stages wait
/// for sends, one stream for sends to the next stage and one for sends to the
/// previous stage.
struct StageGraph {
  TaskGraph graph;
  /// Stage tasks by task id.
  std::vector<StageTask> tasks;
};

/// Builds the tasks of a valid step. Both halves of a DualPipe take the same
/// time, so the tasks are of the first half.
StageGraph makeStageGraph(const StagedStep &step);

struct StagedStepTime {
  double stepUs = 0;
  /// Busy and idle time of the stage that computes most.
  double busyUs = 0, bubbleUs = 0;
  /// The most micro-batches that a stage holds; see `getMostHeld`.
  double heldMicroBatches = 0;
};

/// Simulates a valid step.
StagedStepTime simulateStagedStep(const StagedStep &step);

/// Returns the pipeline bubble by formula, (p - 1)(f + b) for p stages and
/// passes of f and b us through a piece, which equals the simulation. Returns
/// nullopt if the formula does not apply: pieces that differ, sends that take
/// time, or passes in pairs.
std::optional<double> getBubbleUs(const StagedStep &step);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_STAGESCHEDULE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer takes in chunks.

#ifndef MOE_LIB_COMPILER_DEGREE_CHUNKEDLAYER_H
#define MOE_LIB_COMPILER_DEGREE_CHUNKEDLAYER_H

#include "moe/Compiler/LayerVariant.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Schedule/LayerPhase.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace moe {

/// A copy of a module, scheduled and simulated.
struct SimulatedVariant {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  SimulatedSchedule schedule;
};

/// Schedules the only layer of `alone`, a module that `IsolatedLayer` makes,
/// with its chain in the chunks of a form, and simulates it. Not for layers
/// that run in chunks of tokens. Fails, with an
/// error, where an op has no time.
llvm::FailureOr<SimulatedVariant> simulateVariant(mlir::ModuleOp alone,
                                                  ScheduleEvaluator &evaluator,
                                                  const LayerVariant &form);

/// What a chunk takes.
struct TimedChunk {
  /// Nullopt where one of several has messages below the machine's smallest,
  /// or there can be none.
  std::optional<schedule::ChunkTimes> times;
  /// Whether it has sizes that the machine was not measured at.
  bool isExtrapolated = false;
};

/// A phase of a layer in every degree, timed by the tasks it would have.
class ChunkedLayer final : public schedule::LayerPhase {
public:
  /// Schedules the layer of `alone`, a module that `IsolatedLayer` makes, once
  /// for each degree up to `maxDegree`, less where its chunk dim is shorter or
  /// messages fall below the machine's smallest; of a layer that drops nothing,
  /// both passes, of which it times one. Nullopt, with the reason, when the
  /// layer cannot be cut; fails, with an error, where an op has no time.
  static llvm::FailureOr<std::optional<ChunkedLayer>>
  create(mlir::ModuleOp alone, Phase phase, ScheduleEvaluator &evaluator,
         int64_t maxDegree, std::string &reason);

  /// `share` is one over a degree up to `getMaxDegree`.
  schedule::ChunkTimes getTimes(double share) const override;

  int64_t getMaxDegree() const { return times.size(); }
  /// Whether chunks of this degree have sizes that the machine was not measured
  /// at.
  bool isExtrapolated(int64_t degree) const { return extrapolated[degree - 1]; }
  /// Degrees that chunks of one size are needed for and that do not divide the
  /// chunk dim, or whose messages are too small: their times are infinite.
  bool isPossible(int64_t degree) const { return possible[degree - 1]; }
  /// What the collectives beside the chain take.
  double getGradientUs() const { return gradientUs; }
  /// Ranks that the layer's tokens are exchanged between.
  int64_t getExpertParallelRanks() const { return ep; }
  /// Experts on all of them.
  int64_t getNumExperts() const { return numExperts; }
  bool hasGradient() const { return numBeside > 0; }
  /// Whether its tokens are cut, as those of its other pass: one degree for
  /// both, and no sizes to choose.
  bool isOfTokens() const { return ofTokens; }

private:
  static llvm::FailureOr<std::optional<ChunkedLayer>>
  createOfTokens(mlir::ModuleOp alone, Phase phase,
                 ScheduleEvaluator &evaluator, int64_t maxDegree,
                 std::string &reason);
  llvm::LogicalResult
  timeBeside(llvm::ArrayRef<CollectiveOpInterface> collectives, OpTimer &timer);
  /// What a chunk of the next degree takes.
  void add(const TimedChunk &chunk);

  std::vector<schedule::ChunkTimes> times;
  std::vector<bool> possible, extrapolated;
  double gradientUs = 0;
  size_t numBeside = 0;
  bool ofTokens = false;
  int64_t ep = 1, numExperts = 1;
};

/// Layers on one machine in every degree, each shape of them timed once.
class KnownLayers {
public:
  /// What `ChunkedLayer::create` makes of a layer.
  struct Entry {
    std::optional<ChunkedLayer> layer;
    /// Why there is none.
    std::string reason;
  };

  /// `key` is that of the `IsolatedLayer` that has made `alone`. Fails, with an
  /// error, where an op has no time.
  llvm::FailureOr<const Entry *> get(mlir::ModuleOp alone, Phase phase,
                                     llvm::StringRef key,
                                     ScheduleEvaluator &evaluator,
                                     int64_t maxDegree);

private:
  /// By the degree up to which a layer is timed, its phase and its key.
  std::map<std::pair<int64_t, Phase>, llvm::StringMap<Entry>> entries;
};

/// The same phase in chunks of any whole parts of its chunk dim: what a chunk
/// takes is timed beside one chunk of all the rest.
class PartedLayer final : public schedule::LayerPhase {
public:
  /// Parts that the chunk dim is seen as: all its elements up to so many;
  /// beyond, a number above half of it that divides the dim, or else so many
  /// parts that differ by an element.
  static constexpr int64_t kMostParts = 64;

  /// Schedules the only layer of `alone` once for each pair of two parts;
  /// `whole` is what it takes in one chunk. Nullopt, with the reason, where
  /// chunks must have one size, or messages of any two chunks fall below the
  /// machine's smallest (SPEC MO-5); fails, with an error, where an op has no
  /// time. The layer has a `ChunkedLayer`.
  static llvm::FailureOr<std::optional<PartedLayer>>
  create(mlir::ModuleOp alone, ScheduleEvaluator &evaluator,
         const schedule::ChunkTimes &whole, std::string &reason);

  /// `share` is a whole number of parts, at least the least of them.
  schedule::ChunkTimes getTimes(double share) const override;

  /// What a task of each number of parts takes, less 1, by the task's name in
  /// the schedule; null for a task that is no chunk's.
  const std::vector<double> *getTaskTimes(llvm::StringRef name) const {
    auto it = taskTimes.find(name);
    return it == taskTimes.end() ? nullptr : &it->second;
  }

  int64_t getNumParts() const { return times.size(); }
  /// Whether a chunk of so many parts has sizes that the machine was not
  /// measured at.
  bool isExtrapolated(int64_t parts) const { return extrapolated[parts - 1]; }
  /// The fewest parts of a chunk whose messages are large enough.
  int64_t getLeastParts() const { return leastParts; }
  /// Elements of the chunk dim in chunks of so many parts.
  llvm::SmallVector<int64_t> getSizes(llvm::ArrayRef<int64_t> parts) const;

private:
  /// By the number of parts, less 1.
  std::vector<schedule::ChunkTimes> times;
  std::vector<bool> extrapolated;
  llvm::StringMap<std::vector<double>> taskTimes;
  int64_t leastParts = 1, dimSize = 1;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_DEGREE_CHUNKEDLAYER_H

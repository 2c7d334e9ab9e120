// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of layers in chunks.

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

/// Schedules the only layer of `alone`, a module that `IsolatedLayer` built,
/// with its chain in the chunks of a variant, and simulates it. Must not be
/// used for layers in chunks of tokens. Emits an error and fails if an op has
/// no time.
llvm::FailureOr<SimulatedVariant> simulateVariant(mlir::ModuleOp alone,
                                                  ScheduleEvaluator &evaluator,
                                                  const LayerVariant &form);

/// The times of one chunk.
struct TimedChunk {
  /// Nullopt if one of several messages is below the machine's minimum, or if
  /// the chunk is impossible.
  std::optional<schedule::ChunkTimes> times;
  /// True if sizes are outside the measured range of the machine.
  bool isExtrapolated = false;
};

/// One direction of the layer in every degree, with times from its scheduled
/// tasks.
class ChunkedLayer final : public schedule::LayerPhase {
public:
  /// Schedules the layer of `alone`, a module that `IsolatedLayer` built, once
  /// for each degree up to `maxDegree` and to the size of the chunk dim.
  /// Degrees with messages below the machine's minimum are not possible. For a
  /// dropless layer, schedules both directions and times one. Returns nullopt
  /// and sets `reason` if the layer cannot be cut; emits an error and fails if
  /// an op has no time.
  static llvm::FailureOr<std::optional<ChunkedLayer>>
  create(mlir::ModuleOp alone, Phase phase, ScheduleEvaluator &evaluator,
         int64_t maxDegree, std::string &reason);

  /// `share` is one over a degree up to `getMaxDegree`.
  schedule::ChunkTimes getTimes(double share) const override;

  int64_t getMaxDegree() const { return times.size(); }
  /// Returns true if chunks of this degree have sizes outside the measured
  /// range of the machine.
  bool isExtrapolated(int64_t degree) const { return extrapolated[degree - 1]; }
  /// Returns false for degrees that do not divide the chunk dim although chunks
  /// must be equal, or that have too small messages; their times are infinite.
  bool isPossible(int64_t degree) const { return possible[degree - 1]; }
  /// Returns the time of collectives outside the chain.
  double getGradientUs() const { return gradientUs; }
  /// Returns the number of ranks that exchange the layer's tokens.
  int64_t getExpertParallelRanks() const { return ep; }
  /// Returns the number of experts on all of these ranks.
  int64_t getNumExperts() const { return numExperts; }
  bool hasGradient() const { return numBeside > 0; }
  /// Returns true if chunks are cut along the tokens. Both directions then have
  /// the same degree, and sizes are not chosen.
  bool isOfTokens() const { return ofTokens; }

private:
  static llvm::FailureOr<std::optional<ChunkedLayer>>
  createOfTokens(mlir::ModuleOp alone, Phase phase,
                 ScheduleEvaluator &evaluator, int64_t maxDegree,
                 std::string &reason);
  llvm::LogicalResult
  timeBeside(llvm::ArrayRef<CollectiveOpInterface> collectives, OpTimer &timer);
  /// Appends the chunk times of the next degree.
  void add(const TimedChunk &chunk);

  std::vector<schedule::ChunkTimes> times;
  std::vector<bool> possible, extrapolated;
  double gradientUs = 0;
  size_t numBeside = 0;
  bool ofTokens = false;
  int64_t ep = 1, numExperts = 1;
};

/// Cache of layers in every degree on one machine; each shape is timed once.
class KnownLayers {
public:
  /// The result of `ChunkedLayer::create`.
  struct Entry {
    std::optional<ChunkedLayer> layer;
    /// The reason if there is no layer.
    std::string reason;
  };

  /// `key` is the key of the `IsolatedLayer` that built `alone`. Emits an error
  /// and fails if an op has no time.
  llvm::FailureOr<const Entry *> get(mlir::ModuleOp alone, Phase phase,
                                     llvm::StringRef key,
                                     ScheduleEvaluator &evaluator,
                                     int64_t maxDegree);

private:
  /// By maximum degree, phase and key.
  std::map<std::pair<int64_t, Phase>, llvm::StringMap<Entry>> entries;
};

/// The same direction in chunks of any whole number of parts of its chunk dim.
/// Each chunk is timed together with one chunk of all remaining parts.
class PartedLayer final : public schedule::LayerPhase {
public:
  /// Number of parts of the chunk dim: one per element up to this number. For a
  /// longer dim, a divisor of it above half of this number, or otherwise this
  /// number of parts that differ by at most one element.
  static constexpr int64_t kMostParts = 64;

  /// Schedules the only layer of `alone` once for each pair of chunk sizes;
  /// `whole` has its times in one chunk. Returns nullopt and sets `reason` if
  /// chunks must be equal, or if messages of any two chunks fall below the
  /// machine's minimum (SPEC MO-5). Emits an error and fails if an op has no
  /// time. The layer must have a `ChunkedLayer`.
  static llvm::FailureOr<std::optional<PartedLayer>>
  create(mlir::ModuleOp alone, ScheduleEvaluator &evaluator,
         const schedule::ChunkTimes &whole, std::string &reason);

  /// `share` must be a whole number of parts, at least `getLeastParts`.
  schedule::ChunkTimes getTimes(double share) const override;

  /// Returns the times of a task by its number of parts, less 1. `name` is the
  /// task's name in the schedule. Null for a task outside of chunks.
  const std::vector<double> *getTaskTimes(llvm::StringRef name) const {
    auto it = taskTimes.find(name);
    return it == taskTimes.end() ? nullptr : &it->second;
  }

  int64_t getNumParts() const { return times.size(); }
  /// Returns true if chunks of this many parts have sizes outside the measured
  /// range of the machine.
  bool isExtrapolated(int64_t parts) const { return extrapolated[parts - 1]; }
  /// Returns the minimum number of parts per chunk for large enough messages.
  int64_t getLeastParts() const { return leastParts; }
  /// Returns the elements of the chunk dim in chunks with these numbers of
  /// parts.
  llvm::SmallVector<int64_t> getSizes(llvm::ArrayRef<int64_t> parts) const;

private:
  /// Indexed by the number of parts, less 1.
  std::vector<schedule::ChunkTimes> times;
  std::vector<bool> extrapolated;
  llvm::StringMap<std::vector<double>> taskTimes;
  int64_t leastParts = 1, dimSize = 1;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_DEGREE_CHUNKEDLAYER_H

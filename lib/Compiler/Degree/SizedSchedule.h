// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of layers with varying chunk sizes.

#ifndef MOE_LIB_COMPILER_DEGREE_SIZEDSCHEDULE_H
#define MOE_LIB_COMPILER_DEGREE_SIZEDSCHEDULE_H

#include "ChunkedLayer.h"

namespace moe {

/// A layer's tasks in chunks with one order. They can be simulated for any
/// chunk sizes without scheduling again, because order and dependencies do not
/// change.
class SizedSchedule {
public:
  /// Schedules the only layer of `alone` in the variant's chunks. `parted` must
  /// belong to the same layer and outlive this object. Emits an error and fails
  /// if an op has no time.
  static llvm::FailureOr<SizedSchedule> create(mlir::ModuleOp alone,
                                               ScheduleEvaluator &evaluator,
                                               const LayerVariant &form,
                                               const PartedLayer &parted);

  /// Moves parts between chunks, in large steps first, while this shortens the
  /// layer by more than rounding. Examines at most a few thousand chunkings.
  void improve(llvm::MutableArrayRef<int64_t> parts);

private:
  struct Entry {
    schedule::Task task;
    /// For tasks of chunks: the times by number of parts, less 1, and the
    /// chunk.
    const std::vector<double> *times = nullptr;
    int64_t chunk = 0;
  };

  double getUs(llvm::ArrayRef<int64_t> parts);

  const PartedLayer *parted = nullptr;
  llvm::SmallVector<Entry> entries;
  llvm::SmallVector<std::pair<schedule::TaskId, schedule::TaskId>> dependencies;
  unsigned numStreams = 0;
  schedule::Contention contention;
  schedule::TaskGraph graph;
  schedule::Simulator simulator;
  schedule::Timeline timeline;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_DEGREE_SIZEDSCHEDULE_H

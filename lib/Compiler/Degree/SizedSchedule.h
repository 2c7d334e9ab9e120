// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer whose chunks change size.

#ifndef MOE_LIB_COMPILER_DEGREE_SIZEDSCHEDULE_H
#define MOE_LIB_COMPILER_DEGREE_SIZEDSCHEDULE_H

#include "ChunkedLayer.h"

namespace moe {

/// The tasks of a layer in chunks of one order, which can be simulated for any
/// sizes of the chunks without being scheduled again: order and dependencies
/// are the same.
class SizedSchedule {
public:
  /// Schedules the only layer of `alone` in the form's chunks. `parted` is of
  /// the same layer and must outlive this. Fails, with an error, where an op
  /// has no time.
  static llvm::FailureOr<SizedSchedule> create(mlir::ModuleOp alone,
                                               ScheduleEvaluator &evaluator,
                                               const LayerVariant &form,
                                               const PartedLayer &parted);

  /// Moves parts from one chunk to another, in large steps first, as long as
  /// the layer then ends sooner, and so much sooner that it is no rounding.
  /// Looks at no more than a few thousand sizes.
  void improve(llvm::MutableArrayRef<int64_t> parts);

private:
  struct Entry {
    schedule::Task task;
    /// Of a chunk: what it takes by parts, less 1, and which.
    const std::vector<double> *times = nullptr;
    int64_t chunk = 0;
  };

  /// When the layer ends.
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

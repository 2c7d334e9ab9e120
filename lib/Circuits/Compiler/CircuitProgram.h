// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules with circuits.

#ifndef MOE_LIB_CIRCUITS_COMPILER_CIRCUITPROGRAM_H
#define MOE_LIB_CIRCUITS_COMPILER_CIRCUITPROGRAM_H

#include "moe/Circuits/CircuitChoice.h"
#include "moe/Circuits/CircuitPolicy.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "llvm/ADT/SetVector.h"

namespace moe {

/// The counts that determine the demand of a dropless layer at run time.
struct LayerCounts {
  /// Rows by rank and expert for each chunk of its tokens: results of tasks,
  /// and slices of them. If ranks of a server join their rows, the counts of
  /// these ranks are consecutive.
  llvm::SetVector<mlir::Value> counts;
  /// Bytes of one row on all ranks of a server that send it.
  int64_t bytes = 0;

  /// Returns true if the sum of both counts represents the demand of both
  /// layers.
  bool addsUpWith(const LayerCounts &other) const {
    return bytes == other.bytes &&
           counts.front().getType() == other.counts.front().getType();
  }
};

/// A schedule in the terms of the planner of circuits.
struct CircuitProgram {
  ScheduleOp schedule;
  ocs::FabricOp fabric;
  schedule::CircuitStep step;
  /// Tasks by their number in the step.
  llvm::SmallVector<TaskOp> tasks;
  /// The circuits of each configuration, one matrix per region. The
  /// configurations of layers precede the configuration for all layers
  /// together.
  std::vector<llvm::SmallVector<fabric::Circuits>> configs;
  /// By layer: the configuration for its demand, and the counts of its demand.
  llvm::DenseMap<llvm::StringRef, schedule::ConfigId> configOf;
  llvm::DenseMap<llvm::StringRef, LayerCounts> countsOf;
  /// Layers with insufficient counts for their exchanges, and the reason; empty
  /// if nothing is counted, for example for equal blocks.
  llvm::MapVector<llvm::StringRef, llvm::StringRef> uncounted;

  /// Returns the first task of an exchange of the step.
  TaskOp getTask(uint32_t exchange) const {
    return tasks[step.exchanges[exchange].tasks.front()];
  }
};

/// Returns the task that makes `counts`, possibly through the ops in `moved`,
/// which slice or reshape its result, first op first; null if other ops are in
/// between.
TaskOp findCountingTask(mlir::Value counts,
                        llvm::SmallVectorImpl<mlir::Operation *> &moved);

/// Returns the all-to-all of a task without other communication between ranks;
/// null for other tasks, and if the all-to-all is conditional.
CollectiveOpInterface findExchange(TaskOp task);

/// Returns the fabric of a module, or creates one from the platform and the
/// axes of the exchanges in its tasks and sets `isNew`. Returns null and sets
/// `reason` if no exchange leaves its server. Emits an error and fails if the
/// mesh does not have such servers.
mlir::FailureOr<ocs::FabricOp> findFabric(mlir::ModuleOp module,
                                          const cost::Machine &machine,
                                          bool &isNew, std::string &reason);

/// Reads a schedule. Emits an error and fails if some op has no time or demand.
/// Returns nullopt and sets `reason` if there is nothing to decide.
mlir::FailureOr<std::optional<CircuitProgram>>
readCircuitProgram(ScheduleOp schedule, ocs::FabricOp fabric,
                   ScheduleEvaluator &evaluator, const CircuitSearch &search,
                   std::string &reason);

/// Finds the counts that determine the demand of layers at run time.
llvm::LogicalResult findLayerCounts(CircuitProgram &program);

/// Lets runs decide before exchanges if they have counted the demand by then;
/// the possible circuits are the layer's.
void askByCounts(CircuitProgram &program);

/// Returns circuits as numbers, one matrix per region or one for all.
mlir::DenseIntElementsAttr
getCircuitsAttr(mlir::Builder &builder,
                llvm::ArrayRef<fabric::Circuits> circuits);

/// Builds the constant that represents circuits, before a schedule.
mlir::Value buildCircuits(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<fabric::Circuits> circuits);

/// Builds a collective of all ranks of a region. It may be removed if its
/// result is unused.
mlir::Value buildSynchronisation(mlir::OpBuilder &builder, mlir::Location loc,
                                 ocs::FabricOp fabric, mlir::Value one);

/// Writes decisions into a schedule: tasks on `stream` that synchronize, change
/// and wait, and the circuits of exchanges.
void writeCircuits(CircuitProgram &program,
                   const schedule::CircuitDecisions &decisions,
                   const schedule::CircuitTimeline &timeline, StreamOp stream);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_COMPILER_CIRCUITPROGRAM_H

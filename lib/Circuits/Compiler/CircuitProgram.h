// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule and its circuits.

#ifndef MOE_LIB_CIRCUITS_COMPILER_CIRCUITPROGRAM_H
#define MOE_LIB_CIRCUITS_COMPILER_CIRCUITPROGRAM_H

#include "moe/Circuits/CircuitChoice.h"
#include "moe/Circuits/CircuitPolicy.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "llvm/ADT/SetVector.h"

namespace moe {

/// What the demand of a layer that drops nothing is known by at run time.
struct LayerCounts {
  /// Rows by rank and expert, of each piece of its tokens: results of tasks,
  /// and parts of such, which tasks cut. Of ranks of a server that join their
  /// rows the counts of each, one after the other.
  llvm::SetVector<mlir::Value> counts;
  /// What a row takes on all ranks of a server that send it.
  int64_t bytes = 0;

  /// Whether a sum of both counts says what both send.
  bool addsUpWith(const LayerCounts &other) const {
    return bytes == other.bytes &&
           counts.front().getType() == other.counts.front().getType();
  }
};

/// A schedule as the planner of circuits sees it.
struct CircuitProgram {
  ScheduleOp schedule;
  ocs::FabricOp fabric;
  schedule::CircuitStep step;
  /// By number in the step.
  llvm::SmallVector<TaskOp> tasks;
  /// The circuits of each configuration, one matrix a region: those of layers,
  /// the last ones of all layers together.
  std::vector<llvm::SmallVector<fabric::Circuits>> configs;
  /// By layer: the configuration for its demand, and where that is counted, by
  /// what.
  llvm::DenseMap<llvm::StringRef, schedule::ConfigId> configOf;
  llvm::DenseMap<llvm::StringRef, LayerCounts> countsOf;
  /// Layers of whose exchanges counts say too little, and why; empty where
  /// nothing is counted, as of equal blocks.
  llvm::MapVector<llvm::StringRef, llvm::StringRef> uncounted;

  /// The first task of an exchange of the step.
  TaskOp getTask(uint32_t exchange) const {
    return tasks[step.exchanges[exchange].tasks.front()];
  }
};

/// The task whose result counts are, or are cut of by `moved`, first op first;
/// null where something else has been done to it.
TaskOp findCountingTask(mlir::Value counts,
                        llvm::SmallVectorImpl<mlir::Operation *> &moved);

/// The all-to-all of a task that does nothing else between ranks; null for
/// others, and where it is under a condition.
CollectiveOpInterface findExchange(TaskOp task);

/// The fabric of a module, or one made of the platform and the axes over which
/// the module's tasks exchange: `isNew` says that it was. Null, with `reason`,
/// where no exchange leaves its server. Emits an error and fails where the mesh
/// has no such servers.
mlir::FailureOr<ocs::FabricOp> findFabric(mlir::ModuleOp module,
                                          const cost::Machine &machine,
                                          bool &isNew, std::string &reason);

/// Reads a schedule. Emits an error and fails where something has no time or
/// demand; nothing, with `reason`, where there is nothing to decide.
mlir::FailureOr<std::optional<CircuitProgram>>
readCircuitProgram(ScheduleOp schedule, ocs::FabricOp fabric,
                   ScheduleEvaluator &evaluator, const CircuitSearch &search,
                   std::string &reason);

/// Notes by which counts the demand of layers is known at run time, where it
/// is.
llvm::LogicalResult findLayerCounts(CircuitProgram &program);

/// Lets runs decide in front of exchanges whose demand they have counted by
/// then; circuits there are those of the layer.
void askByCounts(CircuitProgram &program);

/// Circuits, one matrix a region or one for all, as numbers.
mlir::DenseIntElementsAttr
getCircuitsAttr(mlir::Builder &builder,
                llvm::ArrayRef<fabric::Circuits> circuits);

/// The constant that stands for circuits, in front of a schedule.
mlir::Value buildCircuits(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<fabric::Circuits> circuits);

/// Builds the collective in which all ranks of a region meet. It may be removed
/// where its result has no use.
mlir::Value buildSynchronisation(mlir::OpBuilder &builder, mlir::Location loc,
                                 ocs::FabricOp fabric, mlir::Value one);

/// Writes what was decided into a schedule: tasks that synchronise, change and
/// wait, on `stream`, and the circuits that exchanges go over.
void writeCircuits(CircuitProgram &program,
                   const schedule::CircuitDecisions &decisions,
                   const schedule::CircuitTimeline &timeline, StreamOp stream);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_COMPILER_CIRCUITPROGRAM_H

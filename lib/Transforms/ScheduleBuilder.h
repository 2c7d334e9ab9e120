// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the schedule of a function.

#ifndef MOE_LIB_TRANSFORMS_SCHEDULEBUILDER_H
#define MOE_LIB_TRANSFORMS_SCHEDULEBUILDER_H

#include "StreamAssignment.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Transforms/ScheduleFunction.h"
#include <map>

namespace moe {

/// Builds the schedule of one function that `findObstacle` has nothing against.
class ScheduleBuilder {
public:
  ScheduleBuilder(mlir::func::FuncOp function, StreamAssignment &streams)
      : function(function), streams(streams), builder(function.getContext()) {}

  ScheduleOp run();

  /// The tasks of the last pipeline around experts in layers of a phase.
  llvm::ArrayRef<ChunkTask> getChunkTasks(Phase of) const {
    return chunkTasks[static_cast<size_t>(of)];
  }

private:
  /// The tasks of an op, one a chunk: what they are called, and how many.
  struct Family {
    std::string name;
    int64_t chunks;
  };
  /// What stands for values of the function or of a pipeline's region in one
  /// chunk of it; a lane without a pipeline is the code around pipelines.
  struct Lane {
    PipelineOp pipeline;
    int64_t chunk = 0, offset = 0, size = 0;
    mlir::IRMapping made;
  };

  void visit(mlir::Operation *op);
  void visitLayer(LayerOp op);
  void unroll(PipelineOp pipeline);
  void joinChunks(PipelineOp pipeline, llvm::MutableArrayRef<Lane> lanes);
  /// The tasks of one op, for each lane.
  void schedule(mlir::Operation *op, llvm::MutableArrayRef<Lane> lanes);
  void scheduleCollective(CollectiveOpInterface op,
                          llvm::MutableArrayRef<Lane> lanes);
  /// Finds the collectives that need copies, and the transposes these do.
  void findVariants();
  /// Puts an op that needs no task in front of the schedule, if it is one.
  bool tryEarly(mlir::Operation *op);

  /// The value that stands for `value` in a lane. What no task makes, chunks
  /// of operands and reshapes, is built where the builder stands.
  mlir::Value resolve(mlir::Value value, const Lane &lane);
  /// The same for a value that the schedule hands out: made by a task.
  mlir::Value resolveResult(mlir::Value value);
  mlir::Value addUp(mlir::Location loc, llvm::ArrayRef<mlir::Value> parts);

  /// A task that runs `body`, which builds the values to hand out.
  TaskOp addTask(mlir::Location loc, mlir::FlatSymbolRefAttr stream,
                 const Family &family, int64_t chunk,
                 llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);

  /// A name for the tasks of an op that no other op of the layer has: what
  /// its location calls it, behind the layer's prefix, and what it is.
  std::string getName(mlir::Operation *op);

  mlir::func::FuncOp function;
  StreamAssignment &streams;
  mlir::OpBuilder builder;
  ScheduleOp scheduleOp;
  mlir::Block *tasks = nullptr;
  Lane outside;
  llvm::StringRef layer = "";
  Phase phase = Phase::Forward;
  /// The part of the batch that tasks work for.
  std::optional<int64_t> part;
  /// The layer and pipeline that tasks come from, the inner one last: they
  /// leave no op behind, and what users wrote on them goes to the tasks.
  llvm::SmallVector<mlir::Operation *> dissolved;
  /// The last task before those of the layer, or of the code behind it; null
  /// when these are the first.
  TaskOp beforeLayer;
  /// By phase.
  llvm::SmallVector<ChunkTask> chunkTasks[2];
  /// Ops of the function that stay in front of the schedule.
  llvm::DenseSet<mlir::Operation *> kept;
  /// Values made in front of the schedule.
  llvm::DenseSet<mlir::Value> early;
  llvm::DenseMap<mlir::Operation *, ContiguousCollective> forms;
  /// Transposes that the copies of a collective do as well.
  llvm::DenseSet<mlir::Operation *> absorbed;
  /// The lanes of pipelines done, for those that read the same chunks.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Lane, 2>> lanesDone;
  /// Values that are other values of the old function.
  llvm::DenseMap<mlir::Value, mlir::Value> aliases;
  std::map<std::pair<std::string, std::string>, unsigned> names;
};

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_SCHEDULEBUILDER_H

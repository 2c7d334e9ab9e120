// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the schedule of a function.

#ifndef MOE_LIB_TRANSFORMS_SCHEDULEBUILDER_H
#define MOE_LIB_TRANSFORMS_SCHEDULEBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/ScheduleFunction.h"
#include <map>

namespace moe {

/// Assigns tasks to streams: the streams of SPEC MO-9, and the streams of
/// low-priority traffic (MO-12). Declares streams on first use.
class StreamAssignment {
public:
  /// `priorities` are axes, the highest priority first, at most
  /// `StreamOp::kMaxPriority` + 1. New streams are declared in the module of
  /// `symbols`. `collectives` selects the collectives that share a stream.
  /// Streams of gradients have a lower priority than all of `priorities`, which
  /// may then have one axis less.
  StreamAssignment(mlir::SymbolTable &symbols,
                   llvm::ArrayRef<std::string> priorities,
                   CollectiveStreams collectives = CollectiveStreams::ByLinks);

  /// Returns the stream for the task of an op. Declares a new stream before the
  /// symbol `before`.
  mlir::FlatSymbolRefAttr getStream(mlir::Operation *op,
                                    mlir::Operation *before);
  mlir::FlatSymbolRefAttr getCopyStream(mlir::Operation *before);
  /// Returns the stream of tasks that sum chunks.
  mlir::FlatSymbolRefAttr getComputeStream(mlir::Operation *before);
  /// Returns the resource of a stream that was used, for tasks of the highest
  /// priority; nullopt for the streams of other priorities.
  std::optional<ResourceKind> getResource(mlir::FlatSymbolRefAttr stream) const;

private:
  mlir::FlatSymbolRefAttr getStream(ResourceKind resource, unsigned priority,
                                    mlir::Operation *before);
  ResourceKind getResource(mlir::Operation *op);
  /// Returns true for the all-reduce of a gradient that has a separate stream.
  bool isApart(mlir::Operation *op) const;
  /// Returns the index in `priorities` of the first axis that the group runs
  /// along; 0 if there is none.
  unsigned getPriority(GroupAttrInterface group) const;
  /// Returns true if all ranks of each group share an instance of the
  /// platform's innermost level; nullopt without a platform.
  std::optional<bool> staysInside(CollectiveOpInterface op);

  mlir::SymbolTable &symbols;
  llvm::ArrayRef<std::string> priorities;
  CollectiveStreams collectives;
  std::map<std::pair<ResourceKind, unsigned>, mlir::FlatSymbolRefAttr> streams;
  llvm::DenseMap<mlir::Attribute, bool> inside;
};

/// Builds the schedule of one function. `findObstacle` must have found no
/// obstacle.
class ScheduleBuilder {
public:
  ScheduleBuilder(mlir::func::FuncOp function, StreamAssignment &streams)
      : function(function), streams(streams), builder(function.getContext()) {}

  ScheduleOp run();

  /// Returns the tasks of the last pipeline with experts in layers of a phase.
  llvm::ArrayRef<ChunkTask> getChunkTasks(Phase of) const {
    return chunkTasks[static_cast<size_t>(of)];
  }

private:
  /// The tasks of an op, one per chunk: their name and number.
  struct Family {
    std::string name;
    int64_t chunks;
  };
  /// One chunk of a pipeline's region, with the replacements of its values. A
  /// lane without a pipeline is the code outside of pipelines.
  struct Lane {
    PipelineOp pipeline;
    int64_t chunk = 0, offset = 0, size = 0;
    mlir::IRMapping made;
  };

  void visit(mlir::Operation *op);
  void visitLayer(LayerOp op);
  void unroll(PipelineOp pipeline);
  /// Orders tasks of a pipeline such that local work finishes a chunk before it
  /// begins the next one. `tasks` are in program order.
  void orderByChunk(llvm::ArrayRef<TaskOp> tasks);
  void joinChunks(PipelineOp pipeline, llvm::MutableArrayRef<Lane> lanes);
  void schedule(mlir::Operation *op, llvm::MutableArrayRef<Lane> lanes);
  void scheduleCollective(CollectiveOpInterface op,
                          llvm::MutableArrayRef<Lane> lanes);
  /// Finds the collectives that need copies, and the transposes that these
  /// copies include.
  void findVariants();
  /// Moves an op before the schedule if it needs no task; returns true in this
  /// case.
  bool tryEarly(mlir::Operation *op);

  /// Returns the replacement of `value` in a lane. Builds values that no task
  /// makes, such as chunks of operands and reshapes, at the builder's insertion
  /// point.
  mlir::Value resolve(mlir::Value value, const Lane &lane);
  /// Like `resolve`, for a result of the schedule, which a task must make.
  mlir::Value resolveResult(mlir::Value value);
  mlir::Value addUp(mlir::Location loc, llvm::ArrayRef<mlir::Value> parts);

  /// Adds a task with the ops that `body` builds; `body` returns the results of
  /// the task.
  TaskOp addTask(mlir::Location loc, mlir::FlatSymbolRefAttr stream,
                 const Family &family, int64_t chunk,
                 llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);

  /// Returns a name for the tasks of an op that is unique in its layer. It
  /// consists of the name in the op's location, without the layer's prefix, and
  /// the name of the op.
  std::string getName(mlir::Operation *op);

  mlir::func::FuncOp function;
  StreamAssignment &streams;
  mlir::OpBuilder builder;
  ScheduleOp scheduleOp;
  mlir::Block *tasks = nullptr;
  Lane outside;
  llvm::StringRef layer = "";
  Phase phase = Phase::Forward;
  /// The current sub-batch.
  std::optional<int64_t> part;
  /// The enclosing layer and pipeline of the current op, the inner one last. No
  /// op replaces them, so their discardable attributes are copied to the tasks.
  llvm::SmallVector<mlir::Operation *> dissolved;
  /// The last task before the tasks of the layer, or of the code after it; null
  /// if there is none.
  TaskOp beforeLayer;
  /// Indexed by phase.
  llvm::SmallVector<ChunkTask> chunkTasks[2];
  /// Ops of the function that stay before the schedule.
  llvm::DenseSet<mlir::Operation *> kept;
  /// Values that are defined before the schedule.
  llvm::DenseSet<mlir::Value> early;
  llvm::DenseMap<mlir::Operation *, ContiguousCollective> forms;
  /// Transposes that the copies of a collective include.
  llvm::DenseSet<mlir::Operation *> absorbed;
  /// The lanes of finished pipelines, for pipelines that read the same chunks.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Lane, 2>> lanesDone;
  /// Values of the old function that equal another value of it.
  llvm::DenseMap<mlir::Value, mlir::Value> aliases;
  std::map<std::pair<std::string, std::string>, unsigned> names;
};

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_SCHEDULEBUILDER_H

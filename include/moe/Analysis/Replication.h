// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over which mesh axes values vary.

#ifndef MOE_ANALYSIS_REPLICATION_H
#define MOE_ANALYSIS_REPLICATION_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/PatternMatch.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The axes of a module's mesh that sets of axes are drawn from. Axes of size
/// 1 are in no set: nothing can vary over them. A module without a mesh has
/// one nameless axis that holds all its ranks.
class MeshAxes {
public:
  explicit MeshAxes(mlir::Operation *root);

  /// All axes with more than one rank, bit i for axis i.
  uint64_t all() const { return allAxes; }
  /// The axes a group runs along, or nullopt when it is not stated by axes
  /// (or names an axis the mesh does not have).
  std::optional<uint64_t> getBits(GroupAttrInterface group) const;
  /// Names of the axes in a set, in mesh order.
  llvm::SmallVector<llvm::StringRef> getNames(uint64_t bits) const;
  /// The mesh, null in a module without one.
  MeshOp getMesh() const { return mesh; }

private:
  MeshOp mesh;
  uint64_t allAxes;
};

/// What is known of the axes a value varies over: two ranks that differ only
/// in axes outside the set hold equal values. A sparse forward dataflow
/// analysis computes it: `all_gather` and `all_reduce` over an axis remove
/// it; `drop`, `all_to_all`, `reduce_scatter` and `group_rank` add it, and so
/// does a `collective_permute` of what varies or that leaves ranks out; ops on
/// an allow-list pass on the union of their operands, a loop of StableHLO to
/// each result that of the operands which reach it; integers of StableHLO that
/// depend on nothing but the rank vary over the axes along which they differ;
/// every other op varies over every axis. What leaves a branch or loop also
/// varies over the axes its condition or bounds vary over. A function argument
/// starts with its `moe.varying`, or with every axis when it has none or when
/// the module itself calls the function or takes its address. Nothing is known
/// of what passes through unstructured control flow.
///
/// As a listener of a rewriter the object stays true while ops are created and
/// erased, provided each rewrite preserves the values it replaces.
class ReplicationInfo : public mlir::RewriterBase::Listener {
public:
  /// Analyses everything below `root`. Fails, with an error emitted, when there
  /// is more than one mesh below it.
  static llvm::FailureOr<std::unique_ptr<ReplicationInfo>>
  compute(mlir::Operation *root);

  /// The same, analysed when first asked what varies: for those who ask of few
  /// programs. Nothing below `root` may change until then.
  static llvm::FailureOr<std::unique_ptr<ReplicationInfo>>
  computeWhenAsked(mlir::Operation *root);

  ~ReplicationInfo() override;

  const MeshAxes &getAxes() const { return axes; }
  /// What was analysed.
  mlir::Operation *getRoot() const { return root; }

  /// The axes `value` may vary over; every axis when nothing is known.
  uint64_t getVarying(mlir::Value value) const;

  /// True when `value` is known not to vary over any axis of `group`.
  bool isReplicatedOver(mlir::Value value, GroupAttrInterface group) const;

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationErased(mlir::Operation *op) override;

private:
  explicit ReplicationInfo(mlir::Operation *root);
  llvm::LogicalResult analyse() const;

  mlir::Operation *root;
  MeshAxes axes;
  mutable mlir::DataFlowSolver solver;
  mutable bool isAnalysed = false;
  /// Facts of values created since the analysis ran, and of none else.
  llvm::DenseMap<mlir::Value, uint64_t> created;
};

} // namespace moe

#endif // MOE_ANALYSIS_REPLICATION_H

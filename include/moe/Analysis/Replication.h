// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of the mesh axes that values vary over.

#ifndef MOE_ANALYSIS_REPLICATION_H
#define MOE_ANALYSIS_REPLICATION_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/PatternMatch.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The axes of a module's mesh, as bits of sets. No set contains axes of size
/// 1, because nothing can vary over them. A module without a mesh has one
/// unnamed axis with all its ranks.
class MeshAxes {
public:
  explicit MeshAxes(mlir::Operation *root);

  /// Returns all axes with more than one rank; bit i is axis i.
  uint64_t all() const { return allAxes; }
  /// Returns the axes that a group runs along, or nullopt if the group is not
  /// given by axes (or names an axis that the mesh does not have).
  std::optional<uint64_t> getBits(GroupAttrInterface group) const;
  /// Returns the names of the axes in a set, in mesh order.
  llvm::SmallVector<llvm::StringRef> getNames(uint64_t bits) const;
  /// Returns the mesh, or null in a module without one.
  MeshOp getMesh() const { return mesh; }

private:
  MeshOp mesh;
  uint64_t allAxes;
};

/// The axes that each value may vary over: two ranks that differ only along
/// other axes hold equal values. A sparse forward dataflow analysis computes
/// this set with these rules:
/// - `all_gather` and `all_reduce` over an axis remove it.
/// - `drop`, `all_to_all`, `reduce_scatter` and `group_rank` add it, and so
///   does a `collective_permute` of a varying value or with ranks that receive
///   nothing.
/// - Ops on an allow-list propagate the union of their operands. A StableHLO
///   loop propagates to each result the union over the operands that reach it.
/// - StableHLO integers that depend only on the rank vary over the axes along
///   which they differ.
/// - Every other op varies over every axis.
/// - Results of a branch or loop also vary over the axes of its condition or
///   bounds.
/// - A function argument starts with its `moe.varying`. It starts with every
///   axis if it has none, or if the module itself calls the function or takes
///   its address.
/// - Values that pass through unstructured control flow vary over every axis.
///
/// The object is a listener for rewriters and remains valid while ops are
/// created and erased, provided that each rewrite preserves the values it
/// replaces.
class ReplicationInfo : public mlir::RewriterBase::Listener {
public:
  /// Analyzes all ops below `root`. Fails and emits an error if there is more
  /// than one mesh below it.
  static llvm::FailureOr<std::unique_ptr<ReplicationInfo>>
  compute(mlir::Operation *root);

  /// The same, but analyzes on the first query, for clients that query few
  /// programs. Nothing below `root` may change until then.
  static llvm::FailureOr<std::unique_ptr<ReplicationInfo>>
  computeWhenAsked(mlir::Operation *root);

  ~ReplicationInfo() override;

  const MeshAxes &getAxes() const { return axes; }
  mlir::Operation *getRoot() const { return root; }

  /// Returns the axes that `value` may vary over; every axis if unknown.
  uint64_t getVarying(mlir::Value value) const;

  /// Returns true if `value` is known not to vary over any axis of `group`.
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
  /// Results for values created since the analysis ran, and for no other
  /// values.
  llvm::DenseMap<mlir::Value, uint64_t> created;
};

} // namespace moe

#endif // MOE_ANALYSIS_REPLICATION_H

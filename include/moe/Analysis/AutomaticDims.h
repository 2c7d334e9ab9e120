// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dims that a partitioner shards.

#ifndef MOE_ANALYSIS_AUTOMATICDIMS_H
#define MOE_ANALYSIS_AUTOMATICDIMS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace moe {
struct ShardySharding;

/// On a function of a JAX program: the mesh axes that are not manual in it, so
/// that XLA may shard dims over them. On one of its arguments: the known axes
/// of each dim, for example `[[], ["t"]]`. Without the attribute, all axes are
/// manual.
inline constexpr llvm::StringLiteral kAutomaticAttr = "sdy.automatic";

/// Finds dims that XLA shards over axes that are not manual, because a sharding
/// names such an axis for the dim, or for a dim of another value that ops
/// relate to it one to one. In the program, a tensor has its whole size along
/// such a dim, but each rank holds only a part of it, so cutting the dim moves
/// data between ranks.
class AutomaticDims {
public:
  /// Relates the dims of all values in `root`, a module or a function.
  explicit AutomaticDims(mlir::Operation *root);

  /// Returns the subset of `axes` that shards a dim, in the order of `axes`.
  llvm::SmallVector<llvm::StringRef> find(mlir::Value value, int64_t dim,
                                          llvm::ArrayRef<llvm::StringRef> axes);

  /// Returns the axes that are not manual in the function around an op; empty
  /// if all are manual, or if the program is not from JAX.
  static llvm::SmallVector<llvm::StringRef> getAxes(mlir::Operation *op);

private:
  unsigned getId(mlir::Value value, unsigned dim);
  unsigned findRoot(unsigned id);
  void unite(mlir::Value a, unsigned dimA, mlir::Value b, unsigned dimB);
  void uniteAll(mlir::ValueRange a, mlir::ValueRange b);
  void mark(mlir::Value value, const ShardySharding &sharding);
  void mark(mlir::Value value, mlir::Attribute sharding);
  void visit(mlir::Operation *op, bool isModule);
  void visitRegions(mlir::Operation *op);
  void visitFunction(mlir::Operation *op);

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> ids;
  llvm::SmallVector<unsigned> parents;
  /// Axes of the dims with the same root.
  llvm::DenseMap<unsigned, llvm::StringSet<>> axesOf;
};

} // namespace moe

#endif // MOE_ANALYSIS_AUTOMATICDIMS_H

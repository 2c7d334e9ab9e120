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

/// On a function of a JAX program: the mesh axes that are not manual in it,
/// over which XLA shards dims as it likes. On an argument of it: the axes of
/// each dim that are known, `[[], ["t"]]`. Where the attribute is absent all
/// axes are manual.
inline constexpr llvm::StringLiteral kAutomaticAttr = "sdy.automatic";

/// Dims that XLA shards over axes that are not manual: because a sharding names
/// such an axis for the dim, or for a dim of another value to which ops relate
/// it one to one. A tensor has its whole size along such a dim in the program,
/// but each rank holds a part of it, so that cutting the dim moves data between
/// ranks.
class AutomaticDims {
public:
  /// Relates the dims of all values in `root`, a module or a function.
  explicit AutomaticDims(mlir::Operation *root);

  /// The axes over which a dim is sharded, out of `axes`, in their order.
  llvm::SmallVector<llvm::StringRef> find(mlir::Value value, int64_t dim,
                                          llvm::ArrayRef<llvm::StringRef> axes);

  /// The axes that are not manual in the function around an op; empty if all
  /// are, or if the program is not from JAX.
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
  /// Axes of the dims with one root.
  llvm::DenseMap<unsigned, llvm::StringSet<>> axesOf;
};

} // namespace moe

#endif // MOE_ANALYSIS_AUTOMATICDIMS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shrinks dims to the elements that represent all others.

#ifndef MOE_INTERPRETER_COLLAPSE_H
#define MOE_INTERPRETER_COLLAPSE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace moe {

/// Computes how far the dims of values can shrink without changing the result
/// of a symbolic equivalence check.
///
/// All (value, dim) pairs that ops relate form classes, over all programs of a
/// comparison (`moe::getDimMap`; arguments and results of the entry functions
/// are the same values in both). The ops in between pass the dim through, read
/// or write it as a whole, or cut and join it in blocks. Let `f` be the
/// greatest common divisor of all sizes and offsets in a class. Then an index
/// along the dim is q * f + r, every cut is between two values of q, and no op
/// distinguishes two values of r. Therefore one r represents all f of them, and
/// the dim may be divided by f. A dim that no op cuts has f = its size and
/// shrinks to 1.
///
/// A class is left as it is (f = 1) if one of its dims is dynamic, belongs to
/// an integer argument or to a choice of experts, or is used in a way that is
/// not described: an unknown op, a query of its size, a slice with steps,
/// constants that are not uniform. The same holds if two dims of one value are
/// in the class, because r would then be two independent indices.
class Collapse {
public:
  /// Analyses the whole modules that contain the entry functions.
  explicit Collapse(llvm::ArrayRef<mlir::func::FuncOp> entries);

  /// Returns the factor f of a dim.
  int64_t getFactor(mlir::Value value, unsigned dim) const;

private:
  struct Class {
    unsigned parent;
    int64_t divisor;
    bool fixed;
  };

  void visit(mlir::Operation *op);
  bool visitBlocks(mlir::Operation *op);
  void visitUses(mlir::Operation *op);
  void visitPipeline(PipelineOp op);
  unsigned find(unsigned id) const;
  std::optional<unsigned> lookup(mlir::Value value, unsigned dim);
  void add(mlir::Value value);
  void unite(mlir::Value a, unsigned dimA, mlir::Value b, unsigned dimB);
  void uniteAll(mlir::Value a, mlir::Value b);
  void divide(mlir::Value value, unsigned dim, int64_t size);
  void fix(mlir::Value value, unsigned dim);
  void fixAll(mlir::Value value);

  mutable std::vector<Class> classes;
  llvm::DenseMap<mlir::Value, unsigned> firstDim;
  /// Per op name and size, the first dim of this size that such an op writes as
  /// a whole.
  llvm::DenseMap<std::pair<const void *, int64_t>,
                 std::pair<mlir::Value, unsigned>>
      opaqueDims;
};

} // namespace moe

#endif // MOE_INTERPRETER_COLLAPSE_H

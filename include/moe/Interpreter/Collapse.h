// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dims of which one element stands for many.

#ifndef MOE_INTERPRETER_COLLAPSE_H
#define MOE_INTERPRETER_COLLAPSE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace moe {

/// How far the dims of values can shrink without changing what a proof on
/// terms says.
///
/// All (value, dim) pairs that ops relate form classes, over all programs of a
/// comparison (`moe::getDimMap`; arguments and results of the entry functions
/// are the same values in both). Ops in between pass the dim through, read or
/// write it as a whole, or cut and join it in blocks. Let `f` be the greatest
/// common divisor of all sizes and offsets in a class. Then an index along the
/// dim is q * f + r, every cut falls between two q, and r passes through
/// everything unseen: one r stands for all f of them, and the dim may be
/// divided by f. A dim nobody cuts has f = its size and shrinks to 1.
///
/// A class is left as it is (f = 1) when one of its dims is dynamic, is used
/// in a way nobody described (an unknown op, a size that is asked for, a
/// slice with steps, constants that are not uniform), belongs to an integer
/// argument or to a choice of experts, or when two dims of one value are in
/// it: r would then be two independent indices.
class Collapse {
public:
  /// Analyses the whole modules around the entry functions.
  explicit Collapse(llvm::ArrayRef<mlir::func::FuncOp> entries);

  /// The f of a dim.
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
  /// Per op name and size: the first dim of that size such an op writes as a
  /// whole.
  llvm::DenseMap<std::pair<const void *, int64_t>,
                 std::pair<mlir::Value, unsigned>>
      opaqueDims;
};

} // namespace moe

#endif // MOE_INTERPRETER_COLLAPSE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose batch runs in parts.
//
// Sequences of a micro-batch meet nowhere but in the sums that weights'
// gradients are: dense parts, gates and experts treat them one by one, and
// layers that drop nothing let none of them keep another out. Some of them
// may therefore run through all layers as a program of their own, and others
// beside them: what one part exchanges is hidden under what another computes.

#ifndef MOE_ANALYSIS_BATCHPARTS_H
#define MOE_ANALYSIS_BATCHPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <string>

namespace moe {

/// What a part has instead of a value.
struct PartValue {
  enum class Kind {
    /// A share along one dim.
    Cut,
    /// One of the same type, such as the sizes of an exchange.
    Fixed,
    /// A summand of it: the gradient of a weight.
    Sum
  };
  Kind kind = Kind::Fixed;
  /// Of Cut: the dim is `[shards, size]` of the value and `[shards, partSize]`
  /// of the part, outermost first.
  int64_t dim = 0, shards = 1, size = 0, partSize = 0;
  /// Of Cut: parts put together are the value, so that anybody may read it. All
  /// else is of use to the same part only, perhaps in the backward pass.
  bool isWhole = false;
  /// Of row numbers: the dim that they count, of the buffer that they are of.
  int64_t slotSize = 0, slotPartSize = 0;
  /// Of the sizes of an exchange: what they are planned for, and the limits.
  int64_t choices = 0, limit = 0, partLimit = 0;
  /// Of Sum: who adds up what ranks have of it, once for all parts.
  AllReduceOp reduce = nullptr;

  /// Whether parts have as much of both along their dims.
  bool isCutAs(const PartValue &other) const {
    return kind == Kind::Cut && other.kind == Kind::Cut &&
           shards == other.shards && size == other.size &&
           partSize == other.partSize;
  }
};

/// A function cut into parts of its batch.
struct BatchParts {
  mlir::func::FuncOp function;
  int64_t parts;
  /// Tokens of a rank, all and of a part.
  int64_t tokens, partTokens;
  /// Sequences that these are of; 0 where nobody says it.
  int64_t sequences = 0;
  /// Layers whose experts get a share of their slots each part, so that other
  /// tokens may be dropped.
  llvm::SmallVector<LayerOp> changed;
  /// What parts have instead of values; whoever is not here they all read.
  llvm::DenseMap<mlir::Value, PartValue> values;

  const PartValue *lookUp(mlir::Value value) const {
    auto it = values.find(value);
    return it == values.end() ? nullptr : &it->second;
  }
  /// Whether each part has an op of its own instead of this one.
  bool isOfParts(mlir::Operation *op) const;
  /// The type of what a part has instead of `value`.
  mlir::Type getPartType(mlir::Value value) const;
};

/// How a function with layers may be cut into `parts`, at least 2; otherwise
/// says in `reason` why not: what was expected, and what was found. Slots of
/// experts are shared out only where `sharesSlots`, unless nothing can be
/// dropped.
std::optional<BatchParts> findBatchParts(mlir::func::FuncOp function,
                                         int64_t parts, bool sharesSlots,
                                         const RowProvenance &rows,
                                         std::string &reason);

} // namespace moe

#endif // MOE_ANALYSIS_BATCHPARTS_H

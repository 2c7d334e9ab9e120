// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with a batch that runs in sub-batches.
//
// The sequences of a micro-batch interact only in the sums of weight gradients:
// dense parts, gates and experts process each one separately, and in dropless
// layers no sequence can keep another out. Therefore, some of them may run
// through all layers as a separate program, concurrently with the others, so
// that the computation of one part hides the exchanges of another.

#ifndef MOE_ANALYSIS_BATCHPARTS_H
#define MOE_ANALYSIS_BATCHPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <string>

namespace moe {

/// A part's replacement for a value.
struct PartValue {
  enum class Kind {
    /// A share along one dim.
    Cut,
    /// A value of the same type, for example the sizes of an exchange.
    Fixed,
    /// A summand of the value: the gradient of a weight.
    Sum
  };
  Kind kind = Kind::Fixed;
  /// For Cut: the dim is `[shards, size]` of the value and `[shards, partSize]`
  /// of the part, outermost first.
  int64_t dim = 0, shards = 1, size = 0, partSize = 0;
  /// For Cut: the concatenated parts are the value, so any op may read it.
  /// Other values are only useful to the same part, possibly in the backward
  /// pass.
  bool isWhole = false;
  /// For row numbers: the dim that they index, of the buffer that they refer
  /// to.
  int64_t slotSize = 0, slotPartSize = 0;
  /// For the sizes of an exchange: the planned number of choices, and the
  /// limits.
  int64_t choices = 0, limit = 0, partLimit = 0;
  /// For Sum: the all-reduce that adds up the ranks' values, once for all
  /// parts.
  AllReduceOp reduce = nullptr;

  /// Returns true if parts have the same share of both values along their dims.
  bool isCutAs(const PartValue &other) const {
    return kind == Kind::Cut && other.kind == Kind::Cut &&
           shards == other.shards && size == other.size &&
           partSize == other.partSize;
  }
};

/// A function cut into sub-batches.
struct BatchParts {
  mlir::func::FuncOp function;
  int64_t parts;
  /// Tokens per rank, in total and per part.
  int64_t tokens, partTokens;
  /// Number of sequences that the tokens belong to; 0 if unknown.
  int64_t sequences = 0;
  /// Layers where each part has a share of the expert slots, so that other
  /// tokens may be dropped.
  llvm::SmallVector<LayerOp> changed;
  /// The parts' replacements for values. All parts read any other value as it
  /// is.
  llvm::DenseMap<mlir::Value, PartValue> values;

  const PartValue *lookUp(mlir::Value value) const {
    auto it = values.find(value);
    return it == values.end() ? nullptr : &it->second;
  }
  /// Returns true if each part has its own copy of this op.
  bool isOfParts(mlir::Operation *op) const;
  /// Returns the type of a part's replacement for `value`.
  mlir::Type getPartType(mlir::Value value) const;
};

/// Finds how to cut a function with layers into `parts` >= 2 parts. Otherwise,
/// sets `reason` to the expected and actual values. Expert slots are only
/// shared among parts if `sharesSlots`, unless no token can be dropped.
std::optional<BatchParts> findBatchParts(mlir::func::FuncOp function,
                                         int64_t parts, bool sharesSlots,
                                         const RowProvenance &rows,
                                         std::string &reason);

} // namespace moe

#endif // MOE_ANALYSIS_BATCHPARTS_H

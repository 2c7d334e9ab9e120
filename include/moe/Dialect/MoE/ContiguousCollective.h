// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives and their pack and unpack copies.
//
// This file alone decides which collectives exchange buffers as they are, and
// which copies the other collectives need. Cost models count the copies,
// schedules put them on streams, and the conversion to the runtime makes them
// explicit because the runtime packs nothing itself.

#ifndef MOE_DIALECT_MOE_CONTIGUOUSCOLLECTIVE_H
#define MOE_DIALECT_MOE_CONTIGUOUSCOLLECTIVE_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns true if cutting a tensor along `dim` yields contiguous pieces, that
/// is, if all dims before it have size 1. A dynamic size counts as more than 1.
bool isOutermost(mlir::RankedTensorType type, int64_t dim);

/// Returns true for ops that view the same data in another shape; false for
/// null.
bool isReshape(mlir::Operation *op);

/// The copies that a collective needs, because it cuts or joins blocks along a
/// dim that is not the outermost one. Both are false if its group has one rank
/// or does not resolve.
struct CollectiveCopies {
  bool packs = false, unpacks = false;

  static CollectiveCopies of(mlir::Operation *op);
};

/// Emits an error and fails if a collective needs copies, that is, if it is not
/// in normal form.
llvm::LogicalResult verifyContiguous(mlir::Operation *op);

/// Brings the collectives below `root` into normal form, with their copies
/// around them. Skips collectives in pipelines, whose chunks are packed
/// individually after unrolling, and collectives on tensors whose elements
/// cannot be counted because the shape is dynamic or the count exceeds 64 bits.
/// Returns the number of rewritten ops.
int64_t makeCollectivesContiguous(mlir::Operation *root);

/// A collective on contiguous buffers. It exchanges consecutive blocks. If its
/// dim is not the outermost one, its operand is packed before the exchange, its
/// result is unpacked after it, or both:
///
///   all_gather_d(x)     = unpack_d(all_gather_0(x))
///   reduce_scatter_d(x) = reduce_scatter_0(pack_d(x))
///   all_to_all_s,c(x)   = unpack_c(all_to_all_0,0(pack_s(x)))
///
/// pack_d views dim d as [n, size / n], where n is the number of ranks in the
/// group, and moves n to the front; unpack_d is the inverse (SPEC MO-10: the
/// chunks of an all-gather are interleaved, and copies put them in place). A
/// transpose of the result of a reduce-scatter, or of the operand of an
/// all-gather, is the same copy with another permutation.
class ContiguousCollective {
public:
  /// Returns nullopt if the op needs no copies: its dims are outermost, it is
  /// not one of these collectives, or its group has one rank.
  static std::optional<ContiguousCollective> find(mlir::Operation *op);

  bool packs() const { return packDim.has_value(); }
  bool unpacks() const { return unpackDim.has_value(); }

  /// Returns the transpose that is merged with the copy: before an all-gather
  /// that unpacks, or after a reduce-scatter that packs. Null if there is none.
  /// No other op reads the value in between.
  TransposeOp getTranspose() const { return transpose; }
  /// Excludes the transpose from this rewrite.
  void dropTranspose() { transpose = TransposeOp(); }

  /// Returns the value that is packed or exchanged: the operand, or the operand
  /// of a transpose that unpacking absorbs.
  mlir::Value getSource() const;
  /// Returns the value that is received or unpacked: the result, or the result
  /// of a transpose that packing absorbs.
  mlir::Value getResult() const;

  mlir::Value buildPack(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value operand) const;
  /// Builds the collective along dim 0 of a packed operand. The attributes that
  /// users added to the original op are carried over.
  mlir::Value buildCollective(mlir::OpBuilder &builder,
                              mlir::Value operand) const;
  mlir::Value buildUnpack(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value gathered) const;

private:
  ContiguousCollective(mlir::Operation *op, int64_t ranks)
      : op(op), ranks(ranks) {}

  mlir::Operation *op;
  int64_t ranks;
  std::optional<int64_t> packDim, unpackDim;
  TransposeOp transpose;
};

} // namespace moe

#endif // MOE_DIALECT_MOE_CONTIGUOUSCOLLECTIVE_H

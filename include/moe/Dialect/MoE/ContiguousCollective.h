// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives and their copies.
//
// The one place that says which collectives exchange buffers as they are, and
// which copies the others take. Times count the copies, schedules put them on
// streams, and the conversion to the runtime, which packs nothing itself, has
// them made explicit.

#ifndef MOE_DIALECT_MOE_CONTIGUOUSCOLLECTIVE_H
#define MOE_DIALECT_MOE_CONTIGUOUSCOLLECTIVE_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// True when cutting a tensor along `dim` leaves contiguous pieces: all dims
/// before it have size 1. A dynamic size counts as more than 1.
bool isOutermost(mlir::RankedTensorType type, int64_t dim);

/// True for ops that see the same data in another shape. Null is none.
bool isReshape(mlir::Operation *op);

/// Whether a collective needs its operand packed before, and its result
/// unpacked after: it cuts or joins blocks along a dim that is not the
/// outermost one. Neither where its group has one rank, or does not resolve.
struct CollectiveCopies {
  bool packs = false, unpacks = false;

  static CollectiveCopies of(mlir::Operation *op);
};

/// Emits an error and fails when a collective is not in normal form: when it
/// needs copies.
llvm::LogicalResult verifyContiguous(mlir::Operation *op);

/// Brings the collectives below `root` into normal form, with their copies
/// around them. Leaves those in pipelines, whose chunks are packed each when
/// they are unrolled, and those on tensors whose elements cannot be counted: of
/// a dynamic shape, or more than a number of 64 bits can say. Returns how many
/// it rewrote.
int64_t makeCollectivesContiguous(mlir::Operation *root);

/// How a collective runs on contiguous buffers. It exchanges blocks that lie
/// one after the other; where its dim is not the outermost one, its operand is
/// packed before, its result unpacked after, or both:
///
///   all_gather_d(x)     = unpack_d(all_gather_0(x))
///   reduce_scatter_d(x) = reduce_scatter_0(pack_d(x))
///   all_to_all_s,c(x)   = unpack_c(all_to_all_0,0(pack_s(x)))
///
/// pack_d views dim d as [n, size / n] and moves n, the ranks of the group, to
/// the front; unpack_d is the inverse (SPEC MO-10: the chunks of an all-gather
/// lie interleaved, and copies put them in place). A transpose of the result
/// of a reduce-scatter, or of the operand of an all-gather, is the same copy
/// with another permutation.
class ContiguousCollective {
public:
  /// Nothing when the op needs no copies as it is: its dims are outermost, it
  /// is no such collective, or its group has one rank.
  static std::optional<ContiguousCollective> find(mlir::Operation *op);

  bool packs() const { return packDim.has_value(); }
  bool unpacks() const { return unpackDim.has_value(); }

  /// The transpose before an all-gather that unpacking does as well, or after
  /// a reduce-scatter that packing does; null without one. No other op reads
  /// the value between the two.
  TransposeOp getTranspose() const { return transpose; }
  /// Leaves the transpose to somebody else.
  void dropTranspose() { transpose = TransposeOp(); }

  /// What is packed or exchanged: the operand, before a transpose that
  /// unpacking does.
  mlir::Value getSource() const;
  /// What is received or unpacked: the result, behind a transpose that packing
  /// does.
  mlir::Value getResult() const;

  mlir::Value buildPack(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value operand) const;
  /// The collective along dim 0 of a packed operand, with the attributes that
  /// others have put on it.
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

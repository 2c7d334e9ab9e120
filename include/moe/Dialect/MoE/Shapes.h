// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape checks shared by the ops.

#ifndef MOE_LIB_DIALECT_MOE_SHAPES_H
#define MOE_LIB_DIALECT_MOE_SHAPES_H

#include "mlir/IR/PatternMatch.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns true if two dim sizes are equal or one of them is dynamic.
bool areCompatible(int64_t a, int64_t b);

/// Returns true if two shapes have the same rank and compatible dims.
bool areCompatible(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// Returns true if `values` are the integers 0..n-1 in any order.
bool isPermutation(llvm::ArrayRef<int64_t> values);

/// Returns `type` permuted, so that dim i of the result is dim permutation[i].
mlir::RankedTensorType permuteType(mlir::RankedTensorType type,
                                   llvm::ArrayRef<int64_t> permutation);

/// Returns `type` with the given size for every dynamic dim, which inside a
/// pipeline is the chunk dim.
mlir::Type withChunkSize(mlir::Type type, int64_t size);

/// Emits "expected result type ..., got ..." unless `actual` has the rank and
/// element type of `expected` and compatible dims.
llvm::LogicalResult verifyType(mlir::Operation *op,
                               mlir::RankedTensorType expected,
                               mlir::Type actual);

inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Emits "expected <what> to have rank N, got <type>" unless the rank is N.
llvm::LogicalResult verifyTensorRank(mlir::Operation *op, llvm::StringRef what,
                                     mlir::Value value, int64_t rank);

/// Emits "expected <what> to have elements T, got U" unless the elements match.
llvm::LogicalResult verifyElements(mlir::Operation *op, llvm::StringRef what,
                                   mlir::Value value, mlir::Type element);

/// Emits "expected <what> to have size A in dim D, got B" unless the size
/// matches.
llvm::LogicalResult verifyDimSize(mlir::Operation *op, llvm::StringRef what,
                                  mlir::Value value, int64_t dim, int64_t size);

/// Returns the number of slots of a buffer [experts..., C, M], with at least
/// one slot per expert if C is dynamic. Fails if the product overflows.
llvm::FailureOr<int64_t> countSlots(mlir::RankedTensorType buffer);

/// Emits an error unless the signed element type of `value` can hold all
/// numbers below `count`.
llvm::LogicalResult verifyHolds(mlir::Operation *op, llvm::StringRef what,
                                mlir::Value value, int64_t count);

/// Emits an error unless the signed element type of `value` can hold all
/// numbers up to `largest`.
llvm::LogicalResult verifyHoldsUpTo(mlir::Operation *op, llvm::StringRef what,
                                    mlir::Value value, int64_t largest);

/// Returns the rows of a matrix for `rows` input columns: one more, for the
/// bias, if the matrix is biased. A dynamic size stays dynamic.
int64_t addBias(int64_t rows, bool biased);

/// Verifies the tokens and the weights of expert networks, for an op that
/// applies them or computes their gradients. Tokens are [experts, rows..., M],
/// or [rows, M] with runs.
llvm::LogicalResult verifyExperts(mlir::Operation *op, ExpertsKind kind,
                                  mlir::Value tokens, mlir::ValueRange weights,
                                  mlir::Value runOffsets, mlir::Value runSizes,
                                  std::optional<Activation> activation,
                                  bool biased);

/// Returns the number of inner products of a kind; experts keep one part for
/// each.
int64_t countInnerProducts(ExpertsKind kind);

/// Returns the type of `parts` intermediate results of experts: [parts,
/// rows..., H].
mlir::RankedTensorType getBetweenType(mlir::RankedTensorType tokens,
                                      mlir::RankedTensorType firstWeight,
                                      int64_t parts);

/// Verifies intermediate results; errors call them `what`. `value` may be null.
llvm::LogicalResult verifyBetween(mlir::Operation *op, llvm::StringRef what,
                                  mlir::Value value, mlir::Value tokens,
                                  mlir::Value firstWeight, int64_t parts);

/// Checks `dim` against the rank of `type`; `name` is the attribute's name in
/// the assembly.
llvm::LogicalResult verifyDim(mlir::Operation *op, mlir::RankedTensorType type,
                              int64_t dim, llvm::StringRef name);

/// Verifies that `group` resolves in the module around `op`, and returns the
/// number of ranks in each group, at least 1. Emits an error and fails
/// otherwise.
llvm::FailureOr<int64_t> verifyGroup(mlir::Operation *op,
                                     GroupAttrInterface group);

/// Verifies the group and the types of an op that divides `dim` by the group's
/// size. `dim` must be in range.
llvm::LogicalResult verifyScattered(mlir::Operation *op, mlir::Value operand,
                                    mlir::Value result, int64_t dim,
                                    GroupAttrInterface group);

/// Returns `value` as the fold result, or null if it is the op's own result. At
/// the top of a module, ops need not follow their operands, and an op that uses
/// itself would fold forever.
mlir::OpFoldResult foldTo(mlir::Operation *op, mlir::Value value);

/// Verifies that a result's dim may consist of `size` equal parts. The types do
/// not guarantee this only if the operand's dim is dynamic.
llvm::LogicalResult verifyJoined(mlir::Operation *op, mlir::Type result,
                                 int64_t dim, int64_t size);

/// Returns true if the group has one rank and the types agree, so that the
/// collective is the identity.
bool isOneRank(mlir::Operation *op, GroupAttrInterface group,
               mlir::Value operand, mlir::Value result);

/// Returns the group of mesh axes that equals `group`, rank by rank and in
/// order, without axes of size 1. Nullopt if there is none.
std::optional<GroupAttr> asMeshAxes(mlir::Operation *from,
                                    GroupAttrInterface group);

/// Returns `group` without axes of size 1, which change neither the groups nor
/// their order. Nullopt if it has no such axes.
std::optional<GroupAttr> withoutUnitAxes(mlir::Operation *from,
                                         GroupAttr group);

/// Returns the first op with a group that is given as rank lists, with the
/// lists, among the ops that share the ranks of `from`: all ops except those in
/// modules with a mesh. Null if there is none. Safe on ops that are not
/// verified yet.
std::pair<mlir::Operation *, ReplicaGroupsAttr>
findRankLists(mlir::Operation *from);

/// Verifies that `body`, the region of `op`, ends with a moe.yield of values of
/// the given types. The region must have a block that is not empty.
llvm::LogicalResult verifyYield(mlir::Operation *op, mlir::Region &body,
                                mlir::TypeRange types);

/// Returns the dim map of an op with one result and operands of the same rank:
/// every dim except `touched` is linked to itself.
DimMap linkAllBut(mlir::Operation *op, llvm::ArrayRef<int64_t> touched);

/// Canonicalizes the group of any op: explicit rank lists that equal mesh axes
/// become these axes, and axes of size 1 are removed.
template <typename OpT>
llvm::LogicalResult normalizeGroup(OpT op, mlir::PatternRewriter &rewriter) {
  auto given = llvm::dyn_cast<GroupAttr>(op.getGroup());
  std::optional<GroupAttr> axes =
      given ? withoutUnitAxes(op, given) : asMeshAxes(op, op.getGroup());
  if (!axes)
    return rewriter.notifyMatchFailure(op, "no simpler group is the same");
  rewriter.modifyOpInPlace(op, [&] { op.setGroupAttr(*axes); });
  return mlir::success();
}

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_SHAPES_H

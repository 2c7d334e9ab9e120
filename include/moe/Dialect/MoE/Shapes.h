// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape checks shared by the ops.

#ifndef MOE_LIB_DIALECT_MOE_SHAPES_H
#define MOE_LIB_DIALECT_MOE_SHAPES_H

#include "mlir/IR/PatternMatch.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Two dim sizes agree, or one of them is dynamic.
bool areCompatible(int64_t a, int64_t b);

/// Two shapes have one rank and agree in every dim.
bool areCompatible(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// The integers 0..n-1 in some order.
bool isPermutation(llvm::ArrayRef<int64_t> values);

/// `type` with dim i of the result being dim permutation[i].
mlir::RankedTensorType permuteType(mlir::RankedTensorType type,
                                   llvm::ArrayRef<int64_t> permutation);

/// Emits "expected result type ..., got ..." unless `actual` has the rank and
/// element type of `expected` and compatible dims.
llvm::LogicalResult verifyType(mlir::Operation *op,
                               mlir::RankedTensorType expected,
                               mlir::Type actual);

inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Emits "expected <what> to have rank N, got <type>" on another rank.
llvm::LogicalResult verifyTensorRank(mlir::Operation *op, llvm::StringRef what,
                                     mlir::Value value, int64_t rank);

/// Emits "expected <what> to have elements T, got U" on other elements.
llvm::LogicalResult verifyElements(mlir::Operation *op, llvm::StringRef what,
                                   mlir::Value value, mlir::Type element);

/// Emits "expected <what> to have size A in dim D, got B" when a dim differs.
llvm::LogicalResult verifyDimSize(mlir::Operation *op, llvm::StringRef what,
                                  mlir::Value value, int64_t dim, int64_t size);

/// Number of slots a buffer [experts..., C, M] holds, of at least one slot an
/// expert when C is dynamic; fails when the product overflows.
llvm::FailureOr<int64_t> countSlots(mlir::RankedTensorType buffer);

/// Emits an error unless the elements of `value`, taken as signed, can hold
/// the numbers below `count`.
llvm::LogicalResult verifyHolds(mlir::Operation *op, llvm::StringRef what,
                                mlir::Value value, int64_t count);

/// Emits an error unless the elements of `value`, taken as signed, can hold
/// all numbers up to `largest`.
llvm::LogicalResult verifyHoldsUpTo(mlir::Operation *op, llvm::StringRef what,
                                    mlir::Value value, int64_t largest);

/// The rows of a matrix that multiplies as many columns: one more, a bias,
/// where the matrix is biased. A dynamic size stays one.
int64_t addBias(int64_t rows, bool biased);

/// Verifies the tokens and the weights of expert networks, which `op` applies
/// or takes gradients of: tokens [experts, rows..., M], or [rows, M] with runs.
llvm::LogicalResult verifyExperts(mlir::Operation *op, ExpertsKind kind,
                                  mlir::Value tokens, mlir::ValueRange weights,
                                  mlir::Value runOffsets, mlir::Value runSizes,
                                  std::optional<Activation> activation,
                                  bool biased);

/// Number of inner products of a kind: experts keep a part for each.
int64_t countInnerProducts(ExpertsKind kind);

/// The type of `parts` intermediate results of experts: [parts, rows..., H].
mlir::RankedTensorType getBetweenType(mlir::RankedTensorType tokens,
                                      mlir::RankedTensorType firstWeight,
                                      int64_t parts);

/// Verifies such a value; `what` is what errors call it. It may be null.
llvm::LogicalResult verifyBetween(mlir::Operation *op, llvm::StringRef what,
                                  mlir::Value value, mlir::Value tokens,
                                  mlir::Value firstWeight, int64_t parts);

/// Checks `dim` against the rank of `type`; `name` is the attribute's name in
/// the assembly.
llvm::LogicalResult verifyDim(mlir::Operation *op, mlir::RankedTensorType type,
                              int64_t dim, llvm::StringRef name);

/// Verifies that `group` resolves in the module around `op` and returns the
/// number of ranks in each group, at least 1. Emits an error otherwise.
llvm::FailureOr<int64_t> verifyGroup(mlir::Operation *op,
                                     GroupAttrInterface group);

/// Verifies the group and the types of an op that divides `dim`, which is in
/// range, by the group's size.
llvm::LogicalResult verifyScattered(mlir::Operation *op, mlir::Value operand,
                                    mlir::Value result, int64_t dim,
                                    GroupAttrInterface group);

/// What an op folds to, or nothing when that is its own result: at the top of a
/// module, ops need not follow what they use, and an op that uses itself would
/// fold without end.
mlir::OpFoldResult foldTo(mlir::Operation *op, mlir::Value value);

/// Checks that a result's dim may be `size` equal parts joined. Only where the
/// operand's dim is dynamic does its type not say so already.
llvm::LogicalResult verifyJoined(mlir::Operation *op, mlir::Type result,
                                 int64_t dim, int64_t size);

/// True when the group has one rank and the types agree, so that a collective
/// over it is the identity.
bool isOneRank(mlir::Operation *op, GroupAttrInterface group,
               mlir::Value operand, mlir::Value result);

/// The group of mesh axes that equals `group`, rank by rank and in order, if
/// there is one; the axes of size 1 are left out.
std::optional<GroupAttr> asMeshAxes(mlir::Operation *from,
                                    GroupAttrInterface group);

/// `group` without the axes of size 1, which change neither the groups nor
/// their order, or nothing when it has none.
std::optional<GroupAttr> withoutUnitAxes(mlir::Operation *from,
                                         GroupAttr group);

/// The first op whose group is rank lists, and those lists, among the ops that
/// share the ranks of `from`: all but those of modules with a mesh. Null when
/// there is none. Reads no op that need be verified.
std::pair<mlir::Operation *, ReplicaGroupsAttr>
findRankLists(mlir::Operation *from);

/// Verifies that `body`, the region of `op`, ends with a moe.yield of values of
/// the given types. The region has a block that is not empty.
llvm::LogicalResult verifyYield(mlir::Operation *op, mlir::Region &body,
                                mlir::TypeRange types);

/// Dim map of an op with one result, all of whose operands have its rank:
/// every dim but `touched` is linked to itself.
DimMap linkAllBut(mlir::Operation *op, llvm::ArrayRef<int64_t> touched);

/// Canonicalization shared by all ops with a group: explicit rank lists that
/// equal mesh axes become those axes.
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

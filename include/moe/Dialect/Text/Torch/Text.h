// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PyTorch's values say.

#ifndef MOE_DIALECT_TEXT_TORCH_TEXT_H
#define MOE_DIALECT_TEXT_TORCH_TEXT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// On an op that is a function: its operands that are constants, by their
/// places among all of PyTorch's: of `add.Tensor(a, b, alpha=1)`
/// `{"2" = 1 : i64}`. A list is an array, None is a unit.
inline constexpr llvm::StringLiteral kTorchConstantsAttr = "torch.constants";

/// Facts from PyTorch's schemas and tags: the results depend on the operands
/// only; the op is elementwise and broadcasts its operands.
inline constexpr llvm::StringLiteral kTorchFunctionAttr = "fx.function";
inline constexpr llvm::StringLiteral kTorchPointwiseAttr = "fx.pointwise";
/// The FX node that an op represents, or the node that it was created for.
inline constexpr llvm::StringLiteral kTorchNodeAttr = "fx.node";
inline constexpr llvm::StringLiteral kTorchOriginAttr = "fx.from";
/// Prefixes of names that encode facts (`getTorchFactName`).
inline constexpr llvm::StringLiteral kTorchFunctionPrefix = "torch.function.";
inline constexpr llvm::StringLiteral kTorchPointwisePrefix = "torch.pointwise.";

/// Prefix of the functions that this compiler adds to a PyTorch program.
inline constexpr llvm::StringLiteral kTorchOwnPrefix = "torch.moe.";
/// This rank's part of a tensor: (tensor, dim, group).
inline constexpr llvm::StringLiteral kTorchDrop = "torch.moe.drop";
/// Integers of a list as a vector, the offsets of runs of these sizes that lie
/// one after the other, and the sum of the sizes as an index.
inline constexpr llvm::StringLiteral kTorchSizes = "torch.moe.sizes";
inline constexpr llvm::StringLiteral kTorchOffsets = "torch.moe.offsets";
inline constexpr llvm::StringLiteral kTorchRows = "torch.moe.rows";

/// What PyTorch calls an op: of `torch.operator` what its attribute says, of
/// others their name.
llvm::StringRef getTorchName(mlir::Operation *op);

/// The tensor of `!torch.vtensor<[8,?],si64>`, of integers without signs; null
/// for all other types, and where no rank is known.
mlir::RankedTensorType parseVTensor(mlir::Type type);

/// What a value is that constants alone make: an integer of 64 bits, a float of
/// 64 bits, a boolean, a string, a list of these as an array, None as a unit.
/// Null for all others.
mlir::Attribute getTorchConstant(mlir::Value value);

/// The integers of an attribute of an integer or of a list of them.
std::optional<int64_t> getTorchInt(mlir::Attribute attr);
std::optional<llvm::SmallVector<int64_t>> getTorchInts(mlir::Attribute attr);

/// PyTorch's arguments of an op, in their order, whether they stand among its
/// operands or among its constants.
class TorchArguments {
public:
  explicit TorchArguments(mlir::Operation *op);

  unsigned size() const { return arguments.size(); }
  /// Which operand of the op an argument is; nullopt of a constant.
  std::optional<unsigned> getOperand(unsigned argument) const;
  /// What a constant argument is; null of others.
  mlir::Attribute getConstant(unsigned argument) const;

private:
  mlir::Operation *op;
  /// Of each argument its operand, or -1 and its constant.
  llvm::SmallVector<std::pair<int64_t, mlir::Attribute>> arguments;
};

} // namespace moe

#endif // MOE_DIALECT_TEXT_TORCH_TEXT_H

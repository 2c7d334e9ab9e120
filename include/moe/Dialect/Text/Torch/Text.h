// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, types and arguments in the text of PyTorch programs.

#ifndef MOE_DIALECT_TEXT_TORCH_TEXT_H
#define MOE_DIALECT_TEXT_TORCH_TEXT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// Attribute of a function op with its constant arguments by their positions in
/// PyTorch's schema, for example `{"2" = 1 : i64}` for
/// `add.Tensor(a, b, alpha=1)`. A list is an array, None is a unit.
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
/// Function that returns this rank's part of a tensor: (tensor, dim, group).
inline constexpr llvm::StringLiteral kTorchDrop = "torch.moe.drop";
/// Functions that return the integers of a list as a vector, the offsets of
/// consecutive runs of these sizes, and the sum of the sizes as an index.
inline constexpr llvm::StringLiteral kTorchSizes = "torch.moe.sizes";
inline constexpr llvm::StringLiteral kTorchOffsets = "torch.moe.offsets";
inline constexpr llvm::StringLiteral kTorchRows = "torch.moe.rows";

/// Returns PyTorch's name of an op: the attribute of a `torch.operator`, or the
/// name of any other op.
llvm::StringRef getTorchName(mlir::Operation *op);

/// Returns the tensor type of, for example, `!torch.vtensor<[8,?],si64>`, with
/// signless integers. Returns null for other types and unranked tensors.
mlir::RankedTensorType parseVTensor(mlir::Type type);

/// Returns the constant that a value is: a 64-bit integer, a 64-bit float, a
/// boolean, a string, a list of these as an array, or None as a unit. Returns
/// null if the value is not constant.
mlir::Attribute getTorchConstant(mlir::Value value);

/// Return the integers in an attribute of an integer or of a list of integers.
std::optional<int64_t> getTorchInt(mlir::Attribute attr);
std::optional<llvm::SmallVector<int64_t>> getTorchInts(mlir::Attribute attr);

/// The arguments of an op in the order of PyTorch's schema, whether they are
/// operands or constants.
class TorchArguments {
public:
  explicit TorchArguments(mlir::Operation *op);

  unsigned size() const { return arguments.size(); }
  /// Returns the operand number of an argument; nullopt for a constant.
  std::optional<unsigned> getOperand(unsigned argument) const;
  /// Returns the value of a constant argument; null for other arguments.
  mlir::Attribute getConstant(unsigned argument) const;

private:
  mlir::Operation *op;
  /// For each argument its operand number, or -1 and its constant.
  llvm::SmallVector<std::pair<int64_t, mlir::Attribute>> arguments;
};

} // namespace moe

#endif // MOE_DIALECT_TEXT_TORCH_TEXT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signature of the program that an entry function was compiled from.

#ifndef MOE_DIALECT_MOERT_MOERTPROGRAM_H
#define MOE_DIALECT_MOERT_MOERTPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace moe::rt {

/// Prefix of the name of an entry function after lowering.
constexpr llvm::StringLiteral kCodePrefix = "moe_";

/// The signature of the program on values that an entry function was compiled
/// from, stored in the attribute `moert.program`. Buffers and pointers do not
/// have this information.
struct ProgramSignature {
  struct Argument {
    /// A ranked tensor of static shape, or a scalar.
    mlir::Type type;
    /// `moe.varying`; null if each rank holds different data.
    mlir::ArrayAttr varying;
    /// Least and greatest integer that the program accepts; nullopt if it
    /// accepts any.
    std::optional<std::pair<int64_t, int64_t>> range;
    /// `moe.name`; null without one.
    mlir::StringAttr name;
  };
  struct Result {
    mlir::Type type;
    mlir::StringAttr name;
  };
  llvm::SmallVector<Argument> arguments;
  llvm::SmallVector<Result> results;
  /// Names and sizes of the mesh axes. One axis "rank" if the program uses rank
  /// lists instead of a mesh; none if the number of ranks is not given.
  llvm::SmallVector<std::string> axes;
  llvm::SmallVector<int64_t> shape;

  /// Returns the signature of a function on values, without ranges.
  static ProgramSignature of(mlir::func::FuncOp function);

  mlir::DictionaryAttr print(mlir::MLIRContext *context) const;
  /// Emits an error with the expected form and fails if `attr` is not an output
  /// of `print`.
  static mlir::FailureOr<ProgramSignature> parse(mlir::Operation *op,
                                                 mlir::Attribute attr);
};

} // namespace moe::rt

#endif // MOE_DIALECT_MOERT_MOERTPROGRAM_H

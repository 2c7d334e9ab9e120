// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry function was made of.

#ifndef MOE_DIALECT_MOERT_MOERTPROGRAM_H
#define MOE_DIALECT_MOERT_MOERTPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace moe::rt {

/// What an entry function's name begins with once it is code.
constexpr llvm::StringLiteral kCodePrefix = "moe_";

/// The program on values that an entry function was made of, as the attribute
/// `moert.program` keeps it: buffers and pointers do not say what they mean.
struct ProgramSignature {
  struct Argument {
    /// A ranked tensor of static shape, or a scalar.
    mlir::Type type;
    /// `moe.varying`; null when each rank holds data of its own.
    mlir::ArrayAttr varying;
    /// Least and greatest of the integers it may hold for the program to run;
    /// none where any will do.
    std::optional<std::pair<int64_t, int64_t>> range;
  };
  llvm::SmallVector<Argument> arguments;
  llvm::SmallVector<mlir::Type> results;
  /// Names and sizes of the mesh's axes; one axis "rank" where rank lists take
  /// the place of a mesh, none where nothing says how many ranks there are.
  llvm::SmallVector<std::string> axes;
  llvm::SmallVector<int64_t> shape;

  /// Of a function on values, without ranges.
  static ProgramSignature of(mlir::func::FuncOp function);

  mlir::DictionaryAttr print(mlir::MLIRContext *context) const;
  /// Emits an error that says what was expected, and fails, when `attr` is not
  /// what `print` makes.
  static mlir::FailureOr<ProgramSignature> parse(mlir::Operation *op,
                                                 mlir::Attribute attr);
};

} // namespace moe::rt

#endif // MOE_DIALECT_MOERT_MOERTPROGRAM_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of scalar ops.

#ifndef MOE_LIB_INTERPRETER_SCALARS_H
#define MOE_LIB_INTERPRETER_SCALARS_H

#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/LocalTensor.h"
#include "llvm/ADT/bit.h"
#include <functional>

namespace moe {

inline Cell fromDouble(double value) { return llvm::bit_cast<Cell>(value); }
inline double toDouble(Cell cell) { return llvm::bit_cast<double>(cell); }
inline Cell fromInteger(int64_t value) { return static_cast<Cell>(value); }
inline int64_t toInteger(Cell cell) { return static_cast<int64_t>(cell); }
/// Returns the low `width` bits as an unsigned integer.
inline uint64_t toUnsigned(Cell cell, unsigned width) {
  return width >= 64 ? cell : cell & ((uint64_t(1) << width) - 1);
}

/// Computes a scalar op for one element of each operand. Returns nullptr on
/// success, otherwise the reason why the result is undefined ("division by
/// zero").
using ScalarFunction =
    std::function<const char *(const Cell *operands, Cell &result)>;

/// Returns the semantics of one result of an elementwise op on numbers, rounded
/// or wrapped to its type; empty if this file does not define any.
ScalarFunction getScalarFunction(mlir::Operation *op, unsigned result = 0);

/// The families of such ops, each in its own file: floats and integers of
/// arith, casts of arith, and math. Each function returns an empty function for
/// an op of another family.
ScalarFunction getFloatFunction(mlir::Operation *op);
ScalarFunction getIntegerFunction(mlir::Operation *op, unsigned result);
ScalarFunction getCastFunction(mlir::Operation *op);
ScalarFunction getMathFunction(mlir::Operation *op, unsigned result);

/// The IEEE 754-2019 minimum and maximum: NaN propagates, and -0 is less than
/// +0.
double minimum(double a, double b);
double maximum(double a, double b);

std::function<Cell(Cell, Cell)> getReductionFunction(Reduction reduction,
                                                     mlir::Type elementType);

/// Prints a number as the shortest decimal that converts back to it.
std::string printNumber(Cell cell, mlir::Type elementType);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_SCALARS_H

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

/// The cell of a number, and back.
inline Cell fromDouble(double value) { return llvm::bit_cast<Cell>(value); }
inline double toDouble(Cell cell) { return llvm::bit_cast<double>(cell); }
inline Cell fromInteger(int64_t value) { return static_cast<Cell>(value); }
inline int64_t toInteger(Cell cell) { return static_cast<int64_t>(cell); }
/// Its low `width` bits, without a sign.
inline uint64_t toUnsigned(Cell cell, unsigned width) {
  return width >= 64 ? cell : cell & ((uint64_t(1) << width) - 1);
}

/// What a scalar op does with one element of each operand: nullptr when it
/// went well, else why the result is undefined ("division by zero").
using ScalarFunction =
    std::function<const char *(const Cell *operands, Cell &result)>;

/// The semantics of one result of an elementwise op on numbers, rounded or
/// wrapped to its type; empty when it has none here.
ScalarFunction getScalarFunction(mlir::Operation *op, unsigned result = 0);

/// The families of such ops, each in a file of its own: floats and integers of
/// arith, its casts, and math. Empty for an op of another family.
ScalarFunction getFloatFunction(mlir::Operation *op);
ScalarFunction getIntegerFunction(mlir::Operation *op, unsigned result);
ScalarFunction getCastFunction(mlir::Operation *op);
ScalarFunction getMathFunction(mlir::Operation *op, unsigned result);

/// The IEEE 754-2019 minimum and maximum: NaN wins, -0 is below +0.
double minimum(double a, double b);
double maximum(double a, double b);

/// The reduction of two numbers.
std::function<Cell(Cell, Cell)> getReductionFunction(Reduction reduction,
                                                     mlir::Type elementType);

/// How a number reads: the shortest decimal that gives it back.
std::string printNumber(Cell cell, mlir::Type elementType);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_SCALARS_H

//===- Scalars.h - Reference semantics of scalar ops ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// What a scalar op does with one element of each operand: nullptr when it
/// went well, else why the result is undefined ("division by zero").
using ScalarFunction =
    std::function<const char *(const Cell *operands, Cell &result)>;

/// The semantics of an elementwise op on numbers, rounded or wrapped to its
/// result type; empty when it has none here.
ScalarFunction getScalarFunction(mlir::Operation *op);

/// The reduction of two numbers.
std::function<Cell(Cell, Cell)> getReductionFunction(Reduction reduction,
                                                     mlir::Type elementType);

/// How a number reads: the shortest decimal that gives it back.
std::string printNumber(Cell cell, mlir::Type elementType);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_SCALARS_H

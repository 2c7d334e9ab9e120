// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Doubles rounded to an element type.

#ifndef MOE_INTERPRETER_ROUNDING_H
#define MOE_INTERPRETER_ROUNDING_H

#include "mlir/IR/BuiltinTypes.h"
#include <cstdint>

namespace moe {

/// True for the element types the interpreter computes with: `index`, integers
/// of 1 to 64 bits, and floats every value of which is a double.
bool isInterpretedElementType(mlir::Type type);

/// Rounds a double to the nearest value of a float type, ties to even, and
/// overflow as the type has it (infinity, or NaN where there is none). Every
/// NaN becomes one NaN, so that equal results have equal bits.
class Rounder {
public:
  explicit Rounder(mlir::FloatType type);
  double operator()(double value) const;

private:
  const llvm::fltSemantics *semantics;
  int precision;   ///< bits of the significand, the hidden one included
  int minExponent; ///< of the smallest normal number
  double largest;  ///< largest finite value
  bool isIEEE, isF64, isF32;
};

/// Keeps the low `width` bits of an integer, sign-extended. The cell of an i1
/// that is true is therefore -1.
int64_t wrapInteger(int64_t value, unsigned width);

/// Bits of an integer or `index` type (64).
unsigned getIntegerWidth(mlir::Type type);

} // namespace moe

#endif // MOE_INTERPRETER_ROUNDING_H

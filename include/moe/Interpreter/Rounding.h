// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding of doubles to an element type.

#ifndef MOE_INTERPRETER_ROUNDING_H
#define MOE_INTERPRETER_ROUNDING_H

#include "mlir/IR/BuiltinTypes.h"
#include <cstdint>

namespace moe {

/// Returns true for the element types that the interpreter computes with:
/// `index`, integers of 1 to 64 bits, and floats whose values are all doubles.
bool isInterpretedElementType(mlir::Type type);

/// Rounds a double to the nearest value of a float type, ties to even. Overflow
/// gives the type's infinity, or NaN if the type has none. Every NaN becomes
/// the same NaN, so equal results have equal bits.
class Rounder {
public:
  explicit Rounder(mlir::FloatType type);
  double operator()(double value) const;

private:
  const llvm::fltSemantics *semantics;
  int precision;   ///< number of significand bits, including the hidden bit
  int minExponent; ///< exponent of the smallest normal number
  double largest;  ///< largest finite value
  bool isIEEE, isF64, isF32;
};

/// Returns the low `width` bits of an integer, sign-extended. Therefore the
/// cell of a true i1 is -1.
int64_t wrapInteger(int64_t value, unsigned width);

/// Returns the width of an integer type, and 64 for `index`.
unsigned getIntegerWidth(mlir::Type type);

} // namespace moe

#endif // MOE_INTERPRETER_ROUNDING_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of scalar ops.

#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Interpreter/Rounding.h"
#include <cmath>

using namespace mlir;
using namespace moe;

ScalarFunction moe::getScalarFunction(Operation *op, unsigned result) {
  if (isa<arith::SelectOp>(op))
    return [](const Cell *in, Cell &out) -> const char * {
      out = in[0] & 1 ? in[1] : in[2];
      return nullptr;
    };
  if (ScalarFunction function = getCastFunction(op))
    return function;
  if (ScalarFunction function = getFloatFunction(op))
    return function;
  if (ScalarFunction function = getMathFunction(op, result))
    return function;
  return getIntegerFunction(op, result);
}

std::function<Cell(Cell, Cell)> moe::getReductionFunction(Reduction reduction,
                                                          Type elementType) {
  if (auto type = dyn_cast<FloatType>(elementType)) {
    Rounder round(type);
    switch (reduction) {
    case Reduction::Sum:
      return [round](Cell a, Cell b) {
        return fromDouble(round(toDouble(a) + toDouble(b)));
      };
    case Reduction::Prod:
      return [round](Cell a, Cell b) {
        return fromDouble(round(toDouble(a) * toDouble(b)));
      };
    case Reduction::Min:
      return [](Cell a, Cell b) {
        return fromDouble(minimum(toDouble(a), toDouble(b)));
      };
    case Reduction::Max:
      return [](Cell a, Cell b) {
        return fromDouble(maximum(toDouble(a), toDouble(b)));
      };
    }
    llvm_unreachable("unknown reduction");
  }
  unsigned width = getIntegerWidth(elementType);
  // Signless integers compare as signed integers.
  bool isUnsigned = elementType.isUnsignedInteger();
  auto less = [=](Cell a, Cell b) {
    return isUnsigned ? toUnsigned(a, width) < toUnsigned(b, width)
                      : toInteger(a) < toInteger(b);
  };
  switch (reduction) {
  case Reduction::Sum:
    return [=](Cell a, Cell b) {
      return fromInteger(wrapInteger(toInteger(a + b), width));
    };
  case Reduction::Prod:
    return [=](Cell a, Cell b) {
      return fromInteger(wrapInteger(toInteger(a * b), width));
    };
  case Reduction::Min:
    return [=](Cell a, Cell b) { return less(a, b) ? a : b; };
  case Reduction::Max:
    return [=](Cell a, Cell b) { return less(a, b) ? b : a; };
  }
  llvm_unreachable("unknown reduction");
}

std::string moe::printNumber(Cell cell, Type elementType) {
  if (isa<FloatType>(elementType)) {
    double value = toDouble(cell);
    if (std::isnan(value))
      return "nan";
    if (std::isinf(value))
      return value < 0 ? "-inf" : "inf";
    return cost::formatShortest(value);
  }
  if (elementType.isInteger(1))
    return cell & 1 ? "true" : "false";
  if (elementType.isUnsignedInteger())
    return std::to_string(toUnsigned(cell, getIntegerWidth(elementType)));
  return std::to_string(toInteger(cell));
}

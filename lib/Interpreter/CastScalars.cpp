// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts between numbers of different types.

#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

static constexpr const char kNoInteger[] = "no integer of the type is as large";

/// Changes the width of an integer; `isUnsigned` extends with zeros.
static ScalarFunction resizeInteger(Operation *op, bool isUnsigned) {
  unsigned from = getIntegerWidth(getElementTypeOrSelf(op->getOperand(0)));
  unsigned to = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [=](const Cell *in, Cell &out) -> const char * {
    Cell value = isUnsigned ? toUnsigned(in[0], from) : in[0];
    out = fromInteger(wrapInteger(toInteger(value), to));
    return nullptr;
  };
}

static ScalarFunction integerToFloat(Operation *op, bool isUnsigned) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getOperand(0)));
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  return [=](const Cell *in, Cell &out) -> const char * {
    // Uses APFloat because a large integer must not be rounded to double first.
    llvm::APInt integer(64, isUnsigned ? toUnsigned(in[0], width) : in[0],
                        /*isSigned=*/false);
    llvm::APFloat value(type.getFloatSemantics());
    value.convertFromAPInt(integer, !isUnsigned,
                           llvm::APFloat::rmNearestTiesToEven);
    bool lossy = false;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &lossy);
    out = fromDouble(value.convertToDouble());
    return nullptr;
  };
}

static ScalarFunction floatToInteger(Operation *op, bool isUnsigned) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [=](const Cell *in, Cell &out) -> const char * {
    llvm::APSInt integer(width, isUnsigned);
    bool exact = false;
    if (llvm::APFloat(toDouble(in[0]))
            .convertToInteger(integer, llvm::APFloat::rmTowardZero, &exact) &
        llvm::APFloat::opInvalidOp)
      return kNoInteger;
    out = fromInteger(
        wrapInteger(static_cast<int64_t>(integer.getZExtValue()), width));
    return nullptr;
  };
}

/// Reinterprets the bits as another type of the same width.
static ScalarFunction bitcast(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0));
  Type to = getElementTypeOrSelf(op->getResult(0));
  return [=](const Cell *in, Cell &out) -> const char * {
    llvm::APInt bits(64, 0);
    bool lossy = false;
    if (auto type = dyn_cast<FloatType>(from)) {
      llvm::APFloat value(toDouble(in[0]));
      value.convert(type.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &lossy);
      bits = value.bitcastToAPInt();
    } else {
      unsigned width = getIntegerWidth(from);
      bits = llvm::APInt(width, toUnsigned(in[0], width));
    }
    if (auto type = dyn_cast<FloatType>(to)) {
      llvm::APFloat value(type.getFloatSemantics(), bits);
      value.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &lossy);
      out = fromDouble(value.isNaN() ? std::numeric_limits<double>::quiet_NaN()
                                     : value.convertToDouble());
    } else {
      out = fromInteger(bits.getSExtValue());
    }
    return nullptr;
  };
}

static llvm::APFloat::roundingMode getMode(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return llvm::APFloat::rmNearestTiesToEven;
  case arith::RoundingMode::downward:
    return llvm::APFloat::rmTowardNegative;
  case arith::RoundingMode::upward:
    return llvm::APFloat::rmTowardPositive;
  case arith::RoundingMode::toward_zero:
    return llvm::APFloat::rmTowardZero;
  case arith::RoundingMode::to_nearest_away:
    return llvm::APFloat::rmNearestTiesToAway;
  }
  llvm_unreachable("unknown rounding mode");
}

static ScalarFunction roundFloat(Operation *op) {
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  auto narrow = dyn_cast<arith::TruncFOp>(op);
  auto mode = narrow ? narrow.getRoundingmode() : std::nullopt;
  if (mode && *mode != arith::RoundingMode::to_nearest_even)
    return [type, mode = getMode(*mode)](const Cell *in,
                                         Cell &out) -> const char * {
      llvm::APFloat value(toDouble(in[0]));
      bool lossy = false;
      value.convert(type.getFloatSemantics(), mode, &lossy);
      value.convert(llvm::APFloat::IEEEdouble(), mode, &lossy);
      out = fromDouble(value.isNaN() ? std::numeric_limits<double>::quiet_NaN()
                                     : value.convertToDouble());
      return nullptr;
    };
  Rounder round(type);
  return [round](const Cell *in, Cell &out) -> const char * {
    out = fromDouble(round(toDouble(in[0])));
    return nullptr;
  };
}

ScalarFunction moe::getCastFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, ScalarFunction>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [](Operation *op) { return roundFloat(op); })
      .Case([](arith::SIToFPOp op) { return integerToFloat(op, false); })
      .Case([](arith::UIToFPOp op) { return integerToFloat(op, true); })
      .Case([](arith::FPToSIOp op) { return floatToInteger(op, false); })
      .Case([](arith::FPToUIOp op) { return floatToInteger(op, true); })
      .Case<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(
          [](Operation *op) { return resizeInteger(op, false); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [](Operation *op) { return resizeInteger(op, true); })
      .Case([](arith::BitcastOp op) { return bitcast(op); })
      .Default([](Operation *) { return ScalarFunction(); });
}

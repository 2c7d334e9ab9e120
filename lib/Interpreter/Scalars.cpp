//===- Scalars.cpp - Reference semantics of scalar ops ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include <charconv>
#include <cmath>

using namespace mlir;
using namespace moe;

static uint64_t toUnsigned(Cell cell, unsigned width) {
  return width >= 64 ? cell : cell & ((uint64_t(1) << width) - 1);
}

/// Smallest signed integer of a width.
static int64_t smallest(unsigned width) {
  return std::numeric_limits<int64_t>::min() >> (64 - width);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// The IEEE 754-2019 minimum and maximum: NaN wins, -0 is below +0.
static double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return -minimum(-a, -b);
}

template <typename Fn> static ScalarFunction onFloats(Operation *op, Fn fn) {
  Rounder round(cast<FloatType>(getElementTypeOrSelf(op->getResult(0))));
  return [round, fn](const Cell *in, Cell &out) -> const char * {
    out = fromDouble(round(fn(toDouble(in[0]), toDouble(in[1]))));
    return nullptr;
  };
}

static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return !unordered && a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Wraps what `fn` gives for two signed integers.
template <typename Fn> static ScalarFunction onSigned(Operation *op, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [width, fn](const Cell *in, Cell &out) -> const char * {
    out =
        fromInteger(wrapInteger(fn(toInteger(in[0]), toInteger(in[1])), width));
    return nullptr;
  };
}

/// The same for two unsigned integers.
template <typename Fn> static ScalarFunction onUnsigned(Operation *op, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [width, fn](const Cell *in, Cell &out) -> const char * {
    uint64_t value = fn(toUnsigned(in[0], width), toUnsigned(in[1], width));
    out = fromInteger(wrapInteger(static_cast<int64_t>(value), width));
    return nullptr;
  };
}

static constexpr const char kDivisionByZero[] = "division by zero";
static constexpr const char kDivisionOverflow[] =
    "the quotient does not fit its type";
static constexpr const char kShift[] = "a shift by the width or more";
static constexpr const char kNoInteger[] = "no integer of the type is as large";

template <typename Fn>
static ScalarFunction onSignedQuotient(Operation *op, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [width, fn](const Cell *in, Cell &out) -> const char * {
    int64_t a = toInteger(in[0]), b = toInteger(in[1]);
    if (b == 0)
      return kDivisionByZero;
    if (b == -1 && a == smallest(width))
      return kDivisionOverflow;
    out = fromInteger(wrapInteger(fn(a, b), width));
    return nullptr;
  };
}

template <typename Fn>
static ScalarFunction onUnsignedQuotient(Operation *op, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [width, fn](const Cell *in, Cell &out) -> const char * {
    uint64_t a = toUnsigned(in[0], width), b = toUnsigned(in[1], width);
    if (b == 0)
      return kDivisionByZero;
    out = fromInteger(wrapInteger(static_cast<int64_t>(fn(a, b)), width));
    return nullptr;
  };
}

template <typename Fn> static ScalarFunction onShift(Operation *op, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [width, fn](const Cell *in, Cell &out) -> const char * {
    uint64_t amount = toUnsigned(in[1], width);
    if (amount >= width)
      return kShift;
    out = fromInteger(wrapInteger(fn(in[0], amount, width), width));
    return nullptr;
  };
}

static bool compareIntegers(arith::CmpIPredicate predicate, Cell left,
                            Cell right, unsigned width) {
  int64_t a = toInteger(left), b = toInteger(right);
  uint64_t ua = toUnsigned(left, width), ub = toUnsigned(right, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  llvm_unreachable("unknown predicate");
}

/// A resize of an integer; `isUnsigned` extends with zeros.
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
    // Through APFloat: a large integer must not be rounded to double first.
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

/// The same bits as another type of the same width.
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

/// One operand rounded to the result's float type.
static ScalarFunction roundFloat(Operation *op) {
  Rounder round(cast<FloatType>(getElementTypeOrSelf(op->getResult(0))));
  return [round](const Cell *in, Cell &out) -> const char * {
    out = fromDouble(round(toDouble(in[0])));
    return nullptr;
  };
}

static int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static int64_t ceilDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static ScalarFunction getFloatFunction(Operation *op) {
  using Result = ScalarFunction;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::AddFOp op) {
        return onFloats(op, [](double a, double b) { return a + b; });
      })
      .Case([](arith::SubFOp op) {
        return onFloats(op, [](double a, double b) { return a - b; });
      })
      .Case([](arith::MulFOp op) {
        return onFloats(op, [](double a, double b) { return a * b; });
      })
      .Case([](arith::DivFOp op) {
        return onFloats(op, [](double a, double b) { return a / b; });
      })
      .Case([](arith::RemFOp op) {
        return onFloats(op, [](double a, double b) { return std::fmod(a, b); });
      })
      .Case([](arith::MaximumFOp op) { return onFloats(op, maximum); })
      .Case([](arith::MinimumFOp op) { return onFloats(op, minimum); })
      .Case([](arith::MaxNumFOp op) {
        return onFloats(op, [](double a, double b) {
          return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
        });
      })
      .Case([](arith::MinNumFOp op) {
        return onFloats(op, [](double a, double b) {
          return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
        });
      })
      .Case([](arith::NegFOp) -> Result {
        return [](const Cell *in, Cell &out) -> const char * {
          double value = toDouble(in[0]);
          out = std::isnan(value) ? in[0] : fromDouble(-value);
          return nullptr;
        };
      })
      .Case([](arith::CmpFOp op) -> Result {
        arith::CmpFPredicate predicate = op.getPredicate();
        return [predicate](const Cell *in, Cell &out) -> const char * {
          out = fromInteger(
              -compareFloats(predicate, toDouble(in[0]), toDouble(in[1])));
          return nullptr;
        };
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [](Operation *op) { return roundFloat(op); })
      .Case([](arith::SIToFPOp op) { return integerToFloat(op, false); })
      .Case([](arith::UIToFPOp op) { return integerToFloat(op, true); })
      .Case([](arith::FPToSIOp op) { return floatToInteger(op, false); })
      .Case([](arith::FPToUIOp op) { return floatToInteger(op, true); })
      .Default([](Operation *) { return Result(); });
}

static ScalarFunction getIntegerFunction(Operation *op) {
  using Result = ScalarFunction;
  // Sums and products wrap the same whatever the sign, but a signed overflow
  // would be undefined here.
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::AddIOp op) {
        return onUnsigned(op, [](uint64_t a, uint64_t b) { return a + b; });
      })
      .Case([](arith::SubIOp op) {
        return onUnsigned(op, [](uint64_t a, uint64_t b) { return a - b; });
      })
      .Case([](arith::MulIOp op) {
        return onUnsigned(op, [](uint64_t a, uint64_t b) { return a * b; });
      })
      .Case([](arith::AndIOp op) {
        return onUnsigned(op, [](uint64_t a, uint64_t b) { return a & b; });
      })
      .Case([](arith::OrIOp op) {
        return onUnsigned(op, [](uint64_t a, uint64_t b) { return a | b; });
      })
      .Case([](arith::XOrIOp op) {
        return onUnsigned(op, [](uint64_t a, uint64_t b) { return a ^ b; });
      })
      .Case([](arith::MaxUIOp op) {
        return onUnsigned(
            op, [](uint64_t a, uint64_t b) { return std::max(a, b); });
      })
      .Case([](arith::MinUIOp op) {
        return onUnsigned(
            op, [](uint64_t a, uint64_t b) { return std::min(a, b); });
      })
      .Case([](arith::MaxSIOp op) {
        return onSigned(op,
                        [](int64_t a, int64_t b) { return std::max(a, b); });
      })
      .Case([](arith::MinSIOp op) {
        return onSigned(op,
                        [](int64_t a, int64_t b) { return std::min(a, b); });
      })
      .Case([](arith::DivSIOp op) {
        return onSignedQuotient(op, [](int64_t a, int64_t b) { return a / b; });
      })
      .Case([](arith::RemSIOp op) {
        return onSignedQuotient(op, [](int64_t a, int64_t b) { return a % b; });
      })
      .Case([](arith::FloorDivSIOp op) {
        return onSignedQuotient(op, floorDivide);
      })
      .Case([](arith::CeilDivSIOp op) {
        return onSignedQuotient(op, ceilDivide);
      })
      .Case([](arith::DivUIOp op) {
        return onUnsignedQuotient(op,
                                  [](uint64_t a, uint64_t b) { return a / b; });
      })
      .Case([](arith::RemUIOp op) {
        return onUnsignedQuotient(op,
                                  [](uint64_t a, uint64_t b) { return a % b; });
      })
      .Case([](arith::CeilDivUIOp op) {
        return onUnsignedQuotient(
            op, [](uint64_t a, uint64_t b) { return a / b + (a % b != 0); });
      })
      .Case([](arith::ShLIOp op) {
        return onShift(op, [](Cell value, uint64_t by, unsigned) {
          return static_cast<int64_t>(value << by);
        });
      })
      .Case([](arith::ShRUIOp op) {
        return onShift(op, [](Cell value, uint64_t by, unsigned width) {
          return static_cast<int64_t>(toUnsigned(value, width) >> by);
        });
      })
      .Case([](arith::ShRSIOp op) {
        return onShift(op, [](Cell value, uint64_t by, unsigned) {
          return toInteger(value) >> by;
        });
      })
      .Case([](arith::CmpIOp op) -> Result {
        arith::CmpIPredicate predicate = op.getPredicate();
        unsigned width = getIntegerWidth(getElementTypeOrSelf(op.getLhs()));
        return [=](const Cell *in, Cell &out) -> const char * {
          out = fromInteger(-compareIntegers(predicate, in[0], in[1], width));
          return nullptr;
        };
      })
      .Case<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(
          [](Operation *op) { return resizeInteger(op, false); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [](Operation *op) { return resizeInteger(op, true); })
      .Default([](Operation *) { return Result(); });
}

ScalarFunction moe::getScalarFunction(Operation *op) {
  if (isa<arith::SelectOp>(op))
    return [](const Cell *in, Cell &out) -> const char * {
      out = in[0] & 1 ? in[1] : in[2];
      return nullptr;
    };
  if (isa<arith::BitcastOp>(op))
    return bitcast(op);
  if (ScalarFunction function = getFloatFunction(op))
    return function;
  return getIntegerFunction(op);
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
  // Signless integers compare as signed ones.
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
    char text[64];
    auto [end, error] = std::to_chars(text, text + sizeof(text), value);
    return std::string(text, end);
  }
  if (elementType.isInteger(1))
    return cell & 1 ? "true" : "false";
  if (elementType.isUnsignedInteger())
    return std::to_string(toUnsigned(cell, getIntegerWidth(elementType)));
  return std::to_string(toInteger(cell));
}

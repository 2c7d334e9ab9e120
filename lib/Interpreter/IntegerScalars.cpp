// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on integers.

#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

static llvm::APInt toAPInt(Cell cell, unsigned width) {
  return llvm::APInt(width, toUnsigned(cell, width));
}

static int64_t smallest(unsigned width) {
  return std::numeric_limits<int64_t>::min() >> (64 - width);
}

/// Wraps the result of `fn` for two signed integers.
template <typename Fn> static ScalarFunction onSigned(Operation *op, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [width, fn](const Cell *in, Cell &out) -> const char * {
    out =
        fromInteger(wrapInteger(fn(toInteger(in[0]), toInteger(in[1])), width));
    return nullptr;
  };
}

/// Wraps the result of `fn` for two unsigned integers.
template <typename Fn> static ScalarFunction onUnsigned(Operation *op, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [width, fn](const Cell *in, Cell &out) -> const char * {
    uint64_t value = fn(toUnsigned(in[0], width), toUnsigned(in[1], width));
    out = fromInteger(wrapInteger(static_cast<int64_t>(value), width));
    return nullptr;
  };
}

/// Returns result 0 or 1 as the lower or upper half of the product or sum,
/// which has twice the width.
template <typename Fn>
static ScalarFunction onHalves(Operation *op, unsigned result, Fn fn) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getOperand(0)));
  return [=](const Cell *in, Cell &out) -> const char * {
    llvm::APInt wide = fn(toAPInt(in[0], width), toAPInt(in[1], width));
    llvm::APInt half = wide.extractBits(width, result * width);
    out = fromInteger(half.getSExtValue());
    return nullptr;
  };
}

static constexpr const char kDivisionByZero[] = "division by zero";
static constexpr const char kDivisionOverflow[] =
    "the quotient does not fit its type";
static constexpr const char kShift[] = "a shift by the width or more";

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

static int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static int64_t ceilDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

ScalarFunction moe::getIntegerFunction(Operation *op, unsigned result) {
  using Result = ScalarFunction;
  // Uses unsigned arithmetic because signed overflow would be undefined here;
  // sums and products wrap equally for both.
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
      .Case([=](arith::AddUIExtendedOp op) {
        // The upper half is 0 or 1; its last bit is the overflow.
        return onHalves(
            op, result, [](const llvm::APInt &a, const llvm::APInt &b) {
              unsigned width = a.getBitWidth();
              llvm::APInt sum = a.zext(2 * width) + b.zext(2 * width);
              llvm::APInt carry = sum.lshr(width);
              return sum.trunc(width).zext(2 * width) | -carry << width;
            });
      })
      .Case([=](arith::MulSIExtendedOp op) {
        return onHalves(op, result,
                        [](const llvm::APInt &a, const llvm::APInt &b) {
                          unsigned width = 2 * a.getBitWidth();
                          return a.sext(width) * b.sext(width);
                        });
      })
      .Case([=](arith::MulUIExtendedOp op) {
        return onHalves(op, result,
                        [](const llvm::APInt &a, const llvm::APInt &b) {
                          unsigned width = 2 * a.getBitWidth();
                          return a.zext(width) * b.zext(width);
                        });
      })
      .Case([](arith::CmpIOp op) -> Result {
        arith::CmpIPredicate predicate = op.getPredicate();
        unsigned width = getIntegerWidth(getElementTypeOrSelf(op.getLhs()));
        return [=](const Cell *in, Cell &out) -> const char * {
          out = fromInteger(-arith::applyCmpPredicate(
              predicate, toAPInt(in[0], width), toAPInt(in[1], width)));
          return nullptr;
        };
      })
      .Default([](Operation *) { return Result(); });
}

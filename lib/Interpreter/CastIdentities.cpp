// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities of casts.

#include "Identities.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace moe;

unsigned Identities::defineCast(TypeID op, StringRef name, Type source,
                                Type result) {
  // Casts from different types are different functions.
  std::string text;
  llvm::raw_string_ostream(text) << name << " from " << source;
  unsigned symbol = table.getSymbol(text);
  meanings.try_emplace(symbol, Meaning{op, source, result});
  return symbol;
}

Term Identities::applyCast(const Rule &rule, Term operand) {
  Operation *op = rule.op;
  if (isa<arith::BitcastOp>(op)) {
    // A bitcast keeps all bits, so only the first source type and the last
    // result type matter.
    Type source = getElementTypeOrSelf(op->getOperand(0));
    Type result = getElementTypeOrSelf(op->getResult(0));
    const Meaning *inner = getMeaning(operand);
    if (inner && inner->op == TypeID::get<arith::BitcastOp>()) {
      source = inner->source;
      operand = table.getChildren(operand)[0];
    }
    if (source == result)
      return operand;
    return table.getApply(
        defineCast(TypeID::get<arith::BitcastOp>(), rule.name, source, result),
        operand);
  }
  if (isa<FloatType>(getElementTypeOrSelf(op->getOperand(0))))
    return castFloat(rule, operand);
  return castInteger(rule, operand);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Returns true if every value of `inner` is a value of `outer`, including
/// -0.0, infinities and NaN.
static bool isWithin(FloatType inner, FloatType outer) {
  if (inner == outer)
    return true;
  const llvm::fltSemantics &from = inner.getFloatSemantics();
  const llvm::fltSemantics &to = outer.getFloatSemantics();
  using F = llvm::APFloat;
  bool hasNegativeZero = F::semanticsHasZero(from) &&
                         F::semanticsHasSignedRepr(from) &&
                         F::getZero(from, /*Negative=*/true).isNegative();
  bool keepsNegativeZero = F::semanticsHasZero(to) &&
                           F::semanticsHasSignedRepr(to) &&
                           F::getZero(to, /*Negative=*/true).isNegative();
  return F::isRepresentableBy(from, to) &&
         (!F::semanticsHasInf(from) || F::semanticsHasInf(to)) &&
         (!F::semanticsHasNaN(from) || F::semanticsHasNaN(to)) &&
         (!F::semanticsHasSignedRepr(from) || F::semanticsHasSignedRepr(to)) &&
         (!F::semanticsHasZero(from) || F::semanticsHasZero(to)) &&
         (!hasNegativeZero || keepsNegativeZero);
}

Term Identities::castFloat(const Rule &rule, Term operand) {
  TypeID kind = rule.op->getName().getTypeID();
  Type source = getElementTypeOrSelf(rule.op->getOperand(0));
  Type result = getElementTypeOrSelf(rule.op->getResult(0));
  // Widening does not change the value.
  for (const Meaning *inner = getMeaning(operand);
       inner && inner->op == TypeID::get<arith::ExtFOp>() &&
       isWithin(cast<FloatType>(inner->source), cast<FloatType>(inner->result));
       inner = getMeaning(operand)) {
    source = inner->source;
    operand = table.getChildren(operand)[0];
  }
  if (source == result)
    return operand;
  // If the result is as wide as the original type, narrowing to it undoes only
  // a part of the widening.
  if (auto type = dyn_cast<FloatType>(result);
      type && isa<arith::TruncFOp>(rule.op) &&
      isWithin(cast<FloatType>(source), type)) {
    std::string name;
    llvm::raw_string_ostream(name)
        << arith::ExtFOp::getOperationName() << ":" << result;
    return table.getApply(
        defineCast(TypeID::get<arith::ExtFOp>(), name, source, result),
        operand);
  }
  return table.getApply(defineCast(kind, rule.name, source, result), operand);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {
/// The effect of a cast on an integer: sign extension, zero extension, or
/// removal of the upper bits.
enum class Resize { None, Signed, Unsigned, Cut };
} // namespace

static Resize getResize(TypeID op, Type source, Type result) {
  if (op == TypeID::get<arith::ExtSIOp>())
    return Resize::Signed;
  if (op == TypeID::get<arith::ExtUIOp>())
    return Resize::Unsigned;
  if (op == TypeID::get<arith::TruncIOp>())
    return Resize::Cut;
  bool isSigned = op == TypeID::get<arith::IndexCastOp>();
  if (!isSigned && op != TypeID::get<arith::IndexCastUIOp>())
    return Resize::None;
  if (getIntegerWidth(result) < getIntegerWidth(source))
    return Resize::Cut;
  return isSigned ? Resize::Signed : Resize::Unsigned;
}

Term Identities::castInteger(const Rule &rule, Term operand) {
  TypeID kind = rule.op->getName().getTypeID();
  Type source = getElementTypeOrSelf(rule.op->getOperand(0));
  Type result = getElementTypeOrSelf(rule.op->getResult(0));
  Resize outer = getResize(kind, source, result);
  if (kind == TypeID::get<arith::SIToFPOp>())
    outer = Resize::Signed;
  else if (kind == TypeID::get<arith::UIToFPOp>())
    outer = Resize::Unsigned;
  std::string name = rule.name;
  auto become = [&](TypeID id, StringRef opName) {
    kind = id;
    name.clear();
    llvm::raw_string_ostream(name) << opName << ":" << result;
  };
  for (const Meaning *meaning = getMeaning(operand); meaning;
       meaning = getMeaning(operand)) {
    Resize inner = getResize(meaning->op, meaning->source, meaning->result);
    bool isSame = inner != Resize::None && inner == outer;
    bool isCutBack = outer == Resize::Cut &&
                     (inner == Resize::Signed || inner == Resize::Unsigned);
    // After a zero extension, the number is positive.
    if (outer == Resize::Signed && inner == Resize::Unsigned &&
        getIntegerWidth(meaning->source) < getIntegerWidth(meaning->result)) {
      isSame = true;
      outer = Resize::Unsigned;
      if (isa<arith::SIToFPOp>(rule.op))
        become(TypeID::get<arith::UIToFPOp>(),
               arith::UIToFPOp::getOperationName());
      else
        become(TypeID::get<arith::ExtUIOp>(),
               arith::ExtUIOp::getOperationName());
    }
    if (!isSame && !isCutBack)
      break;
    source = meaning->source;
    operand = table.getChildren(operand)[0];
    // The cast removes fewer bits than the extension added.
    if (isCutBack && getIntegerWidth(result) > getIntegerWidth(source)) {
      outer = inner;
      if (inner == Resize::Signed)
        become(TypeID::get<arith::ExtSIOp>(),
               arith::ExtSIOp::getOperationName());
      else
        become(TypeID::get<arith::ExtUIOp>(),
               arith::ExtUIOp::getOperationName());
    } else if (isCutBack) {
      become(TypeID::get<arith::TruncIOp>(),
             arith::TruncIOp::getOperationName());
    }
  }
  if (source == result)
    return operand;
  return table.getApply(defineCast(kind, name, source, result), operand);
}

//===- Identities.cpp - Arithmetic that changes nothing ---------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Identities.h"
#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace moe;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void Identities::define(unsigned symbol, Operation *op) {
  if (op->getNumOperands() == 0)
    return;
  meanings.try_emplace(symbol, Meaning{op->getName().getTypeID(),
                                       getElementTypeOrSelf(op->getOperand(0)),
                                       getElementTypeOrSelf(op->getResult(0))});
}

template <typename OpT>
SmallVector<Term, 3> Identities::match(Term term) const {
  if (table.getKind(term) != TermKind::Apply)
    return {};
  auto it = meanings.find(static_cast<unsigned>(table.getPayload(term)));
  if (it == meanings.end() || it->second.op != TypeID::get<OpT>())
    return {};
  return SmallVector<Term, 3>(table.getChildren(term));
}

bool Identities::isReal(Term term, double value) const {
  if (table.getKind(term) != TermKind::Real)
    return false;
  double known = toDouble(table.getPayload(term));
  return std::isnan(value) ? std::isnan(known)
                           : fromDouble(known) == fromDouble(value);
}

bool Identities::isInteger(Term term, int64_t value) const {
  return table.getKind(term) == TermKind::Integer &&
         toInteger(table.getPayload(term)) == value;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Whether a comparison with a NaN is true.
static bool isTrueOfNaN(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::UEQ:
  case arith::CmpFPredicate::UGT:
  case arith::CmpFPredicate::UGE:
  case arith::CmpFPredicate::ULT:
  case arith::CmpFPredicate::ULE:
  case arith::CmpFPredicate::UNE:
  case arith::CmpFPredicate::UNO:
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  default:
    return false;
  }
}

std::optional<Term> Identities::applyFloat(Operation *op, unsigned symbol,
                                           ArrayRef<Term> in) {
  // x where the other operand is neutral, on either side.
  auto neutral = [&](double value) -> std::optional<Term> {
    if (isReal(in[1], value))
      return in[0];
    if (isReal(in[0], value))
      return in[1];
    return std::nullopt;
  };
  auto idempotent = [&](double value) -> std::optional<Term> {
    return in[0] == in[1] ? in[0] : neutral(value);
  };
  // f(-x, -y) = f(x, y) of a product or quotient.
  auto withoutSigns = [&]() -> std::optional<Term> {
    auto left = match<arith::NegFOp>(in[0]),
         right = match<arith::NegFOp>(in[1]);
    if (left.empty() || right.empty())
      return std::nullopt;
    SmallVector<Term, 2> children{left[0], right[0]};
    if (std::optional<Term> simpler = apply(op, symbol, children))
      return simpler;
    if (op->hasTrait<OpTrait::IsCommutative>())
      llvm::sort(children);
    return table.getApply(symbol, children);
  };
  if (isa<arith::NegFOp>(op)) {
    auto inner = match<arith::NegFOp>(in[0]);
    return inner.empty() ? std::nullopt : std::optional<Term>(inner[0]);
  }
  if (isa<arith::SubFOp>(op))
    return isReal(in[1], 0.0) ? std::optional<Term>(in[0]) : std::nullopt;
  if (isa<arith::MulFOp>(op)) {
    std::optional<Term> factor = neutral(1.0);
    return factor ? factor : withoutSigns();
  }
  if (isa<arith::DivFOp>(op))
    return isReal(in[1], 1.0) ? std::optional<Term>(in[0]) : withoutSigns();
  if (isa<arith::MaximumFOp>(op))
    return idempotent(-kInfinity);
  if (isa<arith::MinimumFOp>(op))
    return idempotent(kInfinity);
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
    return idempotent(kNaN);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    if (isReal(in[0], kNaN) || isReal(in[1], kNaN))
      return table.getInteger(isTrueOfNaN(compare.getPredicate()) ? -1 : 0);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Integers, which are not known where they are computed from float data
//===----------------------------------------------------------------------===//

std::optional<Term> Identities::applyInteger(Operation *op, ArrayRef<Term> in) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  auto zero = [&] { return std::optional<Term>(table.getInteger(0)); };
  auto neutral = [&](int64_t value) -> std::optional<Term> {
    if (isInteger(in[1], value))
      return in[0];
    if (isInteger(in[0], value))
      return in[1];
    return std::nullopt;
  };
  auto absorbing = [&](int64_t value) -> std::optional<Term> {
    if (isInteger(in[0], value) || isInteger(in[1], value))
      return table.getInteger(value);
    return std::nullopt;
  };
  auto either = [](std::optional<Term> a, std::optional<Term> b) {
    return a ? a : b;
  };
  bool same = in.size() == 2 && in[0] == in[1];
  auto idempotent = [&](int64_t bottom, int64_t top) -> std::optional<Term> {
    return same ? in[0] : either(neutral(bottom), absorbing(top));
  };
  // Cells hold integers sign-extended: 1 of i1 is -1, and so is the greatest
  // unsigned integer of every width.
  int64_t one = wrapInteger(1, width);
  int64_t least = wrapInteger(int64_t(1) << (width - 1), width);
  int64_t greatest = ~least;

  if (isa<arith::AddIOp>(op))
    return neutral(0);
  if (isa<arith::SubIOp>(op))
    return same                  ? zero()
           : isInteger(in[1], 0) ? std::optional<Term>(in[0])
                                 : std::nullopt;
  if (isa<arith::MulIOp>(op))
    return either(absorbing(0), neutral(one));
  if (isa<arith::AndIOp>(op))
    return idempotent(-1, 0);
  if (isa<arith::OrIOp>(op))
    return idempotent(0, -1);
  if (isa<arith::XOrIOp>(op)) {
    if (same)
      return zero();
    if (std::optional<Term> other = neutral(0))
      return other;
    // Not of not; constants stand on either side.
    for (unsigned i : {0, 1}) {
      auto inner = match<arith::XOrIOp>(in[i]);
      for (unsigned j = 0; j < inner.size(); ++j)
        if (table.getKind(inner[j]) == TermKind::Integer && inner[j] == in[!i])
          return inner[!j];
    }
    return std::nullopt;
  }
  if (isa<arith::MaxSIOp>(op))
    return idempotent(least, greatest);
  if (isa<arith::MinSIOp>(op))
    return idempotent(greatest, least);
  if (isa<arith::MaxUIOp>(op))
    return idempotent(0, -1);
  if (isa<arith::MinUIOp>(op))
    return idempotent(-1, 0);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return isInteger(in[1], one) ? std::optional<Term>(in[0])
           : isInteger(in[0], 0) ? zero()
                                 : std::nullopt;
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return isInteger(in[1], one) ? zero() : std::nullopt;
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return isInteger(in[1], 0)   ? std::optional<Term>(in[0])
           : isInteger(in[0], 0) ? zero()
                                 : std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    if (same)
      return table.getInteger(-arith::applyCmpPredicate(
          compare.getPredicate(), APInt(1, 0), APInt(1, 0)));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Casts and selections
//===----------------------------------------------------------------------===//

std::optional<Term> Identities::applyCast(Operation *op, Term operand) {
  Type result = getElementTypeOrSelf(op->getResult(0));
  if (getElementTypeOrSelf(op->getOperand(0)) == result)
    return operand;
  if (table.getKind(operand) != TermKind::Apply)
    return std::nullopt;
  auto it = meanings.find(static_cast<unsigned>(table.getPayload(operand)));
  // Back to the type it had before it was made wider, or seen as another.
  auto undoes = [&](TypeID inner) {
    return it->second.op == inner && it->second.source == result;
  };
  if (it == meanings.end())
    return std::nullopt;
  bool isInverse =
      (isa<arith::TruncFOp>(op) && undoes(TypeID::get<arith::ExtFOp>())) ||
      (isa<arith::TruncIOp>(op) && (undoes(TypeID::get<arith::ExtSIOp>()) ||
                                    undoes(TypeID::get<arith::ExtUIOp>()))) ||
      (isa<arith::BitcastOp>(op) && undoes(TypeID::get<arith::BitcastOp>()));
  if (!isInverse)
    return std::nullopt;
  return table.getChildren(operand)[0];
}

std::optional<Term> Identities::applySelect(Operation *op, unsigned symbol,
                                            ArrayRef<Term> in) {
  Term condition = in[0], left = in[1], right = in[2];
  // A negated condition swaps; one that is asked again is known.
  bool changed = false;
  auto negated = match<arith::XOrIOp>(condition);
  for (unsigned j = 0; j < negated.size(); ++j)
    if (isInteger(negated[j], -1)) {
      condition = negated[!j];
      std::swap(left, right);
      changed = true;
      break;
    }
  if (auto inner = match<arith::SelectOp>(left);
      !inner.empty() && inner[0] == condition) {
    left = inner[1];
    changed = true;
  }
  if (auto inner = match<arith::SelectOp>(right);
      !inner.empty() && inner[0] == condition) {
    right = inner[2];
    changed = true;
  }
  if (left == right)
    return left;
  if (getElementTypeOrSelf(op->getResult(0)).isInteger(1) &&
      isInteger(left, -1) && isInteger(right, 0))
    return condition;
  if (!changed)
    return std::nullopt;
  Term operands[] = {condition, left, right};
  if (std::optional<Term> simpler = applySelect(op, symbol, operands))
    return simpler;
  return table.getApply(symbol, operands);
}

std::optional<Term> Identities::apply(Operation *op, unsigned symbol,
                                      ArrayRef<Term> operands) {
  if (operands.empty())
    return std::nullopt;
  if (isa<arith::SelectOp>(op))
    return applySelect(op, symbol, operands);
  if (operands.size() == 1 && isa<CastOpInterface>(op))
    return applyCast(op, operands[0]);
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (isa<FloatType>(type))
    return applyFloat(op, symbol, operands);
  if (operands.size() == 2 && type.isIntOrIndex())
    return applyInteger(op, operands);
  return std::nullopt;
}

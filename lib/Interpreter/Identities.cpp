// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic identities.

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

Identities::Rule::Rule(Identities &identities, Operation *op,
                       llvm::StringRef name)
    : identities(identities), op(op), name(name),
      isCast(isa<CastOpInterface>(op) && op->getNumOperands() == 1),
      commutes(op->hasTrait<OpTrait::IsCommutative>()) {
  auto sum = dyn_cast<arith::AddFOp>(op);
  isSum = sum && sum.getFastmath() == arith::FastMathFlags::none;
  if (op->getNumOperands() == 0) {
    symbol = identities.table.getSymbol(name);
    return;
  }
  Type source = getElementTypeOrSelf(op->getOperand(0));
  Type result = getElementTypeOrSelf(op->getResult(0));
  TypeID id = op->getName().getTypeID();
  if (isCast) {
    symbol = identities.defineCast(id, name, source, result);
    return;
  }
  symbol = identities.table.getSymbol(name);
  identities.meanings.try_emplace(symbol, Meaning{id, source, result});
}

Term Identities::Rule::apply(ArrayRef<Term> operands) const {
  TermTable &table = identities.table;
  if (isCast)
    return identities.applyCast(*this, operands[0]);
  if (isSum)
    return table.getMultiset(TermKind::Sum, operands);
  if (std::optional<Term> simpler = identities.applyAny(*this, operands))
    return *simpler;
  SmallVector<Term, 4> children(operands);
  if (commutes)
    llvm::sort(children);
  return table.getApply(symbol, children);
}

const Identities::Meaning *Identities::getMeaning(Term term) const {
  if (table.getKind(term) != TermKind::Apply)
    return nullptr;
  auto it = meanings.find(static_cast<unsigned>(table.getPayload(term)));
  return it == meanings.end() ? nullptr : &it->second;
}

template <typename OpT>
SmallVector<Term, 3> Identities::match(Term term) const {
  const Meaning *meaning = getMeaning(term);
  if (!meaning || meaning->op != TypeID::get<OpT>())
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

std::optional<Term> Identities::applyFloat(const Rule &rule,
                                           ArrayRef<Term> in) {
  Operation *op = rule.op;
  // Returns x if the other operand, on either side, is neutral.
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
  // Applies f(-x, -y) = f(x, y) for products and quotients.
  auto withoutSigns = [&]() -> std::optional<Term> {
    auto left = match<arith::NegFOp>(in[0]),
         right = match<arith::NegFOp>(in[1]);
    if (left.empty() || right.empty())
      return std::nullopt;
    return rule.apply({left[0], right[0]});
  };
  if (isa<arith::NegFOp>(op)) {
    auto inner = match<arith::NegFOp>(in[0]);
    return inner.empty() ? std::nullopt : std::optional<Term>(inner[0]);
  }
  // Only additions with fast-math flags are matched here; additions without
  // flags are sums.
  if (isa<arith::AddFOp>(op))
    return neutral(-0.0);
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
  // The result for one NaN operand equals the result for two.
  if (isa<arith::CmpFOp>(op) && (isReal(in[0], kNaN) || isReal(in[1], kNaN))) {
    Cell both[] = {fromDouble(kNaN), fromDouble(kNaN)}, answer;
    getScalarFunction(op)(both, answer);
    return table.getInteger(toInteger(answer));
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Integers, which are unknown if they are computed from float data
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
  // Cells hold integers sign-extended, so the 1 of i1 is -1, and so is the
  // greatest unsigned integer of every width.
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
    // Simplifies double negations; the constant may be on either side.
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
// Selections
//===----------------------------------------------------------------------===//

std::optional<Term> Identities::applySelect(const Rule &rule,
                                            ArrayRef<Term> in) {
  Term condition = in[0], left = in[1], right = in[2];
  if (table.getKind(condition) == TermKind::Integer)
    return table.getPayload(condition) & 1 ? left : right;
  // A negated condition swaps the operands; a condition that is tested again is
  // known.
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
  if (getElementTypeOrSelf(rule.op->getResult(0)).isInteger(1) &&
      isInteger(left, -1) && isInteger(right, 0))
    return condition;
  if (!changed)
    return std::nullopt;
  return rule.apply({condition, left, right});
}

std::optional<Term> Identities::applyAny(const Rule &rule,
                                         ArrayRef<Term> operands) {
  if (operands.empty())
    return std::nullopt;
  if (isa<arith::SelectOp>(rule.op))
    return applySelect(rule, operands);
  Type type = getElementTypeOrSelf(rule.op->getOperand(0));
  if (isa<FloatType>(type))
    return applyFloat(rule, operands);
  if (operands.size() == 2 && type.isIntOrIndex())
    return applyInteger(rule.op, operands);
  return std::nullopt;
}

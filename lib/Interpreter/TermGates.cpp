// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates on terms.

#include "Gates.h"
#include "Scalars.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Hashing.h"
#include "moe/Interpreter/Sampling.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace moe;

void moe::printSizes(raw_ostream &os, Value value, unsigned firstDim) {
  os << " [";
  llvm::interleave(
      cast<RankedTensorType>(value.getType()).getShape().drop_front(firstDim),
      os,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          os << "?";
        else
          os << size;
      },
      "x");
  os << "]";
}

/// Returns a name that identifies the function of a gate.
static std::string describe(GateOp op) {
  std::string name = ("gate " + stringifyGateKind(op.getKind()) + " top_k " +
                      std::to_string(op.getTopK()))
                         .str();
  llvm::raw_string_ostream os(name);
  auto print = [&](StringRef what, const APFloat &value) {
    os << " " << what << " "
       << printNumber(fromDouble(value.convertToDouble()),
                      op.getScaleAttr().getType());
  };
  if (op.getNumGroups())
    os << " groups " << *op.getTopGroups() << " of " << *op.getNumGroups();
  if (op.getNormalize())
    os << " normalize";
  if (!op.getScale().isExactlyValue(1.0))
    print("scale", op.getScale());
  if (op.getJitter())
    print("jitter", *op.getJitter());
  if (op.getTemperature())
    print("temperature", *op.getTemperature());
  if (op.getNoise())
    os << " noise";
  os << ":" << getElementTypeOrSelf(op.getWeights());
  printSizes(os, op.getRouter());
  if (op.getProjection())
    printSizes(os, op.getProjection());
  return name;
}

void moe::buildGate(TermTable &table, uint64_t seed, unsigned sample, GateOp op,
                    const GateOperands &operands, LocalTensor &ids,
                    LocalTensor &weights) {
  const LocalTensor &tokens = *operands.tokens;
  int64_t topK = op.getTopK();
  GateLimits limits{operands.router->getDimSize(1), topK};
  if (op.getNumGroups()) {
    limits.topGroups = *op.getTopGroups();
    limits.numGroups = *op.getNumGroups();
  }
  unsigned symbol = table.getSymbol(describe(op));
  SmallVector<Term, 4> children{0, pack(table, operands.router->getCells())};
  for (const LocalTensor *more :
       {operands.bias, operands.noise, operands.projection})
    if (more)
      children.push_back(pack(table, more->getCells()));
  // The noise depends on the token's number.
  if (operands.seed) {
    children.push_back(static_cast<Term>(operands.seed->getScalar()));
    children.push_back(0);
  }
  int64_t hidden = tokens.getDimSize(1);
  for (int64_t s = 0; s < tokens.getDimSize(0); ++s) {
    children[0] = pack(table, tokens.getCells().slice(s * hidden, hidden));
    if (operands.seed)
      children.back() = table.getInteger(s);
    Term term = table.getApply(symbol, children);
    // Experts are sampled by content, so that replicas agree, and so do two
    // programs.
    SmallVector<int64_t> chosen =
        sampleExperts(table.getHash(term), seed, sample, limits);
    for (int64_t j = 0; j < topK; ++j) {
      ids.getMutableCells()[s * topK + j] = table.getInteger(chosen[j]);
      weights.getMutableCells()[s * topK + j] = table.getElement(term, j);
    }
  }
}

/// Returns the function of all tokens that has the gate's weights as elements.
static Term getWhole(TermTable &table, Operation *op, const Twine &what,
                     ArrayRef<LocalTensor> operands) {
  std::string name = what.str();
  llvm::raw_string_ostream os(name);
  for (Value value : op->getOperands())
    printSizes(os, value);
  for (Value value : op->getResults())
    os << ":" << getElementTypeOrSelf(value);
  SmallVector<Term> children;
  for (const LocalTensor &operand : operands)
    children.push_back(pack(table, operand.getCells()));
  return table.getApply(table.getSymbol(name), children);
}

static void buildExpertChoice(TermTable &table, uint64_t seed, unsigned sample,
                              ExpertChoiceOp op, ArrayRef<LocalTensor> operands,
                              MutableArrayRef<LocalTensor> results) {
  int64_t numTokens = operands[0].getDimSize(0);
  int64_t numExperts = operands[1].getDimSize(1);
  int64_t capacity = op.getCapacity();
  int64_t taken = std::min(capacity, numTokens);
  MutableArrayRef<Cell> slots = results[0].getMutableCells();
  MutableArrayRef<Cell> weights = results[1].getMutableCells();
  std::fill(slots.begin(), slots.end(), table.getInteger(-1));
  std::fill(weights.begin(), weights.end(), table.getReal(0.0));
  if (taken == 0)
    return;
  Term whole =
      getWhole(table, op,
               "expert_choice over " + stringifyChoiceScores(op.getScores()) +
                   " capacity " + Twine(capacity),
               operands);
  for (int64_t e = 0; e < numExperts; ++e) {
    SmallVector<int64_t> chosen = sampleExperts(
        combineHash(table.getHash(whole), e), seed, sample, {numTokens, taken});
    for (auto [c, s] : llvm::enumerate(chosen)) {
      slots[s * numExperts + e] = table.getInteger(e * capacity + c);
      weights[s * numExperts + e] = table.getElement(whole, e * capacity + c);
    }
  }
}

void moe::buildMix(TermTable &table, uint64_t seed, unsigned sample,
                   Operation *op, ArrayRef<LocalTensor> operands,
                   MutableArrayRef<LocalTensor> results) {
  if (auto choice = dyn_cast<ExpertChoiceOp>(op)) {
    buildExpertChoice(table, seed, sample, choice, operands, results);
    return;
  }
  if (isa<SoftGateOp>(op)) {
    Term whole = getWhole(table, op, "soft_gate", operands);
    uint64_t index = 0;
    for (LocalTensor &result : results)
      for (Cell &cell : result.getMutableCells())
        cell = table.getElement(whole, index++);
    return;
  }
  const LocalTensor &rows = operands[0], &weights = operands[1];
  bool intoSlots = isa<SoftPermuteOp>(op);
  int64_t hidden = rows.getShape().back();
  int64_t numTokens = weights.getDimSize(0);
  int64_t numSlots = weights.getDimSize(1) * weights.getDimSize(2);
  int64_t count = intoSlots ? numSlots : numTokens;
  int64_t summands = intoSlots ? numTokens : numSlots;
  unsigned weighted = table.getSymbol("weighted");
  SmallVector<Term> children(summands);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t m = 0; m < hidden; ++m) {
      for (int64_t j = 0; j < summands; ++j) {
        int64_t at = intoSlots ? j * numSlots + i : i * numSlots + j;
        Term factors[] = {static_cast<Term>(weights.getCells()[at]),
                          static_cast<Term>(rows.getCells()[j * hidden + m])};
        children[j] = table.getApply(weighted, factors);
      }
      results[0].getMutableCells()[i * hidden + m] =
          table.getSumFromZero(children);
    }
}

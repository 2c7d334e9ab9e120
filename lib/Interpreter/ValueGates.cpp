// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates on numbers.

#include "ExpertMath.h"
#include "GateLogits.h"
#include "moe/Interpreter/Rounding.h"
#include "moe/Interpreter/Sampling.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

void moe::computeGate(GateOp op, const GateOperands &operands, LocalTensor &ids,
                      LocalTensor &weights) {
  int64_t numTokens = operands.tokens->getDimSize(0), topK = op.getTopK();
  int64_t numExperts = operands.router->getDimSize(1);
  if (numTokens == 0)
    return;
  bool isAlone = scoresAlone(op.getKind());
  GateLimits limits{numExperts, topK};
  if (op.getNumGroups()) {
    limits.topGroups = *op.getTopGroups();
    limits.numGroups = *op.getNumGroups();
  }
  double scale = op.getScale().convertToDouble();
  Rounder round = getRounder(op.getWeights());
  GateLogits router(operands, op.getJitter(), op.getTemperature());
  SmallVector<double> scores(numExperts), choice(numExperts), chosen(topK);
  for (int64_t s = 0; s < numTokens; ++s) {
    router.compute(s, scores);
    if (isAlone) {
      for (double &score : scores)
        score = scoreAlone(op.getKind(), score);
    } else if (op.getKind() != GateKind::GShard) {
      softmax(scores);
    }
    choice = scores;
    if (operands.bias)
      for (int64_t e = 0; e < numExperts; ++e)
        choice[e] += toDouble(operands.bias->getCells()[e]);
    SmallVector<int64_t> experts = chooseExperts(choice, limits, isAlone);
    double sum = 0;
    for (int64_t j = 0; j < topK; ++j)
      sum += chosen[j] = scores[experts[j]];
    if (op.getKind() == GateKind::GShard)
      softmax(chosen);
    for (int64_t j = 0; j < topK; ++j) {
      double weight = op.getNormalize() ? chosen[j] / sum : chosen[j];
      ids.getMutableCells()[s * topK + j] = fromInteger(experts[j]);
      weights.getMutableCells()[s * topK + j] =
          fromDouble(round(weight * scale));
    }
  }
}

//===----------------------------------------------------------------------===//
// Other gates
//===----------------------------------------------------------------------===//

static void computeExpertChoice(ExpertChoiceOp op, const LocalTensor &tokens,
                                const LocalTensor &router,
                                MutableArrayRef<LocalTensor> results) {
  int64_t numTokens = tokens.getDimSize(0), numExperts = router.getDimSize(1);
  int64_t capacity = op.getCapacity();
  int64_t taken = std::min(capacity, numTokens);
  MutableArrayRef<Cell> slots = results[0].getMutableCells();
  MutableArrayRef<Cell> weights = results[1].getMutableCells();
  std::fill(slots.begin(), slots.end(), fromInteger(-1));
  std::fill(weights.begin(), weights.end(), fromDouble(0.0));
  if (slots.empty() || taken == 0)
    return;
  Rounder round = getRounder(op.getWeights());
  std::vector<double> scores = multiplyRows(tokens, router);
  bool overTokens = op.getScores() == ChoiceScores::Tokens;
  for (int64_t s = 0; !overTokens && s < numTokens; ++s)
    softmax(MutableArrayRef(scores).slice(s * numExperts, numExperts));
  SmallVector<double> column(numTokens), chosen(taken);
  for (int64_t e = 0; e < numExperts; ++e) {
    for (int64_t s = 0; s < numTokens; ++s)
      column[s] = scores[s * numExperts + e];
    SmallVector<int64_t> best =
        chooseExperts(column, {numTokens, taken}, /*groupSum=*/false);
    for (int64_t c = 0; c < taken; ++c)
      chosen[c] = column[best[c]];
    if (overTokens)
      softmax(chosen);
    for (int64_t c = 0; c < taken; ++c) {
      int64_t at = best[c] * numExperts + e;
      slots[at] = fromInteger(e * capacity + c);
      weights[at] = fromDouble(round(chosen[c]));
    }
  }
}

static void computeSoftGate(SoftGateOp op, const LocalTensor &tokens,
                            const LocalTensor &router,
                            MutableArrayRef<LocalTensor> results) {
  int64_t numTokens = tokens.getDimSize(0);
  int64_t numSlots = router.getDimSize(1) * router.getDimSize(2);
  if (numTokens == 0 || numSlots == 0)
    return;
  std::vector<double> logits = multiplyRows(tokens, router);
  Rounder roundDispatch = getRounder(op.getDispatch());
  Rounder roundCombine = getRounder(op.getCombine());
  SmallVector<double> values(numTokens);
  for (int64_t slot = 0; slot < numSlots; ++slot) {
    for (int64_t s = 0; s < numTokens; ++s)
      values[s] = logits[s * numSlots + slot];
    softmax(values);
    for (int64_t s = 0; s < numTokens; ++s)
      results[0].getMutableCells()[s * numSlots + slot] =
          fromDouble(roundDispatch(values[s]));
  }
  for (int64_t s = 0; s < numTokens; ++s) {
    auto own = MutableArrayRef(logits).slice(s * numSlots, numSlots);
    softmax(own);
    for (auto [cell, value] : llvm::zip_equal(
             results[1].getMutableCells().slice(s * numSlots, numSlots), own))
      cell = fromDouble(roundCombine(value));
  }
}

/// Sets `result[i, m]` to the sum over `j`, ascending, of a weight times row
/// `j` of `rows`; `weightAt` returns the index of the weight.
static void
mixRows(int64_t count, int64_t summands, const LocalTensor &rows,
        const LocalTensor &weights, Rounder round, LocalTensor &result,
        llvm::function_ref<int64_t(int64_t i, int64_t j)> weightAt) {
  int64_t hidden = rows.getShape().back();
  SmallVector<double> sums(hidden);
  for (int64_t i = 0; i < count; ++i) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t j = 0; j < summands; ++j) {
      double weight = toDouble(weights.getCells()[weightAt(i, j)]);
      for (int64_t m = 0; m < hidden; ++m)
        sums[m] += weight * toDouble(rows.getCells()[j * hidden + m]);
    }
    for (int64_t m = 0; m < hidden; ++m)
      result.getMutableCells()[i * hidden + m] = fromDouble(round(sums[m]));
  }
}

void moe::computeMix(Operation *op, ArrayRef<LocalTensor> operands,
                     MutableArrayRef<LocalTensor> results) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ExpertChoiceOp choice) {
        computeExpertChoice(choice, operands[0], operands[1], results);
      })
      .Case([&](SoftGateOp gate) {
        computeSoftGate(gate, operands[0], operands[1], results);
      })
      .Case<SoftPermuteOp, SoftUnpermuteOp>([&](Operation *mix) {
        ArrayRef<int64_t> sizes = operands[1].getShape();
        int64_t numTokens = sizes[0], numSlots = sizes[1] * sizes[2];
        Rounder round = getRounder(mix->getResult(0));
        if (isa<SoftPermuteOp>(mix))
          mixRows(numSlots, numTokens, operands[0], operands[1], round,
                  results[0],
                  [&](int64_t slot, int64_t s) { return s * numSlots + slot; });
        else
          mixRows(numTokens, numSlots, operands[0], operands[1], round,
                  results[0],
                  [&](int64_t s, int64_t slot) { return s * numSlots + slot; });
      });
}

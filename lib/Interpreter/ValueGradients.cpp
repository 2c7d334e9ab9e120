// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients on numbers.

#include "ExpertMath.h"
#include "GateLogits.h"
#include "Gradients.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

namespace {

/// The computation of one expert for a row and the gradient of its result: the
/// inputs and gradients of each GEMM.
class ExpertRow {
public:
  ExpertRow(const Gating &gating, int64_t hidden, int64_t ffn, bool biased)
      : gating(gating), x(hidden + biased, 1.0), dy(hidden), inner(ffn),
        up(ffn), gated(ffn + biased, 1.0), dGated(ffn), dInner(ffn), dUp(ffn) {}

  /// Reads `handed` if `takes`, otherwise writes it.
  void compute(const Cell *row, const Cell *cotangent,
               ArrayRef<const Cell *> weights, const Rounder &round,
               KeptCells &kept, KeptCells &handed, bool takes) {
    // A constant 1 after the row multiplies the bias.
    readRow(row, MutableArrayRef(x).take_front(dy.size()));
    readRow(cotangent, dy);
    auto last = MutableArrayRef(gated).take_front(inner.size());
    if (takes) {
      handed.load(0, last);
      handed.load(1, dInner);
      if (gating.hasFactor())
        handed.load(2, dUp);
      return handed.advance();
    }
    auto multiply = [&](unsigned weight, MutableArrayRef<double> result) {
      if (kept.exists())
        return kept.load(weight, result);
      multiplyRow(x, weights[weight], result);
      roundRow(round, result);
    };
    multiply(0, inner);
    if (gating.hasFactor())
      multiply(1, up);
    else
      std::fill(up.begin(), up.end(), 1.0);
    kept.advance();
    std::fill(dGated.begin(), dGated.end(), 0.0);
    addTransposedProduct(dy, weights.back(), dGated);
    for (size_t h = 0; h < inner.size(); ++h) {
      double value = gating.activate(inner[h]);
      double factor = gating.getFactor(up[h]);
      gated[h] = value * factor;
      dInner[h] = dGated[h] * factor * gating.differentiate(inner[h]);
      dUp[h] = gating.passesFactor(up[h]) ? dGated[h] * value : 0.0;
    }
    int64_t part = 0;
    for (MutableArrayRef<double> values :
         {last, MutableArrayRef<double>(dInner),
          MutableArrayRef<double>(dUp)}) {
      roundRow(round, values);
      if (part < 2 || gating.hasFactor())
        handed.write(part++, values);
    }
    handed.advance();
  }

  void addTokenGradient(ArrayRef<const Cell *> weights,
                        MutableArrayRef<double> sums) const {
    addTransposedProduct(dInner, weights[0], sums);
    if (gating.hasFactor())
      addTransposedProduct(dUp, weights[1], sums);
  }

  void addWeightGradient(unsigned weight, MutableArrayRef<double> sums) const {
    if (weight == 0)
      addOuter(x, dInner, sums);
    else if (weight == 1 && gating.hasFactor())
      addOuter(x, dUp, sums);
    else
      addOuter(gated, dy, sums);
  }

private:
  Gating gating;
  SmallVector<double> x, dy, inner, up, gated, dGated, dInner, dUp;
};

} // namespace

template <typename OpT>
static void computeExperts(OpT op, ArrayRef<LocalTensor> operands,
                           const ExpertRows &rows,
                           MutableArrayRef<LocalTensor> results) {
  constexpr bool ofTokens = std::is_same_v<OpT, ExpertsDgradOp>;
  size_t numWeights = op.getExpertsWeights().size();
  const LocalTensor &tokens = operands.front();
  const LocalTensor &cotangent = operands[1 + numWeights];
  ArrayRef<LocalTensor> weights = operands.slice(1, numWeights);
  int64_t hidden = tokens.getShape().back();
  int64_t ffn = weights.front().getDimSize(2);
  Rounder round = getRounder(op.getTokens());
  // Gradients of weights may be wider than weights.
  Rounder roundResult = getRounder(op->getResult(0));
  ExpertRow row(Gating(op.getKind(), op.getActivation()), hidden, ffn,
                op.getBiased());
  auto volume = [&](size_t weight) {
    return weights[weight].getDimSize(1) * weights[weight].getDimSize(2);
  };
  KeptCells kept(static_cast<const LocalTensor *>(nullptr)), handed(kept);
  if constexpr (ofTokens) {
    if (op.getKept())
      kept = KeptCells(&operands[op.getKeptMutable()[0].getOperandNumber()]);
    if (op.getHanded())
      handed = KeptCells(&results[1]);
  } else if (op.getHanded()) {
    handed = KeptCells(&operands[op.getHandedMutable()[0].getOperandNumber()]);
  }
  bool takes = !ofTokens && handed.exists();
  SmallVector<double> tokenSums(hidden);
  std::vector<std::vector<double>> weightSums;
  SmallVector<const Cell *> matrices(weights.size());
  for (auto [e, own] : llvm::enumerate(rows)) {
    weightSums.clear();
    for (auto [i, matrix] : llvm::enumerate(matrices)) {
      matrix = weights[i].getCells().data() + e * volume(i);
      if (!ofTokens)
        weightSums.emplace_back(volume(i), 0.0);
    }
    for (int64_t number : own) {
      int64_t at = number * hidden;
      row.compute(tokens.getCells().data() + at,
                  cotangent.getCells().data() + at, matrices, round, kept,
                  handed, takes);
      if constexpr (ofTokens) {
        std::fill(tokenSums.begin(), tokenSums.end(), 0.0);
        row.addTokenGradient(matrices, tokenSums);
        writeRounded(round, tokenSums,
                     results[0].getMutableCells().data() + at);
      }
      for (auto [i, sums] : llvm::enumerate(weightSums))
        row.addWeightGradient(i, sums);
    }
    for (auto [i, sums] : llvm::enumerate(weightSums))
      writeRounded(roundResult, sums,
                   results[i].getMutableCells().data() + e * volume(i));
  }
}

static void computeScatter(ScatterOp op, ArrayRef<LocalTensor> operands,
                           ArrayRef<int64_t> slots, LocalTensor &result) {
  int64_t hidden = operands[0].getDimSize(1);
  int64_t topK = operands[1].getDimSize(1);
  Rounder round = getRounder(op.getResult());
  MutableArrayRef<Cell> buffer = result.getMutableCells();
  std::fill(buffer.begin(), buffer.end(), fromDouble(0.0));
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (slot < 0)
      continue;
    const Cell *source = operands[0].getCells().data() + i / topK * hidden;
    for (int64_t m = 0; m < hidden; ++m)
      buffer[slot * hidden + m] =
          op.getWeights()
              ? fromDouble(round(toDouble(operands[2].getCells()[i]) *
                                 toDouble(source[m])))
              : source[m];
  }
}

static void computeUnpermuteWeights(UnpermuteWgradOp op,
                                    ArrayRef<LocalTensor> operands,
                                    ArrayRef<int64_t> slots,
                                    LocalTensor &result) {
  int64_t hidden = operands[0].getDimSize(1);
  int64_t topK = operands[2].getDimSize(1);
  Rounder round = getRounder(op.getResult());
  for (auto [i, slot] : llvm::enumerate(slots)) {
    double sum = 0;
    for (int64_t m = 0; slot >= 0 && m < hidden; ++m)
      sum += toDouble(operands[0].getCells()[i / topK * hidden + m]) *
             toDouble(operands[1].getCells()[slot * hidden + m]);
    result.getMutableCells()[i] = fromDouble(round(sum));
  }
}

/// Computes the result of a dense op: the operand divided by the number of
/// parts.
template <typename OpT>
static void computeDense(OpT op, const LocalTensor &operand,
                         LocalTensor &result) {
  Rounder round = getRounder(op.getResult());
  double parts = static_cast<double>(op.getParts());
  for (auto [cell, value] :
       llvm::zip_equal(result.getMutableCells(), operand.getCells()))
    cell = fromDouble(round(toDouble(value) / parts));
}

static void computeDenseWeights(DenseWgradOp op, const LocalTensor &cotangent,
                                const LocalTensor &tokens,
                                LocalTensor &result) {
  Rounder round = getRounder(op.getResult());
  int64_t numTokens = tokens.getDimSize(0), hidden = tokens.getDimSize(1);
  for (auto [p, cell] : llvm::enumerate(result.getMutableCells())) {
    double sum = 0;
    for (int64_t s = 0; hidden > 0 && s < numTokens; ++s)
      sum += toDouble(tokens.getCells()[s * hidden + p % hidden]) *
             toDouble(cotangent.getCells()[s * hidden + p / hidden % hidden]);
    cell = fromDouble(round(sum));
  }
}

void moe::computeGradient(Operation *op, ArrayRef<LocalTensor> operands,
                          ArrayRef<int64_t> indices, const ExpertRows &rows,
                          MutableArrayRef<LocalTensor> results) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<ExpertsDgradOp, ExpertsWgradOp>(
          [&](auto op) { computeExperts(op, operands, rows, results); })
      .Case([&](ScatterOp op) {
        computeScatter(op, operands, indices, results[0]);
      })
      .Case([&](UnpermuteWgradOp op) {
        computeUnpermuteWeights(op, operands, indices, results[0]);
      })
      .Case<GateGradOp, ExpertChoiceGradOp, SoftGateGradOp, SoftWgradOp>(
          [&](Operation *gate) {
            computeGateGradient(gate, operands, indices, results);
          })
      .Case<DenseOp, DenseDgradOp>(
          [&](auto op) { computeDense(op, operands[0], results[0]); })
      .Case([&](DenseWgradOp op) {
        computeDenseWeights(op, operands[0], operands[1], results[0]);
      });
}

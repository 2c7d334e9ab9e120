// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of gates on numbers.

#include "ExpertMath.h"
#include "GateLogits.h"
#include "Gradients.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// moe.gate
//===----------------------------------------------------------------------===//

/// Computes the gradient of the logits of a token whose weights are the softmax
/// over the chosen logits.
static void differentiateChosen(GateGradOp op, ArrayRef<double> logits,
                                ArrayRef<int64_t> ids, ArrayRef<double> dw,
                                MutableArrayRef<double> result) {
  double scale = op.getScale().convertToDouble();
  SmallVector<double> scores;
  for (int64_t expert : ids)
    scores.push_back(logits[expert]);
  softmax(scores);
  double sum = 0;
  for (auto [score, gradient] : llvm::zip_equal(scores, dw))
    sum += scale * gradient * score;
  std::fill(result.begin(), result.end(), 0.0);
  for (auto [expert, score, gradient] : llvm::zip_equal(ids, scores, dw))
    result[expert] = score * (scale * gradient - sum);
}

/// Computes the gradient of the logits of a token with the scores `scores` over
/// all experts.
static void differentiateScores(GateGradOp op, ArrayRef<double> scores,
                                ArrayRef<int64_t> ids, ArrayRef<double> dw,
                                MutableArrayRef<double> result) {
  double scale = op.getScale().convertToDouble();
  double total = 0, mean = 0;
  for (int64_t expert : ids)
    total += scores[expert];
  for (auto [expert, gradient] : llvm::zip_equal(ids, dw))
    mean += gradient * scores[expert] / total;
  std::fill(result.begin(), result.end(), 0.0);
  for (auto [expert, gradient] : llvm::zip_equal(ids, dw))
    result[expert] = op.getNormalize() ? scale * (gradient - mean) / total
                                       : scale * gradient;
  if (scoresAlone(op.getKind())) {
    for (auto [gradient, score] : llvm::zip_equal(result, scores))
      gradient *= differentiateAlone(op.getKind(), score);
    return;
  }
  double sum = 0;
  for (auto [gradient, score] : llvm::zip_equal(result, scores))
    sum += gradient * score;
  for (auto [gradient, score] : llvm::zip_equal(result, scores))
    gradient = score * (gradient - sum);
}

namespace {

/// Computes the gradients of a gate's operands from the gradients of its
/// logits.
class RouterGradient {
public:
  RouterGradient(GateGradOp op, const GateOperands &operands)
      : operands(operands),
        logits(operands, op.getJitter(), op.getTemperature()),
        temperature(op.getTemperature() ? op.getTemperature()->convertToDouble()
                                        : 1.0),
        ofRouter(operands.router->getCells().size(), 0.0) {
    const LocalTensor *further =
        operands.noise ? operands.noise : operands.projection;
    ofFurther.assign(further ? further->getCells().size() : 0, 0.0);
    int64_t experts = operands.router->getDimSize(1);
    inner.resize(operands.projection ? operands.projection->getDimSize(1)
                                     : experts);
    shares.resize(experts);
    columns.assign(experts, 0.0);
  }

  /// Computes the logits of a token; `add` must be called next with their
  /// gradients.
  void compute(int64_t token, MutableArrayRef<double> result) {
    logits.compute(token, result);
  }

  /// Adds to the gradients of the router and of the further parameters, and
  /// adds the gradient of the token to `sums`.
  void add(ArrayRef<double> dLogits, MutableArrayRef<double> sums) {
    ArrayRef<double> row = logits.getRow();
    if (operands.projection) {
      addCosines(dLogits);
      addTransposedProduct(inner, operands.projection->getCells().data(), sums);
      addOuter(row, inner, ofFurther);
      return;
    }
    addTransposedProduct(dLogits, operands.router->getCells().data(), sums);
    addOuter(row, dLogits, ofRouter);
    if (operands.noise) {
      for (auto [e, value] : llvm::enumerate(inner))
        value = dLogits[e] * logits.getNormals()[e] *
                sigmoid(logits.getScales()[e]);
      addTransposedProduct(inner, operands.noise->getCells().data(), sums);
      addOuter(row, inner, ofFurther);
    }
    if (!logits.getFactors().empty())
      for (auto [sum, factor] : llvm::zip_equal(sums, logits.getFactors()))
        sum *= factor;
  }

  /// Returns the gradient of the router, after all tokens have been added.
  ArrayRef<double> finishRouter() {
    if (operands.projection)
      for (auto [i, sum] : llvm::enumerate(ofRouter)) {
        size_t e = i % columns.size();
        double length = logits.getLengths()[e];
        if (length != 0)
          sum -= toDouble(operands.router->getCells()[i]) * columns[e] /
                 (length * length);
      }
    return ofRouter;
  }
  /// Returns the gradient of the noise or of the projection.
  ArrayRef<double> getFurther() const { return ofFurther; }

private:
  /// Sets `inner` to the gradient of the projected token.
  void addCosines(ArrayRef<double> dLogits) {
    double length = logits.getProjectedLength(), along = 0;
    for (auto [e, share] : llvm::enumerate(shares)) {
      double product = length * logits.getLengths()[e];
      double value = dLogits[e] / temperature;
      share = product == 0 ? 0.0 : value / product;
      double own = product == 0 ? 0.0 : value * logits.getCosines()[e];
      along += own;
      columns[e] += own;
    }
    std::fill(inner.begin(), inner.end(), 0.0);
    addTransposedProduct(shares, operands.router->getCells().data(), inner);
    addOuter(logits.getProjected(), shares, ofRouter);
    if (length == 0)
      return;
    for (auto [value, own] : llvm::zip_equal(inner, logits.getProjected()))
      value -= along / (length * length) * own;
  }

  const GateOperands &operands;
  GateLogits logits;
  double temperature;
  SmallVector<double> inner, shares, columns;
  std::vector<double> ofRouter, ofFurther;
};

} // namespace

static void differentiateGate(GateGradOp op, ArrayRef<LocalTensor> operands,
                              ArrayRef<int64_t> ids,
                              MutableArrayRef<LocalTensor> results) {
  const LocalTensor &tokens = operands[0];
  int64_t numTokens = tokens.getDimSize(0), hidden = tokens.getDimSize(1);
  int64_t numExperts = operands[1].getDimSize(1);
  int64_t topK = operands[2].getDimSize(1);
  Rounder round = getRounder(op.getTokens());
  GateOperands own(op, operands);
  RouterGradient router(op, own);
  SmallVector<double> scores(numExperts), dLogits(numExperts), dw(topK),
      sums(hidden);
  for (int64_t s = 0; s < numTokens; ++s) {
    readRow(operands[3].getCells().data() + s * topK, dw);
    ArrayRef<int64_t> chosen = ids.slice(s * topK, topK);
    router.compute(s, scores);
    if (op.getKind() == GateKind::GShard) {
      differentiateChosen(op, scores, chosen, dw, dLogits);
    } else {
      if (scoresAlone(op.getKind()))
        for (double &score : scores)
          score = scoreAlone(op.getKind(), score);
      else
        softmax(scores);
      differentiateScores(op, scores, chosen, dw, dLogits);
    }
    std::fill(sums.begin(), sums.end(), 0.0);
    router.add(dLogits, sums);
    writeRounded(round, sums, results[0].getMutableCells().data() + s * hidden);
  }
  writeRounded(getRounder(op.getRouter()), router.finishRouter(),
               results[1].getMutableCells().data());
  if (Value further = op.getFurtherGradient())
    writeRounded(getRounder(further), router.getFurther(),
                 results[2].getMutableCells().data());
}

//===----------------------------------------------------------------------===//
// Other gates
//===----------------------------------------------------------------------===//

/// Converts the gradients of a softmax result to the gradients of its operand
/// in place. `scores` are the results of the softmax, which runs over the
/// elements `at` only.
static void differentiateSoftmax(ArrayRef<double> scores,
                                 MutableArrayRef<double> gradients,
                                 ArrayRef<int64_t> at) {
  double sum = 0;
  for (int64_t i : at)
    sum += gradients[i] * scores[i];
  for (int64_t i : at)
    gradients[i] = scores[i] * (gradients[i] - sum);
}

/// Returns `count` numbers from `first`, `stride` apart.
static SmallVector<int64_t> getNumbers(int64_t first, int64_t count,
                                       int64_t stride = 1) {
  SmallVector<int64_t> numbers(count);
  for (auto [i, number] : llvm::enumerate(numbers))
    number = first + int64_t(i) * stride;
  return numbers;
}

/// Computes the gradients of tokens [S, M] and of a router [M, columns...] from
/// the gradients of their product.
static void writeProductGradients(Value tokensValue, Value routerValue,
                                  const LocalTensor &tokens,
                                  const LocalTensor &router,
                                  ArrayRef<double> dLogits,
                                  MutableArrayRef<LocalTensor> results) {
  int64_t numTokens = tokens.getDimSize(0), hidden = tokens.getDimSize(1);
  int64_t columns = numTokens ? int64_t(dLogits.size()) / numTokens : 0;
  Rounder round = getRounder(tokensValue);
  SmallVector<double> row(hidden), sums(hidden);
  std::vector<double> routerSums(router.getCells().size(), 0.0);
  for (int64_t s = 0; s < numTokens; ++s) {
    ArrayRef<double> own = dLogits.slice(s * columns, columns);
    readRow(tokens.getCells().data() + s * hidden, row);
    std::fill(sums.begin(), sums.end(), 0.0);
    addTransposedProduct(own, router.getCells().data(), sums);
    writeRounded(round, sums, results[0].getMutableCells().data() + s * hidden);
    addOuter(row, own, routerSums);
  }
  writeRounded(getRounder(routerValue), routerSums,
               results[1].getMutableCells().data());
}

static std::vector<double> readAll(const LocalTensor &tensor) {
  std::vector<double> values(tensor.getCells().size());
  readRow(tensor.getCells().data(), values);
  return values;
}

static void computeExpertChoice(ExpertChoiceGradOp op,
                                ArrayRef<LocalTensor> operands,
                                ArrayRef<int64_t> slots,
                                MutableArrayRef<LocalTensor> results) {
  int64_t numTokens = operands[0].getDimSize(0);
  int64_t numExperts = operands[1].getDimSize(1);
  std::vector<double> scores = multiplyRows(operands[0], operands[1]);
  std::vector<double> gradients = readAll(operands[3]);
  for (auto [gradient, slot] : llvm::zip_equal(gradients, slots))
    if (slot < 0)
      gradient = 0.0;
  if (op.getScores() == ChoiceScores::Experts) {
    for (int64_t s = 0; s < numTokens; ++s) {
      softmax(MutableArrayRef(scores).slice(s * numExperts, numExperts));
      differentiateSoftmax(scores, gradients,
                           getNumbers(s * numExperts, numExperts));
    }
  } else {
    SmallVector<double> chosen;
    for (int64_t e = 0; e < numExperts; ++e) {
      SmallVector<int64_t> taken = llvm::to_vector(
          llvm::make_filter_range(getNumbers(e, numTokens, numExperts),
                                  [&](int64_t at) { return slots[at] >= 0; }));
      // Sorts the tokens by the order of the expert's choices.
      llvm::sort(taken, [&](int64_t a, int64_t b) {
        return slots[a] != slots[b] ? slots[a] < slots[b] : a < b;
      });
      chosen.clear();
      for (int64_t at : taken)
        chosen.push_back(scores[at]);
      softmax(chosen);
      for (auto [at, score] : llvm::zip_equal(taken, chosen))
        scores[at] = score;
      differentiateSoftmax(scores, gradients, taken);
    }
  }
  writeProductGradients(op.getTokens(), op.getRouter(), operands[0],
                        operands[1], gradients, results);
}

static void computeSoftGate(SoftGateGradOp op, ArrayRef<LocalTensor> operands,
                            MutableArrayRef<LocalTensor> results) {
  int64_t numTokens = operands[0].getDimSize(0);
  std::vector<double> logits = multiplyRows(operands[0], operands[1]);
  int64_t numSlots = numTokens ? int64_t(logits.size()) / numTokens : 0;
  std::vector<double> dispatch(logits.size());
  std::vector<double> gradients = readAll(operands[2]);
  std::vector<double> ofCombine = readAll(operands[3]);
  SmallVector<double> column(numTokens);
  for (int64_t slot = 0; slot < numSlots; ++slot) {
    SmallVector<int64_t> at = getNumbers(slot, numTokens, numSlots);
    for (auto [value, i] : llvm::zip_equal(column, at))
      value = logits[i];
    softmax(column);
    for (auto [value, i] : llvm::zip_equal(column, at))
      dispatch[i] = value;
    differentiateSoftmax(dispatch, gradients, at);
  }
  for (int64_t s = 0; s < numTokens; ++s) {
    softmax(MutableArrayRef(logits).slice(s * numSlots, numSlots));
    differentiateSoftmax(logits, ofCombine, getNumbers(s * numSlots, numSlots));
  }
  for (auto [gradient, other] : llvm::zip_equal(gradients, ofCombine))
    gradient += other;
  writeProductGradients(op.getTokens(), op.getRouter(), operands[0],
                        operands[1], gradients, results);
}

static void computeMixWeights(SoftWgradOp op, ArrayRef<LocalTensor> operands,
                              LocalTensor &result) {
  const LocalTensor &rows = operands[0], &buffer = operands[1];
  int64_t hidden = rows.getDimSize(1);
  int64_t numSlots = result.getDimSize(1) * result.getDimSize(2);
  Rounder round = getRounder(op.getResult());
  for (auto [i, cell] : llvm::enumerate(result.getMutableCells())) {
    double sum = 0;
    for (int64_t m = 0; m < hidden; ++m)
      sum += toDouble(rows.getCells()[int64_t(i) / numSlots * hidden + m]) *
             toDouble(buffer.getCells()[int64_t(i) % numSlots * hidden + m]);
    cell = fromDouble(round(sum));
  }
}

void moe::computeGateGradient(Operation *op, ArrayRef<LocalTensor> operands,
                              ArrayRef<int64_t> indices,
                              MutableArrayRef<LocalTensor> results) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](GateGradOp gate) {
        differentiateGate(gate, operands, indices, results);
      })
      .Case([&](ExpertChoiceGradOp choice) {
        computeExpertChoice(choice, operands, indices, results);
      })
      .Case([&](SoftGateGradOp gate) {
        computeSoftGate(gate, operands, results);
      })
      .Case([&](SoftWgradOp mix) {
        computeMixWeights(mix, operands, results[0]);
      });
}

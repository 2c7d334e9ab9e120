// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of gates on numbers.

#include "GateLogits.h"
#include "CounterNoise.h"
#include "ExpertMath.h"

using namespace mlir;
using namespace moe;

Rounder moe::getRounder(Value value) {
  return Rounder(cast<FloatType>(
      cast<RankedTensorType>(value.getType()).getElementType()));
}

void moe::softmax(MutableArrayRef<double> values) {
  double top = -std::numeric_limits<double>::infinity();
  for (double value : values)
    top = std::max(top, value);
  double sum = 0;
  for (double &value : values)
    sum += value = std::exp(value - top);
  for (double &value : values)
    value /= sum;
}

static double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

bool moe::scoresAlone(GateKind kind) {
  return kind == GateKind::Sigmoid || kind == GateKind::SqrtSoftplus;
}

double moe::scoreAlone(GateKind kind, double logit) {
  return kind == GateKind::Sigmoid ? sigmoid(logit)
                                   : std::sqrt(softplus(logit));
}

double moe::differentiateAlone(GateKind kind, double score) {
  if (kind == GateKind::Sigmoid)
    return score * (1.0 - score);
  return score == 0 ? 0.0 : -std::expm1(-(score * score)) / (2.0 * score);
}

std::vector<double> moe::multiplyRows(const LocalTensor &tokens,
                                      const LocalTensor &router) {
  int64_t hidden = tokens.getDimSize(1), columns = 1;
  for (int64_t size : router.getShape().drop_front())
    columns *= size;
  std::vector<double> products(tokens.getDimSize(0) * columns);
  SmallVector<double> row(hidden);
  for (int64_t s = 0; s < tokens.getDimSize(0) && columns != 0; ++s) {
    for (int64_t m = 0; m < hidden; ++m)
      row[m] = toDouble(tokens.getCells()[s * hidden + m]);
    multiplyRow(row, router.getCells().data(),
                MutableArrayRef(products).slice(s * columns, columns));
  }
  return products;
}

GateLogits::GateLogits(const GateOperands &operands,
                       std::optional<APFloat> jitter,
                       std::optional<APFloat> temperature)
    : operands(operands), jitter(jitter ? jitter->convertToDouble() : 0.0),
      temperature(temperature ? temperature->convertToDouble() : 1.0),
      // A constant 1 after the row multiplies the bias.
      row(operands.tokens->getDimSize(1) + operands.biased, 1.0) {
  const LocalTensor &router = *operands.router;
  int64_t experts = router.getDimSize(1);
  if (jitter)
    factors.resize(row.size());
  if (operands.noise) {
    normals.resize(experts);
    scales.resize(experts);
  }
  if (!operands.projection)
    return;
  projected.resize(operands.projection->getDimSize(1));
  cosines.resize(experts);
  lengths.assign(experts, 0.0);
  for (auto [i, cell] : llvm::enumerate(router.getCells()))
    lengths[i % experts] += toDouble(cell) * toDouble(cell);
  for (double &length : lengths)
    length = std::sqrt(length);
}

void GateLogits::compute(int64_t token, MutableArrayRef<double> logits) {
  size_t hidden = operands.tokens->getDimSize(1);
  readRow(operands.tokens->getCells().data() + token * hidden,
          MutableArrayRef(row).take_front(hidden));
  if (operands.projection) {
    computeCosines(logits);
    return;
  }
  for (auto [m, factor] : llvm::enumerate(factors)) {
    factor = 1.0 + jitter * (2.0 * drawUniform(getSeed(), token, m) - 1.0);
    row[m] *= factor;
  }
  multiplyRow(row, operands.router->getCells().data(), logits);
  if (!operands.noise)
    return;
  multiplyRow(row, operands.noise->getCells().data(), scales);
  for (auto [e, logit] : llvm::enumerate(logits)) {
    normals[e] = drawNormal(getSeed(), token, e);
    logit += normals[e] * softplus(scales[e]);
  }
}

void GateLogits::computeCosines(MutableArrayRef<double> logits) {
  multiplyRow(row, operands.projection->getCells().data(), projected);
  multiplyRow(projected, operands.router->getCells().data(), logits);
  projectedLength = 0;
  for (double value : projected)
    projectedLength += value * value;
  projectedLength = std::sqrt(projectedLength);
  for (auto [logit, cosine, own] : llvm::zip_equal(logits, cosines, lengths)) {
    double product = projectedLength * own;
    cosine = product == 0 ? 0.0 : logit / product;
    logit = cosine / temperature;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The domain of numbers.

#include "ExpertMath.h"
#include "Gates.h"
#include "Gradients.h"
#include "Scalars.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Hashing.h"
#include "moe/Interpreter/Rounding.h"
#include "moe/Interpreter/Sampling.h"
#include <cmath>

using namespace mlir;
using namespace moe;

Domain::~Domain() = default;

Cell Domain::getZero(Type elementType) {
  return isa<FloatType>(elementType) ? getFloat(0.0) : getInteger(0);
}

static Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

namespace {
class ValueDomain : public Domain {
public:
  explicit ValueDomain(const ArgumentOptions &options) : options(options) {}

  Cell getInteger(int64_t value) override { return fromInteger(value); }
  Cell getFloat(double value) override { return fromDouble(value); }
  Cell getUndefined(Type elementType) override {
    // An unusual value makes uses of unwritten elements visible.
    if (isa<FloatType>(elementType))
      return fromDouble(std::numeric_limits<double>::quiet_NaN());
    unsigned width = getIntegerWidth(elementType);
    return fromInteger(std::numeric_limits<int64_t>::min() >> (64 - width));
  }
  std::optional<int64_t> asInteger(Cell cell) const override {
    return toInteger(cell);
  }

  void drawArgument(unsigned argument, int64_t representative, Type elementType,
                    MutableArrayRef<Cell> cells) override {
    auto given = options.given.find(argument);
    if (given != options.given.end()) {
      given->second(representative, cells);
      return;
    }
    uint64_t hash = hashArgument(options.seed, argument, representative);
    auto floating = dyn_cast<FloatType>(elementType);
    auto draw = options.specialValues ? drawSpecialFloat : drawFloat;
    if (floating) {
      Rounder round(floating);
      for (auto [i, cell] : llvm::enumerate(cells))
        cell = fromDouble(round(options.magnitude * draw(hash, i, floating)));
      return;
    }
    DrawnRange range = getIntegerRange(argument);
    for (auto [i, cell] : llvm::enumerate(cells))
      cell = fromInteger(drawInteger(hash, i, elementType, range));
  }

  void reduce(Reduction reduction, Type elementType,
              ArrayRef<ArrayRef<Cell>> members,
              MutableArrayRef<Cell> result) override {
    auto function = getReductionFunction(reduction, elementType);
    llvm::copy(members.front(), result.begin());
    for (ArrayRef<Cell> member : members.drop_front())
      for (auto [sum, cell] : llvm::zip_equal(result, member))
        sum = function(sum, cell);
  }

  LogicalResult elementwise(Operation *op, unsigned number,
                            ArrayRef<ArrayRef<Cell>> operands,
                            MutableArrayRef<Cell> result) override {
    ScalarFunction function = getScalarFunction(op, number);
    if (!function)
      return op->emitOpError() << "has no reference semantics on values";
    SmallVector<Cell, 4> in(operands.size());
    for (size_t i = 0; i < result.size(); ++i) {
      for (auto [j, operand] : llvm::enumerate(operands))
        in[j] = operand.size() == 1 ? operand[0] : operand[i];
      if (const char *why = function(in.data(), result[i]))
        return op->emitOpError() << "is undefined: " << why << " at element "
                                 << i << ", operands " << printOperands(op, in);
    }
    return success();
  }

  LogicalResult gate(GateOp op, ArrayRef<LocalTensor> operands,
                     LocalTensor &ids, LocalTensor &weights) override {
    computeGate(op, GateOperands(op, operands), ids, weights);
    return success();
  }
  LogicalResult mix(Operation *op, ArrayRef<LocalTensor> operands,
                    MutableArrayRef<LocalTensor> results) override {
    computeMix(op, operands, results);
    return success();
  }
  LogicalResult experts(ExpertsOp op, const LocalTensor &tokens,
                        ArrayRef<LocalTensor> weights, const ExpertRows &rows,
                        MutableArrayRef<LocalTensor> results) override;
  LogicalResult unpermute(UnpermuteOp op, const LocalTensor &buffer,
                          ArrayRef<int64_t> slots, const LocalTensor &weights,
                          LocalTensor &result) override;

  LogicalResult gradient(Operation *op, ArrayRef<LocalTensor> operands,
                         ArrayRef<int64_t> indices, const ExpertRows &rows,
                         MutableArrayRef<LocalTensor> results) override {
    computeGradient(op, operands, indices, rows, results);
    return success();
  }
  LogicalResult unknown(Operation *op, ArrayRef<LocalTensor>,
                        MutableArrayRef<LocalTensor>) override {
    return op->emitOpError() << "has no reference semantics on values";
  }
  bool interpretsUnknown() const override { return false; }
  LogicalResult check(Operation *) override { return success(); }

  uint64_t getContentHash(Cell cell) const override { return scramble(cell); }
  std::string print(Cell cell, Type elementType) const override {
    return printNumber(cell, elementType);
  }

private:
  static std::string printOperands(Operation *op, ArrayRef<Cell> cells) {
    std::string text;
    for (auto [operand, cell] : llvm::zip_equal(op->getOperands(), cells)) {
      Type type = operand.getType();
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        type = tensor.getElementType();
      text += (text.empty() ? "" : ", ") + printNumber(cell, type);
    }
    return text;
  }

  const ArgumentOptions options;
};
} // namespace

LogicalResult ValueDomain::experts(ExpertsOp op, const LocalTensor &tokens,
                                   ArrayRef<LocalTensor> weights,
                                   const ExpertRows &rows,
                                   MutableArrayRef<LocalTensor> results) {
  int64_t hidden = tokens.getShape().back();
  int64_t ffn = weights.front().getDimSize(2), biases = op.getBiased();
  Gating gating(op.getKind(), op.getActivation());
  Rounder round(cast<FloatType>(elementTypeOf(op.getResult())));
  if (tokens.getCells().empty())
    return success();
  // A constant 1 after the row multiplies the bias.
  SmallVector<double> row(hidden + biases, 1.0), up(ffn), sums(hidden);
  SmallVector<double> all(ffn + biases, 1.0);
  MutableArrayRef<double> inner = MutableArrayRef(all).take_front(ffn);
  KeptCells kept(op.getKept() ? &results[1] : nullptr);
  for (auto [e, own] : llvm::enumerate(rows)) {
    auto matrix = [&, expert = e](unsigned i) {
      return weights[i].getCells().data() +
             expert * weights[i].getDimSize(1) * weights[i].getDimSize(2);
    };
    for (int64_t number : own) {
      const Cell *source = tokens.getCells().data() + number * hidden;
      Cell *target = results[0].getMutableCells().data() + number * hidden;
      for (int64_t m = 0; m < hidden; ++m)
        row[m] = toDouble(source[m]);
      multiplyRow(row, matrix(0), inner);
      roundRow(round, inner);
      kept.write(0, inner);
      for (double &value : inner)
        value = gating.activate(value);
      if (gating.hasFactor()) {
        multiplyRow(row, matrix(1), up);
        roundRow(round, up);
        kept.write(1, up);
        for (auto [value, factor] : llvm::zip_equal(inner, up))
          value *= gating.getFactor(factor);
      }
      kept.advance();
      roundRow(round, inner);
      multiplyRow(all, matrix(weights.size() - 1), sums);
      // Rounds once, so that the result does not depend on how rows are grouped
      // into calls.
      for (int64_t m = 0; m < hidden; ++m)
        target[m] = fromDouble(round(sums[m]));
    }
  }
  return success();
}

LogicalResult ValueDomain::unpermute(UnpermuteOp op, const LocalTensor &buffer,
                                     ArrayRef<int64_t> slots,
                                     const LocalTensor &weights,
                                     LocalTensor &result) {
  int64_t hidden = buffer.getShape().back();
  int64_t numTokens = weights.getDimSize(0), topK = weights.getDimSize(1);
  if (numTokens == 0)
    return success();
  Rounder round(cast<FloatType>(elementTypeOf(op.getResult())));
  SmallVector<double> sums(hidden);
  for (int64_t s = 0; s < numTokens; ++s) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t j = 0; j < topK; ++j) {
      int64_t slot = slots[s * topK + j];
      if (slot < 0)
        continue;
      double weight = toDouble(weights.getCells()[s * topK + j]);
      const Cell *row = buffer.getCells().data() + slot * hidden;
      for (int64_t m = 0; m < hidden; ++m)
        sums[m] += weight * toDouble(row[m]);
    }
    Cell *target = result.getMutableCells().data() + s * hidden;
    for (int64_t m = 0; m < hidden; ++m)
      target[m] = fromDouble(round(sums[m]));
  }
  return success();
}

std::unique_ptr<Domain> moe::createValueDomain(const ArgumentOptions &options) {
  return std::make_unique<ValueDomain>(options);
}

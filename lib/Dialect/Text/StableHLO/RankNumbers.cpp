// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO integers that depend on the rank.

#include "moe/Dialect/Text/StableHLO/RankNumbers.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace mlir;
using namespace moe;

static std::optional<int64_t> apply(StringRef name, Operation *op, int64_t a,
                                    int64_t b) {
  if (name == "stablehlo.add")
    return a + b;
  if (name == "stablehlo.subtract")
    return a - b;
  if (name == "stablehlo.multiply")
    return a * b;
  if (name == "stablehlo.divide" && b != 0)
    return a / b;
  if (name == "stablehlo.remainder" && b != 0)
    return a % b;
  if (name == "stablehlo.maximum")
    return std::max(a, b);
  if (name == "stablehlo.minimum")
    return std::min(a, b);
  if (name != "stablehlo.compare")
    return std::nullopt;
  return llvm::StringSwitch<std::optional<int64_t>>(
             parseComparison(op->getAttr("comparison_direction")))
      .Case("LT", a < b)
      .Case("LE", a <= b)
      .Case("GT", a > b)
      .Case("GE", a >= b)
      .Case("EQ", a == b)
      .Case("NE", a != b)
      .Default(std::nullopt);
}

static bool isSmall(ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t number) {
    return number > -(int64_t(1) << 31) && number < (int64_t(1) << 31);
  });
}

const RankNumbers::Numbers *RankNumbers::get(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second ? &*it->second : nullptr;
  // JAX emits chains of about a dozen ops; deeper ones are not evaluated.
  std::optional<Numbers> numbers;
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (ranks <= kMostRanks && depth < 64 && op && op->getNumResults() == 1 &&
      type && type.getRank() == 0 && type.getElementType().isInteger()) {
    ++depth;
    numbers = compute(op, type.getElementType());
    --depth;
  }
  auto &kept = known[value] = std::move(numbers);
  return kept ? &*kept : nullptr;
}

std::optional<RankNumbers::Numbers> RankNumbers::compute(Operation *op,
                                                         Type type) {
  StringRef name = op->getName().getStringRef();
  unsigned width = type.getIntOrFloatBitWidth();
  // Sums and products of such small numbers do not overflow 64 bits.
  if (width > 64)
    return std::nullopt;
  Numbers numbers(ranks);
  if (name == "stablehlo.partition_id") {
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }
  if (name == "stablehlo.constant") {
    auto dense = dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("value"));
    if (!dense || !dense.isSplat())
      return std::nullopt;
    APInt value = dense.getSplatValue<APInt>();
    bool isUnsigned = type.isUnsignedInteger() || width == 1;
    numbers.assign(ranks, isUnsigned ? int64_t(value.getZExtValue())
                                     : value.getSExtValue());
    return isSmall(numbers) ? std::optional(numbers) : std::nullopt;
  }
  SmallVector<Numbers> operands;
  for (Value operand : op->getOperands()) {
    const Numbers *found = get(operand);
    if (!found)
      return std::nullopt;
    operands.push_back(*found);
  }
  bool isUnsigned = type.isUnsignedInteger();
  for (int64_t rank = 0; rank < ranks; ++rank) {
    auto at = [&](unsigned i) { return operands[i][rank]; };
    std::optional<int64_t> result;
    if ((name == "stablehlo.convert" || name == kConstraintName) &&
        operands.size() == 1)
      result = at(0);
    else if (name == "stablehlo.select" && operands.size() == 3)
      result = at(0) ? at(1) : at(2);
    else if (operands.size() == 2)
      result = apply(name, op, at(0), at(1));
    // Rejects values that overflow the type, so that results do not depend on
    // wrapping.
    if (!result || (isUnsigned && *result < 0) ||
        !(llvm::isIntN(width, *result) ||
          (isUnsigned && llvm::isUIntN(width, *result)) || width == 1))
      return std::nullopt;
    numbers[rank] = *result;
  }
  return isSmall(numbers) ? std::optional(numbers) : std::nullopt;
}

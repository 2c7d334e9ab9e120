// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops of StableHLO.

#include "moe/Dialect/Text/StableHLO/Loops.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "moe/Dialect/Text/StableHLO/Text.h"

using namespace mlir;
using namespace moe;

/// Returns the integer of a constant with one element.
static std::optional<int64_t> getConstant(Value value) {
  Operation *op = skipConstraints(value).getDefiningOp();
  if (!op || op->getName().getStringRef() != "stablehlo.constant")
    return std::nullopt;
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("value"));
  if (!dense || dense.getNumElements() != 1)
    return std::nullopt;
  APInt number = dense.getSplatValue<APInt>();
  bool isUnsigned = dense.getElementType().isUnsignedInteger();
  if (isUnsigned ? number.getActiveBits() > 63 : number.getBitWidth() > 64)
    return std::nullopt;
  return isUnsigned ? int64_t(number.getZExtValue()) : number.getSExtValue();
}

/// Returns true if the first of two operands is argument `argument` of the
/// block.
static bool readsArgument(Operation *op, Block &block, unsigned argument) {
  return op->getNumOperands() == 2 &&
         skipConstraints(op->getOperand(0)) == block.getArgument(argument);
}

std::optional<CountedLoop> moe::findCountedLoop(Operation *op) {
  if (op->getName().getStringRef() != "stablehlo.while" ||
      op->getNumRegions() != 2 || !op->getRegion(0).hasOneBlock() ||
      !op->getRegion(1).hasOneBlock())
    return std::nullopt;
  Block &condition = op->getRegion(0).front(), &body = op->getRegion(1).front();
  // All carried values must keep their types.
  TypeRange carried = op->getOperandTypes();
  if (condition.empty() || body.empty() || op->getResultTypes() != carried ||
      condition.getArgumentTypes() != carried ||
      body.getArgumentTypes() != carried ||
      condition.back().getNumOperands() != 1 ||
      body.back().getOperandTypes() != carried)
    return std::nullopt;
  // The counter is the carried value that is compared with a constant.
  Operation *compare =
      skipConstraints(condition.back().getOperand(0)).getDefiningOp();
  if (!compare || compare->getName().getStringRef() != "stablehlo.compare" ||
      compare->getBlock() != &condition || compare->getNumOperands() != 2)
    return std::nullopt;
  auto counter =
      dyn_cast<BlockArgument>(skipConstraints(compare->getOperand(0)));
  if (!counter || counter.getOwner() != &condition)
    return std::nullopt;
  unsigned place = counter.getArgNumber();
  Operation *step =
      skipConstraints(body.back().getOperand(place)).getDefiningOp();
  if (!step || step->getName().getStringRef() != "stablehlo.add" ||
      step->getBlock() != &body || !readsArgument(step, body, place))
    return std::nullopt;
  std::string direction =
      parseComparison(compare->getAttr("comparison_direction"));
  std::optional<int64_t> low = getConstant(op->getOperand(place)),
                         limit = getConstant(compare->getOperand(1)),
                         by = getConstant(step->getOperand(1));
  int64_t span;
  if ((direction != "LT" && direction != "LE") || !low || !limit || !by ||
      *by < 1 || llvm::SubOverflow(*limit, *low, span) ||
      (direction == "LE" && llvm::AddOverflow(span, int64_t(1), span)))
    return std::nullopt;
  return CountedLoop{place, span <= 0 ? 0 : (span - 1) / *by + 1};
}

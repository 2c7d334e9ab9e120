// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ragged exchanges that run in several steps.

#include "MultiStepExchanges.h"
#include "NodeRows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace moe;

std::optional<MadeRuns> moe::findMadeRuns(RaggedAllToAllOp exchange) {
  auto part = dyn_cast_or_null<tensor::ExtractSliceOp>(
      findMaker(exchange.getSendSizes()));
  if (!part)
    return std::nullopt;
  auto made = dyn_cast<OpResult>(getLiveOut(part.getSource()));
  auto maker = made ? dyn_cast<RunsOpInterface>(made.getOwner()) : nullptr;
  if (!maker)
    return std::nullopt;
  auto counts =
      cast<RankedTensorType>(maker->getOperand(0).getType()).getShape();
  auto counted =
      findOrigin(maker->getOperand(0)).getDefiningOp<ExpertCountsOp>();
  ArrayRef<int64_t> offsets = part.getStaticOffsets();
  if (!counted ||
      !cast<RankedTensorType>(counted.getIds().getType()).hasStaticShape() ||
      counts.size() != 2 || llvm::any_of(offsets, ShapedType::isDynamic))
    return std::nullopt;
  MadeRuns runs;
  runs.maker = maker;
  runs.result = made.getResultNumber();
  runs.turn = offsets.size() == 3 ? offsets[1] : 0;
  // Number of the result with the sizes that are received on the way to the
  // experts.
  constexpr int64_t kReceivedSizes = 3;
  runs.isBack = offsets.front() == kReceivedSizes;
  runs.numRanks = counts.front();
  runs.numExperts = counts.back();
  runs.copies =
      cast<RankedTensorType>(counted.getIds().getType()).getNumElements();
  return runs;
}

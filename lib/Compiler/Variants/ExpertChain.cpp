// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain around the experts.

#include "ExpertChain.h"
#include "ChunkRules.h"
#include "moe/Transforms/ChunkOrder.h"
#include "moe/Transforms/PipelineBuilder.h"
#include <numeric>

using namespace mlir;
using namespace moe;

std::optional<ExpertChain> moe::findExpertChain(LayerOp layer,
                                                std::string &reason) {
  std::optional<ExpertChain> found;
  bool isPipelined = false, exchanges = false;
  layer.walk([&](Operation *op) {
    if (!isDivisibleAllToAll(op))
      return WalkResult::advance();
    exchanges = true;
    if (op->getParentOfType<PipelineOp>()) {
      isPipelined = true;
      return WalkResult::advance();
    }
    Chain chain = findChain(op, ChainScope::Layer);
    if (getChunkStages(chain.ops).empty()) {
      if (reason.empty())
        reason = chain.whyShort;
      return WalkResult::advance();
    }
    reason.clear();
    std::optional<ChunkDim> dim =
        chooseChunkDim(chain, /*dim=*/std::nullopt, /*degree=*/2, reason);
    if (dim)
      found = ExpertChain{chain, *dim, findCollectivesBeside(chain.ops)};
    return WalkResult::interrupt();
  });
  if (!found && reason.empty())
    reason = isPipelined ? "the layer has a pipeline"
             : exchanges ? "expected a chain from an all-to-all over experts "
                           "to an all-to-all, in which each op hands its "
                           "value to the next"
                         : "expected an all-to-all, the layer has none";
  return found;
}

LogicalResult moe::cutExperts(LayerOp layer, const LayerVariant &form) {
  std::string reason;
  std::optional<ExpertChain> found = findExpertChain(layer, reason);
  if (found)
    reason.clear();
  if (found && form.chunks > found->dim.size)
    reason =
        "its chunk dim has " + std::to_string(found->dim.size) + " elements";
  if (found && !form.sizes.empty() &&
      std::accumulate(form.sizes.begin(), form.sizes.end(), int64_t(0)) !=
          found->dim.size)
    reason = "expected sizes that add up to " + std::to_string(found->dim.size);
  auto order = PipelineOp::symbolizeOrder(form.order);
  if (!order)
    reason = "expected an order of the letters D, A, R, C and G";
  if (!reason.empty())
    return emitImpossible(layer, form, reason);
  buildPipeline(found->chain, found->dim, form.chunks, form.sizes, form.copies,
                *order);
  return success();
}

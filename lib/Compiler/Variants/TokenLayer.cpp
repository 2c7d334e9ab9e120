// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers in chunks of tokens.

#include "TokenLayer.h"
#include "ChunkRules.h"
#include "moe/Transforms/ChunkOrder.h"
#include "moe/Transforms/TokenChunkBuilder.h"

using namespace mlir;
using namespace moe;

Operation *moe::findPlan(ModuleOp alone) {
  SmallVector<Operation *> plans;
  alone.walk([&](Operation *op) {
    if (isRowPlan(op))
      plans.push_back(op);
  });
  return plans.size() == 1 ? plans.front() : nullptr;
}

std::optional<TokenLayer> moe::findTokenLayer(Operation *plan, Phase phase,
                                              std::string &reason) {
  RowProvenance rows(plan->getParentOfType<ModuleOp>());
  std::optional<TokenChunks> chunks =
      findTokenChunks(plan, rows, /*degree=*/1, reason);
  if (!chunks)
    return std::nullopt;
  for (ChunkedOps &pipeline : chunks->pipelines) {
    auto layer = dyn_cast<LayerOp>(pipeline.block->getParentOp());
    if (!layer || layer.getPhase() != phase ||
        getChunkStages(pipeline.ops).empty())
      continue;
    TokenLayer found;
    found.ops = pipeline.ops;
    found.beside = findCollectivesBeside(found.ops);
    found.chunks = std::move(*chunks);
    return found;
  }
  reason = "expected experts between two exchanges of rows, the layer has none";
  return std::nullopt;
}

LogicalResult moe::cutTokens(Operation *plan, const RowProvenance &rows,
                             const TokenVariants &forms) {
  auto layer = plan->getParentOfType<LayerOp>();
  const LayerVariant &form = forms.forward ? *forms.forward : *forms.backward;
  std::string reason;
  std::optional<TokenChunks> chunks =
      findTokenChunks(plan, rows, form.chunks, reason);
  if (chunks && !form.sizes.empty())
    reason = "its tokens are cut as even as it goes, without sizes";
  for (const std::optional<LayerVariant> &other :
       {forms.forward, forms.backward})
    if (other && other->chunks != form.chunks)
      reason = "its backward pass runs in the same chunks, got " +
               std::to_string(other->chunks);
  if (!reason.empty())
    return emitImpossible(layer, form, reason);
  buildTokenChunks(*chunks, form.chunks, form.copies, [&](Block *block) {
    auto pass = dyn_cast<LayerOp>(block->getParentOp());
    const std::optional<LayerVariant> &own =
        pass && pass.getPhase() == Phase::Backward ? forms.backward
                                                   : forms.forward;
    std::optional<SmallVector<LaunchStage>> order;
    if (own)
      order = PipelineOp::symbolizeOrder(own->order);
    return order.value_or(SmallVector<LaunchStage>());
  });
  return success();
}

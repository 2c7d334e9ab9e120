// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that replaces padded buffers by ragged exchanges.

#include "PaddedLayer.h"
#include "moe/Compiler/Passes.h"
#include "moe/Transforms/Remarks.h"

namespace moe {
#define GEN_PASS_DEF_PADDEDTORAGGED
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

UnpaddedLayers moe::makeExchangesRagged(Operation *root, StringRef category) {
  auto options = remark::RemarkOpts::name("rows").category(category);
  UnpaddedLayers layers{0, root->getLoc()};
  auto keep = [&](Location loc, StringRef reason) {
    moe::missed(loc, options) << remark::reason("{0}", reason);
    if (!layers.reason.empty())
      return;
    layers.where = loc;
    layers.reason = reason.str();
  };
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (isa<PermuteOp, ExpertChoiceOp, SoftGateOp>(op))
      found.push_back(op);
  });
  RowProvenance rows(root);
  for (Operation *op : found) {
    auto order = dyn_cast<PermuteOp>(op);
    if (!order) {
      keep(op->getLoc(),
           isa<SoftGateOp>(op)
               ? "slots are mixes of all tokens, none of them is a "
                 "token's: there are no rows to send apart"
               : "experts choose their tokens and fill all their "
                 "slots: rows would be as many, and in a chunk of "
                 "tokens an expert would choose among fewer");
      continue;
    }
    // Tokens that are permuted for a shared expert stay local.
    if (!isExchanged(order))
      continue;
    Location loc = order.getLoc();
    std::string reason;
    std::optional<PaddedLayer> layer = findPaddedLayer(order, rows, reason);
    if (!layer) {
      keep(loc, reason);
      continue;
    }
    int64_t slots = layer->experts * layer->capacity;
    int64_t capacity = layer->capacity;
    RaggedPlanOp plan = unpadLayer(std::move(*layer));
    ++layers.rows;
    moe::passed(loc, options)
        << remark::add("sends the rows there are, of an expert at most {0} "
                       "as before: a rank may receive {1}, in place of {2} "
                       "slots that it did",
                       capacity, plan.getLimit(), slots)
        << remark::metric("rows", plan.getLimit());
  }
  return layers;
}

namespace {

struct PaddedToRagged : public moe::impl::PaddedToRaggedBase<PaddedToRagged> {
  void runOnOperation() override {
    makeExchangesRagged(getOperation(), getArgument());
  }
};

} // namespace

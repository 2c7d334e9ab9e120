// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the blocks of collectives contiguous.

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_MAKECOLLECTIVESCONTIGUOUS
#define GEN_PASS_DEF_VERIFYCONTIGUOUSCOLLECTIVES
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct MakeCollectivesContiguous
    : public moe::impl::MakeCollectivesContiguousBase<
          MakeCollectivesContiguous> {
  void runOnOperation() override {
    if (makeCollectivesContiguous(getOperation()) == 0)
      markAllAnalysesPreserved();
  }
};

struct VerifyContiguousCollectives
    : public moe::impl::VerifyContiguousCollectivesBase<
          VerifyContiguousCollectives> {
  void runOnOperation() override {
    bool isBroken = false;
    getOperation()->walk([&](CollectiveOpInterface op) {
      if (!op->getParentOfType<PipelineOp>())
        isBroken |= failed(verifyContiguous(op));
    });
    if (isBroken)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace

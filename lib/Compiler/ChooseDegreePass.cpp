// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass moe-choose-degree.

// This file has only the pass; Degree/ChooseDegrees.cpp makes the choice.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Transforms/ModulePlatform.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEDEGREE
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct ChooseDegree : public moe::impl::ChooseDegreeBase<ChooseDegree> {
  using ChooseDegreeBase::ChooseDegreeBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    ChooseDegreeOptions options{platform, maxDegree, order,
                                phases,   sizes,     expertCounts};
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument());
    if (failed(loaded) ||
        failed(refuseRobustTraffic(getOperation(), getArgument())))
      return failure();
    auto forms = chooseDegrees(getOperation(), loaded->machine, options);
    if (failed(forms))
      return failure();
    return applyVariants(getOperation(), *forms, loaded->machine);
  }
};

} // namespace

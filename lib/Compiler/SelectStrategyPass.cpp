// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass moe-select-strategy.

// This file has only the pass; Variants/VariantSearch.cpp makes the choice.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Transforms/ModulePlatform.h"

namespace moe {
#define GEN_PASS_DEF_SELECTSTRATEGY
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct SelectStrategy : public moe::impl::SelectStrategyBase<SelectStrategy> {
  using SelectStrategyBase::SelectStrategyBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  // Nested passes build the variants.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, func::FuncDialect, tensor::TensorDialect,
                    arith::ArithDialect>();
  }

private:
  LogicalResult run() {
    FailureOr<VariantLimits> limits = getLimits();
    if (failed(limits))
      return failure();
    platform::LoadOptions options;
    options.ignoreFitted = ignoreFitted;
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument(),
                                 "platform=FILE", options);
    if (failed(loaded))
      return failure();
    auto forms = chooseStrategies(getOperation(), loaded->machine, *limits,
                                  /*usesFitted=*/!ignoreFitted &&
                                      !loaded->fitted.isEmpty());
    if (failed(forms))
      return failure();
    return applyVariants(getOperation(), *forms, loaded->machine);
  }

  FailureOr<VariantLimits> getLimits() {
    auto error = [&] {
      return emitError(getOperation().getLoc()) << getArgument() << ": ";
    };
    VariantLimits limits;
    limits.choice = strategy;
    if (maxChunks < 1)
      return error() << "expected max-chunks of at least 1, got "
                     << maxChunks.number;
    limits.maxChunks = maxChunks;
    if (degree.chunks && maxChunks.getNumOccurrences() > 0)
      return error() << "expected max-chunks with degree=auto only";
    limits.degree = degree.chunks;
    if (std::string problem = limits.check(); !problem.empty())
      return error() << problem;
    return limits;
  }
};

} // namespace

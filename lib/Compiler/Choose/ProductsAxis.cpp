// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis for keeping or recomputing experts' products.

#include "PlanSpace.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/ArgumentBytes.h"
#include "moe/Dialect/MoE/KeepProducts.h"

using namespace mlir;
using namespace moe;

/// Returns the bytes of all values of a program together, an upper bound on its
/// memory.
static double countAllBytes(ModuleOp module) {
  double sum = 0;
  for (auto function : module.getOps<func::FuncOp>())
    sum += double(getArgumentBytes(function));
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && tensor.hasStaticShape())
        if (FailureOr<int64_t> bytes = getTensorBytes(tensor); succeeded(bytes))
          sum += double(*bytes);
    // The op may additionally keep and hand on products.
    if (auto dgrad = dyn_cast<ExpertsDgradOp>(op))
      for (Value weight : dgrad.getExpertsWeights())
        if (auto tokens = cast<RankedTensorType>(dgrad.getTokens().getType());
            tokens.hasStaticShape())
          sum +=
              2 * double(tokens.getNumElements()) /
              double(std::max<int64_t>(1, tokens.getShape().back())) *
              double(
                  cast<RankedTensorType>(weight.getType()).getShape().back()) *
              8;
  });
  return sum;
}

namespace {

class ProductsAxis : public PlanAxis {
public:
  ProductsAxis() : PlanAxis("moe-choose-expert-products", "expert-products") {}

  FailureOr<std::vector<PlanValue>> list(PlanState &state,
                                         PlanSearch &search) const override {
    auto make = [](StringRef word, StringRef name, ExpertProducts products,
                   bool mustFit) {
      return PlanValue{word.str(), name.str(), [=](PlanState &state) {
                         setExpertProducts(state.module, products);
                         state.mustFit |= mustFit;
                         state.evaluation.reset();
                         return success();
                       }};
    };
    ModuleOp module = state.module;
    PlanValue asStated{"stated", "as the module states",
                       [](PlanState &) { return success(); }};
    const cost::Machine *machine = search.getMachine();
    bool hasGradients =
        module.walk([](ExpertsDgradOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (state.options.expertProducts != ProductsChoice::Auto ||
        module->hasAttr(kExpertProductsAttrName) || !hasPlan(module) ||
        !machine || !machine->memoryPerRank || !hasGradients ||
        countAllBytes(module) < machine->memoryPerRank->value.value())
      return std::vector{asStated};
    return std::vector{make("keep", "inner products kept", ExpertProducts::Keep,
                            /*mustFit=*/true),
                       make("recompute", "inner products computed again",
                            ExpertProducts::Recompute, /*mustFit=*/false)};
  }
};

} // namespace

const PlanAxis &moe::getProductsAxis() {
  static const ProductsAxis axis;
  return axis;
}

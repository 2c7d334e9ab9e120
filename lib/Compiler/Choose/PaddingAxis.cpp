// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis of padded or ragged exchanges.

#include "../ExchangeRewrites/PaddedLayer.h"
#include "PlanSpace.h"
#include "moe/Transforms/ModulePlatform.h"

using namespace mlir;
using namespace moe;

namespace {

class PaddingAxis : public PlanAxis {
public:
  PaddingAxis() : PlanAxis("moe-choose-padding", "padding") {}

  FailureOr<std::vector<PlanValue>> list(PlanState &state,
                                         PlanSearch &search) const override {
    PaddingChoice choice = state.options.padding;
    if (choice == PaddingChoice::Default)
      choice = state.options.schedule == ScheduleChoice::Best ||
                       getTrafficAttr(state.module)
                   ? PaddingChoice::Auto
                   : PaddingChoice::Keep;
    PlanValue keep{"keep", "padded buffers",
                   [](PlanState &) { return success(); }};
    PlanValue rows{"rows", "ragged exchanges", [this](PlanState &state) {
                     return makeRagged(state);
                   }};
    if (choice == PaddingChoice::Rows)
      return std::vector{rows};
    if (choice == PaddingChoice::Keep || !search.getMachine())
      return std::vector{keep};
    OwningOpRef<ModuleOp> copy(state.module.clone());
    UnpaddedLayers layers = [&] {
      SilentRemarks silent;
      return makeExchangesRagged(*copy, getCategory());
    }();
    if (layers.rows != 0) {
      rows.apply = [this](PlanState &state) {
        state.mustFit = true;
        makeExchangesRagged(state.module, getCategory());
        return success();
      };
      return std::vector{keep, rows};
    }
    // Nothing changes, but the remarks explain why.
    makeExchangesRagged(state.module, getCategory());
    return std::vector{keep};
  }

private:
  LogicalResult makeRagged(PlanState &state) const {
    UnpaddedLayers layers = makeExchangesRagged(state.module, getCategory());
    if (layers.reason.empty())
      return success();
    return emitError(layers.where)
           << getCategory()
           << ": expected layers that can exchange rows (padding=rows): "
           << layers.reason;
  }
};

} // namespace

const PlanAxis &moe::getPaddingAxis() {
  static const PaddingAxis axis;
  return axis;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis for the element type of tokens in exchanges.

#include "../StepChoices.h"
#include "PlanSpace.h"
#include "moe/Transforms/ModulePlatform.h"

using namespace mlir;
using namespace moe;

namespace {

/// Layer variants and chunks remain as they were chosen for unquantized tokens.
class WireTypeAxis : public PlanAxis {
public:
  WireTypeAxis() : PlanAxis("moe-choose-dispatch-type", "dispatch-type") {}

  FailureOr<std::vector<PlanValue>> list(PlanState &state,
                                         PlanSearch &search) const override {
    WireDtype type = state.options.dispatchType;
    PlanValue keep{"keep", "tokens in their own type",
                   [](PlanState &) { return success(); }};
    PlanValue quantized{"e4m3", "tokens in 8 bits",
                        [](PlanState &state) -> LogicalResult {
                          FailureOr<StepPlan> plan = readStepPlan(state.module);
                          if (failed(plan))
                            return failure();
                          plan->quantizeBlock = state.options.block.number;
                          writeStepPlan(state.module, *plan);
                          state.evaluation.reset();
                          return success();
                        }};
    if (type == WireDtype::Keep)
      return std::vector{keep};
    if (failed(check(state)))
      return failure();
    bool hasRows =
        state.module.walk([](PermuteRowsOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    constexpr StringLiteral kNoRows =
        "no layer exchanges rows, which alone travel in 8 bits (padding=rows "
        "makes them of padded buffers)";
    if (hasRows && type == WireDtype::E4M3)
      return std::vector{quantized};
    if (hasRows && !search.getMachine())
      // This call emits the error about the missing platform.
      return (void)loadPlatformOf(state.module, /*given=*/"", getCategory(),
                                  "platform=FILE"),
             failure();
    if (hasRows)
      return std::vector{keep, quantized};
    if (type == WireDtype::E4M3)
      return emitError(state.module.getLoc())
             << getCategory()
             << ": expected layers whose tokens can travel in 8 bits "
                "(type=e4m3): "
             << kNoRows;
    moe::missed(state.module.getLoc(), getRemarkOptions())
        << remark::reason("{0}", kNoRows);
    return std::vector{keep};
  }

  bool reportsMemory() const override { return false; }

private:
  LogicalResult check(PlanState &state) const {
    auto error = [&] {
      return emitError(state.module.getLoc()) << getCategory() << ": ";
    };
    if (state.options.block < 0)
      return error() << "expected a block of at least one element, or 0 for "
                        "whole rows, got "
                     << state.options.block.number;
    FailureOr<StepPlan> plan = readStepPlan(state.module);
    if (failed(plan))
      return failure();
    if (plan->phase != CompilePhase::Choose)
      return error() << "expected a plan that the phase choose left, got one "
                        "of phase "
                     << moe::getName(plan->phase);
    return success();
  }
};

} // namespace

const PlanAxis &moe::getWireTypeAxis() {
  static const WireTypeAxis axis;
  return axis;
}

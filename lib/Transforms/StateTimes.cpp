// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches the times of user-defined ops.

#include "mlir/IR/Remarks.h"
#include "moe/Analysis/Timing.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace moe {
#define GEN_PASS_DEF_STATETIMES
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct StateTimes : public moe::impl::StateTimesBase<StateTimes> {
  using StateTimesBase::StateTimesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (dialects.empty()) {
      emitError(module.getLoc())
          << getArgument() << ": dialects=NAMES is required";
      return signalPassFailure();
    }
    if (failed(checkDialects(module)))
      return signalPassFailure();
    auto loaded = loadPlatformOf(module, platform, getArgument());
    if (failed(loaded))
      return signalPassFailure();
    OpTimer timer(loaded->machine);
    int64_t stated = 0;
    WalkResult done = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!llvm::is_contained(*dialects, op->getName().getDialectNamespace()) ||
          getStatedTimeUs(op))
        return WalkResult::advance();
      FailureOr<cost::Microseconds> time = timer.getTime(op);
      if (failed(time))
        return WalkResult::interrupt();
      op->setAttr(kStatedTimeAttrName,
                  Builder(op).getF64FloatAttr(time->value()));
      ++stated;
      // The time includes all nested ops.
      return WalkResult::skip();
    });
    if (done.wasInterrupted())
      return signalPassFailure();
    remark::passed(module.getLoc(),
                   remark::RemarkOpts::name("times").category(getArgument()))
        << remark::add("times are stated") << remark::metric("ops", stated);
  }

private:
  /// Checks that at least one name is a dialect with ops in the module, or that
  /// all names are known dialects.
  LogicalResult checkDialects(ModuleOp module) {
    llvm::SetVector<StringRef> present;
    module.walk([&](Operation *op) {
      if (op != module)
        present.insert(op->getName().getDialectNamespace());
    });
    // A list may serve several programs, so it may have names that this one
    // does not use.
    if (llvm::any_of(*dialects,
                     [&](StringRef name) { return present.contains(name); }))
      return success();
    for (StringRef name : *dialects)
      if (!llvm::is_contained(getContext().getAvailableDialects(), name))
        return emitError(module.getLoc())
               << getArgument()
               << ": expected dialects with ops in the module ("
               << llvm::join(present.getArrayRef(), ", ") << "), got '" << name
               << "'";
    return success();
  }
};

} // namespace

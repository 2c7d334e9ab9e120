// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes the hook ops.

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_STRIPHOOKS
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {
struct StripHooks : public moe::impl::StripHooksBase<StripHooks> {
  using StripHooksBase::StripHooksBase;

  void runOnOperation() override {
    getOperation()->walk([](HookOp hook) {
      hook.getResult().replaceAllUsesWith(hook.getOperand());
      hook.erase();
    });
  }
};
} // namespace

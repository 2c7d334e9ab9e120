// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moe to PyTorch.

#include "../Program.h"
#include "Torch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Conversion/Torch/Passes.h"
#include "moe/Dialect/Text/Torch/Dialect.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTMOETOTORCH
#include "moe/Conversion/Torch/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct ConvertMoEToTorch
    : public moe::impl::ConvertMoEToTorchBase<ConvertMoEToTorch> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, arith::ArithDialect, tensor::TensorDialect>();
    // The names of the ops that are written.
    registerTorchDialect(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!MeshOp::lookup(module))
      return;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      dissolve(function, [](Operation *op, StringRef task) {
        op->setAttr("fx.task", StringAttr::get(op->getContext(), task));
      });
      if (failed(writeTorchOps(function)))
        return signalPassFailure();
      for (Block &block : function.getBody())
        launchEarlyAndWaitLate(block);
    }
    removeOwn(module);
  }
};

} // namespace

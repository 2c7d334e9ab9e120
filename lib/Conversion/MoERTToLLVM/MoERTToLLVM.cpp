//===- MoERTToLLVM.cpp - The runtime's ops as calls of its C interface -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEmitter.h"
#include "LowerBodies.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Conversion/Passes.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTMOERTTOLLVM
#include "moe/Conversion/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct ConvertMoERTToLLVM
    : public moe::impl::ConvertMoERTToLLVMBase<ConvertMoERTToLLVM> {
  using ConvertMoERTToLLVMBase::ConvertMoERTToLLVMBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> hosts;
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr(rt::MoERTDialect::getInputsAttrName()))
        hosts.push_back(function);
    // Upstream's passes would not know the types of entry functions: they are
    // taken out while the bodies are lowered.
    for (func::FuncOp host : hosts)
      host->remove();
    OpPassManager manager(ModuleOp::getOperationName());
    addBodyLowering(manager);
    LogicalResult lowered = runPipeline(manager, module);
    for (func::FuncOp host : hosts)
      module.push_back(host);
    if (failed(lowered))
      return signalPassFailure();

    // Programs call the entry functions only.
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal())
        function.setLinkage(LLVM::Linkage::Internal);
    SymbolTable symbols(module);
    for (func::FuncOp host : hosts) {
      if (failed(HostEmitter(host, symbols).run()))
        return signalPassFailure();
      symbols.erase(host);
    }
    // Nothing names the mesh any more.
    for (auto mesh : llvm::make_early_inc_range(module.getOps<MeshOp>()))
      mesh.erase();
    module->removeAttr(MoEDialect::getPlatformAttrName());
    WalkResult walk = module.walk([&](Operation *op) {
      if (op == module || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("has no form at run time: no lowering to LLVM knows it");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

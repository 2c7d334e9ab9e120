// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime ops as calls of the C interface.

#include "HostEmitter.h"
#include "KernelOutlining.h"
#include "LowerBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moert.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTMOERTTOLLVM
#include "moe/Conversion/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

static constexpr StringLiteral kNoForm =
    "has no form at run time: no lowering to LLVM knows it";

/// Kernels occupy a whole device without preemption, so short work that other
/// work depends on has priority: collectives, in the program's order of
/// priority, then their copies, then products.
static void setDevicePriorities(func::FuncOp host) {
  static_assert(MOERT_MOST_URGENT + StreamOp::kMaxPriority < -1,
                "expected collectives to be more urgent than copies");
  host.walk([](rt::StreamOp stream) {
    switch (stream.getResource()) {
    case ResourceKind::Inter:
    case ResourceKind::Intra:
      return stream.setPriority(MOERT_MOST_URGENT + stream.getPriority());
    case ResourceKind::Copy:
      return stream.setPriority(-1);
    case ResourceKind::Compute:
      return;
    }
  });
}

namespace {

struct ConvertMoERTToLLVM
    : public moe::impl::ConvertMoERTToLLVMBase<ConvertMoERTToLLVM> {
  using ConvertMoERTToLLVMBase::ConvertMoERTToLLVMBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertMoERTToLLVMBase::getDependentDialects(registry);
    // The pass translates kernels itself.
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  ConvertMoERTToLLVMOptions getOptions() const {
    return {target, chip, cubinChips, toolkit};
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> hosts;
    SmallVector<Operation *> bodies;
    for (Operation &op : module.getOps()) {
      auto function = dyn_cast<func::FuncOp>(op);
      if (function && function->hasAttr(rt::MoERTDialect::getInputsAttrName()))
        hosts.push_back(function);
      else if (isa<func::FuncOp, memref::GlobalOp>(op))
        bodies.push_back(&op);
    }
    // Upstream's passes assume that every op has a dialect.
    for (Operation *body : bodies)
      if (body->walk([](Operation *op) {
                if (op->getDialect())
                  return WalkResult::advance();
                op->emitOpError(kNoForm);
                return WalkResult::interrupt();
              })
              .wasInterrupted())
        return signalPassFailure();
    auto run = [&](OpPassManager &manager, Operation *op) {
      return runPipeline(manager, op);
    };
    KernelMaker maker(module, run);
    bool isDevice = target != CompileTarget::Host;
    // Verified even without bodies.
    if (target == CompileTarget::Nccl && failed(verifyChip(module, chip)))
      return signalPassFailure();
    if (isDevice && (failed(maker.readWishes()) || failed(maker.cut(bodies))))
      return signalPassFailure();
    if (target == CompileTarget::Nccl && failed(maker.makeImages(getOptions())))
      return signalPassFailure();
    if (target == CompileTarget::NcclStandIns)
      maker.makeFunctions(bodies);
    if (failed(lowerBodies(module, bodies, run)))
      return signalPassFailure();
    if (target == CompileTarget::NcclStandIns)
      maker.makeImage();

    // Callers use only the entry functions.
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal())
        function.setLinkage(LLVM::Linkage::Internal);
    SymbolTable symbols(module);
    for (func::FuncOp host : hosts) {
      if (isDevice)
        setDevicePriorities(host);
      if (failed(
              HostEmitter(host, symbols, isDevice ? &maker.getCode() : nullptr)
                  .run()))
        return signalPassFailure();
      symbols.erase(host);
    }
    // The mesh has no uses anymore.
    for (auto mesh : llvm::make_early_inc_range(module.getOps<MeshOp>()))
      mesh.erase();
    module->removeAttr(MoEDialect::getPlatformAttrName());
    module->removeAttr(kNcclAttrName);
    module->removeAttr(MoEDialect::getTrafficAttrName());
    module->removeAttr(kExpertProductsAttrName);
    // The error should name an op without a lowering, not a cast between
    // lowered ops and this op.
    Operation *left = nullptr;
    module.walk([&](Operation *op) {
      if (op == module || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      left = op;
      return isa<UnrealizedConversionCastOp>(op) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
    });
    if (!left)
      return;
    left->emitOpError(kNoForm);
    signalPassFailure();
  }
};

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles programs to executable code.

#include "moe/Execution/Compile.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Compiler/Compile.h"
#include "moe/Dialect/MoE/MoEOps.h"

using namespace mlir;
using namespace moe;

void moe::registerCompilation(DialectRegistry &registry) {
  func::registerInlinerExtension(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

ConvertMoERTToLLVMOptions moe::getOptionsToRun(CompileTarget target) {
  ConvertMoERTToLLVMOptions options;
  options.target = target;
  if (target == CompileTarget::Nccl)
    options.cubinChips = "none";
  return options;
}

FailureOr<OwningOpRef<ModuleOp>>
moe::compileToLLVM(ModuleOp module, StringRef entry,
                   llvm::function_ref<LogicalResult(ModuleOp)> onScheduled,
                   const ConvertMoERTToLLVMOptions &target) {
  if (isLowered(module, entry)) {
    if (failed(verifyTarget(module, entry, target.target)))
      return failure();
    return takeLowered(module, entry);
  }
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  // The entry cannot call functions of nested modules.
  for (auto nested : llvm::make_early_inc_range(copy->getOps<ModuleOp>()))
    nested.erase();
  bool calls = false;
  for (auto function : copy->getOps<func::FuncOp>())
    if (!function.isExternal())
      function.setVisibility(function.getSymName() == entry
                                 ? SymbolTable::Visibility::Public
                                 : SymbolTable::Visibility::Private);
  copy->walk([&](func::CallOp) { calls = true; });
  PassManager manager(copy->getContext());
  if (calls)
    manager.addPass(createInlinerPass());
  manager.addPass(createSymbolDCEPass());
  if (failed(manager.run(*copy)))
    return failure();
  if (failed(resumeCompilation(*copy, CompilePhase::Schedule)) ||
      (onScheduled && failed(onScheduled(*copy))))
    return failure();
  CompileOptions options(target);
  options.from = CompilePhase::Runtime;
  if (failed(compileTo(*copy, CompilePhase::LLVM, options)))
    return failure();
  return copy;
}

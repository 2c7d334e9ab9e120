// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes programs as object files.

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "moe/Execution/Emit.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

LogicalResult moe::emitObject(ModuleOp module, llvm::raw_pwrite_stream &os) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(module.getLoc())
           << "cannot be compiled for " << triple.str() << ": " << error;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, /*CPU=*/"", /*Features=*/"",
                                  llvm::TargetOptions(), llvm::Reloc::PIC_));
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context);
  if (!code)
    return emitError(module.getLoc()) << "cannot be translated to LLVM IR";
  ExecutionEngine::setupTargetTripleAndDataLayout(code.get(), machine.get());
  auto optimize =
      makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0, machine.get());
  if (llvm::Error failed = optimize(code.get()))
    return emitError(module.getLoc())
           << "cannot be optimized: " << llvm::toString(std::move(failed));
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return emitError(module.getLoc())
           << "cannot be written as an object file for " << triple.str();
  passes.run(*code);
  return success();
}

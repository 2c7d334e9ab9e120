// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes programs as readable text.

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "moe/Conversion/KernelImages.h"
#include "moe/Execution/Emit.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

LogicalResult moe::emitLLVM(ModuleOp code, llvm::raw_ostream &os) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(code, context);
  if (!translated)
    return emitError(code.getLoc()) << "cannot be translated to LLVM IR";
  translated->print(os, /*AAW=*/nullptr);
  return success();
}

LogicalResult moe::emitPTXText(ModuleOp code, llvm::raw_ostream &os) {
  auto image = code.lookupSymbol<LLVM::GlobalOp>(kKernelImageName);
  auto text = image ? dyn_cast_or_null<StringAttr>(image.getValueOrNull())
                    : StringAttr();
  if (!text)
    return emitError(code.getLoc())
           << "expected a program whose tasks have bodies that are compiled "
              "for a GPU, got one that calls kernels of the runtime alone, or "
              "nothing: it has no PTX";
  os << text.getValue().rtrim('\0');
  return success();
}

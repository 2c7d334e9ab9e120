// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translation of kernels to PTX.

#include "Kernels.h"
#include "LowerBodies.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

using namespace mlir;
using namespace moe;

/// Lowers kernels to the dialects llvm and nvvm. Buffers become bare pointers.
static LogicalResult lowerKernels(gpu::GPUModuleOp kernels) {
  MLIRContext *context = kernels.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  configureGpuToNVVMTypeConverter(converter);
  // Instructions must come first, because the patterns for GPUs would call a
  // library.
  RewritePatternSet instructions(context);
  populateMathToLLVMConversionPatterns(converter, instructions);
  ConversionTarget math(*context);
  math.addLegalDialect<LLVM::LLVMDialect>();
  math.addIllegalDialect<math::MathDialect>();
  if (failed(applyPartialConversion(kernels, math, std::move(instructions))))
    return failure();
  RewritePatternSet patterns(context);
  populateScalarPatterns(converter, patterns);
  populateGpuToNVVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalDialect<NVVM::NVVMDialect>();
  target.addIllegalDialect<gpu::GPUDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  if (failed(applyPartialConversion(kernels, target, std::move(patterns))))
    return failure();
  // Conversions keep what other dialects annotate, but under their name.
  kernels.walk([](LLVM::BrOp branch) {
    if (auto annotation = dyn_cast_if_present<LLVM::LoopAnnotationAttr>(
            branch->removeDiscardableAttr(kLoopAnnotationName)))
      branch.setLoopAnnotationAttr(annotation);
  });
  return success();
}

/// Emits an error and fails if the code calls external functions, because no
/// device library is linked.
static LogicalResult verifyLinked(gpu::GPUModuleOp kernels,
                                  const llvm::Module &code) {
  for (const llvm::Function &function : code)
    if (function.isDeclaration() && !function.isIntrinsic())
      return kernels.emitError()
             << "kernels cannot run on a device: expected code of their own, "
                "got a call of '"
             << function.getName() << "'";
  return success();
}

static const llvm::Target *findGPUs(Operation *op, const llvm::Triple &triple) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    op->emitError() << "cannot be compiled to PTX: " << error;
  return target;
}

static llvm::Triple getGPUs() { return llvm::Triple("nvptx64-nvidia-cuda"); }

LogicalResult moe::verifyChip(Operation *op, StringRef chip) {
  llvm::Triple triple = getGPUs();
  const llvm::Target *target = findGPUs(op, triple);
  if (!target)
    return failure();
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  std::string names;
  for (const llvm::SubtargetSubTypeKV &processor :
       known->getAllProcessorDescriptions()) {
    if (chip == processor.Key)
      return success();
    names += (names.empty() ? "" : ", ") + std::string(processor.Key);
  }
  return op->emitError() << "cannot be compiled for chip '" << chip
                         << "': expected one of " << names;
}

FailureOr<std::string> moe::emitPTX(gpu::GPUModuleOp kernels, StringRef chip) {
  llvm::Triple triple = getGPUs();
  const llvm::Target *target = findGPUs(kernels, triple);
  if (!target)
    return failure();
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, chip, /*Features=*/"", options,
                                  /*RM=*/std::nullopt, /*CM=*/std::nullopt,
                                  llvm::CodeGenOptLevel::Aggressive));
  if (failed(lowerKernels(kernels)))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(kernels, context, kernels.getName());
  if (!code)
    return kernels.emitError() << "cannot be translated to LLVM IR";
  code->setTargetTriple(triple);
  code->setDataLayout(machine->createDataLayout());
  if (failed(verifyLinked(kernels, *code)))
    return failure();
  auto optimize =
      makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0, machine.get());
  if (llvm::Error failed = optimize(code.get()))
    return kernels.emitError()
           << "cannot be optimized: " << llvm::toString(std::move(failed));
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return kernels.emitError() << "cannot be written as PTX";
  passes.run(*code);
  // Detects calls that the code generator created.
  size_t at = text.find(".extern .func");
  if (at != StringRef::npos)
    return kernels.emitError()
           << "kernels cannot run on a device: expected code of their own, got "
           << text.str().substr(at).take_until(
                  [](char c) { return c == '\n' || c == ';'; });
  std::string image = text.str().str();
  image.push_back('\0');
  return image;
}

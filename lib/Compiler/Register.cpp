// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the compiler's passes and dialects.

#include "moe/Compiler/Register.h"
#include "Choose/FormerPasses.h"
#include "CompilePipeline.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Passes.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Dialect/MoERT/MoERTDialect.h"
#include "moe/Transforms/Passes.h"

using namespace mlir;

void moe::registerProgramDialects(DialectRegistry &registry) {
  registry.insert<MoEDialect, rt::MoERTDialect, affine::AffineDialect,
                  arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect, ub::UBDialect>();
  // Scheduling inlines calls.
  func::registerInlinerExtension(registry);
  registerExtensionDialects(registry);
}

void moe::registerCompilerPasses() {
  registerMoETransformsPasses();
  registerMoEConversionPasses();
  registerMoECompilerPasses();
  registerCompilePipeline();
  registerFormerPasses();
}

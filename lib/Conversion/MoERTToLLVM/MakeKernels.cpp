//===- MakeKernels.cpp - Launched bodies as kernels -----------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakeKernels.h"
#include "LowerBodies.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

using namespace mlir;
using namespace moe;

LogicalResult KernelMaker::cut(SmallVectorImpl<Operation *> &bodies) {
  // What the host calls stays, too.
  llvm::DenseSet<StringRef> called;
  module.walk([&](rt::CallOp op) { called.insert(op.getBody()); });
  SmallVector<rt::LaunchFuncOp> launches;
  module.walk([&](rt::LaunchFuncOp op) { launches.push_back(op); });
  if (launches.empty())
    return success();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  kernels = gpu::GPUModuleOp::create(builder, module.getLoc(), kImageName);
  symbols.insert(kernels);
  for (Operation *op : bodies)
    if (auto global = dyn_cast<memref::GlobalOp>(op))
      kernels.getBody()->push_back(global->clone());
  for (rt::LaunchFuncOp launch : launches) {
    if (code.bodies.contains(launch.getBody()))
      continue;
    auto body = symbols.lookup<func::FuncOp>(launch.getBody());
    if (failed(verifyFloats(body)))
      return failure();
    // A copy without uses, in the place of the body: symbols are looked up.
    func::FuncOp own = body.clone();
    body->getBlock()->getOperations().insert(body->getIterator(), own);
    FailureOr<BodyKernels> cut =
        cutBody(own, launch.getInputs().size(), kernels, run);
    own.erase();
    if (failed(cut))
      return failure();
    code.bodies[launch.getBody()] = std::move(*cut);
    if (called.contains(launch.getBody()))
      continue;
    llvm::erase(bodies, body.getOperation());
    symbols.erase(body);
  }
  OpPassManager preparation(gpu::GPUModuleOp::getOperationName());
  addScalarPasses(preparation, /*forDevice=*/true);
  if (failed(run(preparation, kernels)))
    return failure();
  return verifyKernels(kernels);
}

LogicalResult KernelMaker::makePTX(StringRef chip) {
  if (!kernels)
    return success();
  FailureOr<std::string> text = emitPTX(kernels, chip);
  if (failed(text))
    return failure();
  symbols.erase(kernels);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  code.imageBytes = text->size();
  symbols.insert(LLVM::GlobalOp::create(
      builder, module.getLoc(),
      LLVM::LLVMArrayType::get(builder.getI8Type(), text->size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, kImageName,
      builder.getStringAttr(*text)));
  return success();
}

void KernelMaker::makeFunctions(SmallVectorImpl<Operation *> &bodies) {
  if (!kernels)
    return;
  functions = makeCpuKernels(kernels, symbols);
  for (const CpuKernel &kernel : functions)
    bodies.push_back(kernel.definition);
  symbols.erase(kernels);
}

void KernelMaker::makeImage() {
  if (!kernels)
    return;
  SymbolTable lowered(module);
  code.imageBytes = makeCpuImage(functions, lowered, module);
}

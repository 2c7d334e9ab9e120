// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launched bodies as kernels.

#include "KernelOutlining.h"
#include "LowerBodies.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moert.h"

using namespace mlir;
using namespace moe;

LogicalResult KernelMaker::cut(SmallVectorImpl<Operation *> &bodies) {
  // Bodies that the host calls must be kept, too.
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
    // Inserts a copy without uses next to the body, because passes look up
    // symbols.
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

LogicalResult KernelMaker::readWishes() {
  FailureOr<NcclWishes> wishes = readNcclWishes(module);
  if (succeeded(wishes))
    code.wishes = *wishes;
  return wishes;
}

LLVM::GlobalOp KernelMaker::addBytes(StringRef name, StringRef bytes) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  // Drivers and tools require headers at addresses aligned for their loads.
  auto global = LLVM::GlobalOp::create(
      builder, module.getLoc(),
      LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      builder.getStringAttr(bytes), /*alignment=*/16);
  symbols.insert(global);
  return global;
}

// Checks of the layout that is built below.
static_assert(sizeof(moert_cubin) == 24 && offsetof(moert_cubin, image) == 8 &&
              offsetof(moert_cubin, bytes) == 16);

void KernelMaker::addCubins(ArrayRef<Cubin> cubins) {
  code.numCubins = cubins.size();
  if (cubins.empty())
    return;
  Location loc = module.getLoc();
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  Type number = builder.getI32Type(), count = builder.getI64Type(),
       pointer = LLVM::LLVMPointerType::get(context);
  auto type =
      LLVM::LLVMArrayType::get(LLVM::LLVMStructType::getLiteral(
                                   context, {number, number, pointer, count}),
                               cubins.size());
  SmallVector<LLVM::GlobalOp> codes;
  for (const Cubin &cubin : cubins)
    codes.push_back(addBytes(
        ("moert_cubin_sm_" + Twine(cubin.architecture)).str(), cubin.code));
  builder.setInsertionPointToEnd(module.getBody());
  auto table =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, kCubinsName, Attribute());
  symbols.insert(table);
  builder.createBlock(&table.getInitializerRegion());
  Value value = LLVM::ZeroOp::create(builder, loc, type);
  auto put = [&](Value member, int64_t cubin, int64_t place) {
    value = LLVM::InsertValueOp::create(builder, loc, value, member,
                                        ArrayRef<int64_t>{cubin, place});
  };
  for (auto [i, cubin] : llvm::enumerate(cubins)) {
    put(LLVM::ConstantOp::create(builder, loc, number, cubin.architecture), i,
        0);
    put(LLVM::AddressOfOp::create(builder, loc, codes[i]), i, 2);
    put(LLVM::ConstantOp::create(builder, loc, count,
                                 static_cast<int64_t>(cubin.code.size())),
        i, 3);
  }
  LLVM::ReturnOp::create(builder, loc, value);
}

LogicalResult
KernelMaker::makeImages(const ConvertMoERTToLLVMOptions &options) {
  if (!kernels)
    return success();
  FailureOr<std::string> text = emitPTX(kernels, options.chip);
  if (failed(text))
    return failure();
  FailureOr<SmallVector<Cubin>> cubins =
      assembleCubins(kernels, *text, options);
  if (failed(cubins))
    return failure();
  symbols.erase(kernels);
  code.imageBytes = text->size();
  addBytes(kImageName, *text);
  addCubins(*cubins);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as functions of the CPU.

#include "Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "moert_cpu_image.h"

using namespace mlir;
using namespace moe;

/// Numbers of a thread, three of each: its block, its position in the block,
/// the number of blocks, and the threads per block.
static constexpr int64_t kNumIds = 12;

/// Returns the index of the first of three numbers that an op of `gpu` reads.
static std::optional<int64_t> findIds(Operation *op) {
  if (isa<gpu::BlockIdOp>(op))
    return 0;
  if (isa<gpu::ThreadIdOp>(op))
    return 3;
  if (isa<gpu::GridDimOp>(op))
    return 6;
  if (isa<gpu::BlockDimOp>(op))
    return 9;
  return std::nullopt;
}

static int64_t getDim(Operation *op) {
  gpu::Dimension dim;
  if (auto block = dyn_cast<gpu::BlockIdOp>(op))
    dim = block.getDimension();
  else if (auto thread = dyn_cast<gpu::ThreadIdOp>(op))
    dim = thread.getDimension();
  else if (auto blocks = dyn_cast<gpu::GridDimOp>(op))
    dim = blocks.getDimension();
  else
    dim = cast<gpu::BlockDimOp>(op).getDimension();
  return static_cast<int64_t>(dim);
}

/// Converts a kernel to a function with the thread's numbers as the last
/// argument. Buffers are passed as pointers.
static func::FuncOp makeFunction(gpu::GPUFuncOp kernel, OpBuilder &builder) {
  Location loc = kernel.getLoc();
  Type ids = MemRefType::get({kNumIds}, builder.getI32Type());
  SmallVector<Type> types(kernel.getFunctionType().getInputs());
  types.push_back(ids);
  auto function =
      func::FuncOp::create(builder, loc, (kernel.getName() + "_thread").str(),
                           builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr("llvm.bareptr", builder.getUnitAttr());
  function.getBody().takeBody(kernel.getBody());
  Value numbers = function.getBody().front().addArgument(ids, loc);
  function.walk([&](Operation *op) {
    OpBuilder at(op);
    if (isa<gpu::ReturnOp>(op)) {
      func::ReturnOp::create(at, op->getLoc());
      op->erase();
    } else if (std::optional<int64_t> first = findIds(op)) {
      Value place =
          arith::ConstantIndexOp::create(at, op->getLoc(), *first + getDim(op));
      Value number =
          memref::LoadOp::create(at, op->getLoc(), numbers, ValueRange(place));
      op->replaceAllUsesWith(arith::IndexCastUIOp::create(
          at, op->getLoc(), at.getIndexType(), number));
      op->erase();
    }
  });
  return function;
}

SmallVector<CpuKernel> moe::makeCpuKernels(gpu::GPUModuleOp kernels,
                                           SymbolTable &symbols) {
  OpBuilder builder(kernels);
  SmallVector<CpuKernel> made;
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    func::FuncOp function = makeFunction(kernel, builder);
    made.push_back(
        {kernel.getName().str(), function, symbols.insert(function).str()});
  }
  return made;
}

/// Creates the `run` function of a kernel in the image, which unpacks its
/// arguments.
static LLVM::LLVMFuncOp makeEntry(OpBuilder &builder, LLVM::LLVMFuncOp thread,
                                  StringRef name) {
  Location loc = thread.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = LLVM::LLVMFuncOp::create(
      builder, loc, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer}),
      LLVM::Linkage::Internal);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> args;
  for (Type type : thread.getArgumentTypes().drop_back()) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, block->getArgument(0),
        LLVM::GEPArg(static_cast<int32_t>(args.size())));
    Value place = LLVM::LoadOp::create(builder, loc, pointer, slot);
    args.push_back(LLVM::LoadOp::create(builder, loc, type, place));
  }
  args.push_back(block->getArgument(1));
  LLVM::CallOp::create(builder, loc, thread, args);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return entry;
}

// Checks of the layout that is built below.
static_assert(sizeof(moert_cpu_image) == 16 && sizeof(moert_cpu_kernel) == 24 &&
              offsetof(moert_cpu_kernel, run) == 8 &&
              offsetof(moert_cpu_kernel, num_arguments) == 16);

int64_t moe::makeCpuImage(ArrayRef<CpuKernel> kernels, SymbolTable &symbols,
                          ModuleOp module) {
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(context),
       i64 = builder.getI64Type();
  SmallVector<LLVM::LLVMFuncOp> entries;
  SmallVector<LLVM::GlobalOp> names;
  for (const CpuKernel &kernel : kernels) {
    auto thread = symbols.lookup<LLVM::LLVMFuncOp>(kernel.function);
    entries.push_back(makeEntry(builder, thread, kernel.function + "_run"));
    symbols.insert(entries.back());
    std::string text = kernel.name;
    text.push_back('\0');
    names.push_back(LLVM::GlobalOp::create(
        builder, loc,
        LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, "moert_kernel_name",
        builder.getStringAttr(text)));
    symbols.insert(names.back());
  }
  auto kernelType =
      LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, i64});
  auto listType = LLVM::LLVMArrayType::get(kernelType, kernels.size());
  auto magicType = LLVM::LLVMArrayType::get(builder.getI8Type(), 8);
  auto type =
      LLVM::LLVMStructType::getLiteral(context, {magicType, i64, listType});
  auto image =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, kImageName, Attribute());
  symbols.insert(image);
  Block *block = builder.createBlock(&image.getInitializerRegion());
  builder.setInsertionPointToEnd(block);
  Value value = LLVM::UndefOp::create(builder, loc, type);
  auto put = [&](Value member, ArrayRef<int64_t> place) {
    value = LLVM::InsertValueOp::create(builder, loc, value, member, place);
  };
  // The terminated string has 8 bytes.
  put(LLVM::ConstantOp::create(
          builder, loc, magicType,
          builder.getStringAttr(StringRef(MOERT_CPU_IMAGE_MAGIC, 8))),
      {0});
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64, value);
  };
  put(number(kernels.size()), {1});
  for (int64_t i = 0, e = kernels.size(); i < e; ++i) {
    put(LLVM::AddressOfOp::create(builder, loc, names[i]), {2, i, 0});
    put(LLVM::AddressOfOp::create(builder, loc, entries[i]), {2, i, 1});
    auto thread = symbols.lookup<LLVM::LLVMFuncOp>(kernels[i].function);
    put(number(thread.getNumArguments() - 1), {2, i, 2});
  }
  LLVM::ReturnOp::create(builder, loc, value);
  return sizeof(moert_cpu_image) + kernels.size() * sizeof(moert_cpu_kernel);
}

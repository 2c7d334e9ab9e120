// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting bodies as parallel loops.

#include "BodyCutter.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace moe;

static bool isPlain(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return buffer && buffer.hasStaticShape() && buffer.getLayout().isIdentity();
}

static Value flatten(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() <= 1)
    return buffer;
  ReassociationIndices all(llvm::to_vector(llvm::seq<int64_t>(type.getRank())));
  return memref::CollapseShapeOp::create(builder, loc, buffer,
                                         ArrayRef<ReassociationIndices>(all));
}

/// Replaces memory that is finally copied to an output, with dims joined or
/// split on the way, by the output itself.
static void forwardCopy(memref::CopyOp copy, Block &entry, int64_t numInputs) {
  auto output = dyn_cast<BlockArgument>(copy.getTarget());
  if (!output || output.getOwner() != &entry || copy->getBlock() != &entry ||
      static_cast<int64_t>(output.getArgNumber()) < numInputs ||
      !output.hasOneUse() || !isPlain(output.getType()))
    return;
  Value source = copy.getSource();
  while (isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(
      source.getDefiningOp()))
    source = source.getDefiningOp()->getOperand(0);
  auto allocation = source.getDefiningOp<memref::AllocOp>();
  if (!allocation || allocation->getBlock() != &entry ||
      !isPlain(allocation.getType()))
    return;
  MemRefType type = allocation.getType();
  // Writes after the copy would not be in the output.
  auto last = [&](Value buffer, auto &&recurse) -> bool {
    return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
      if (user == copy || isa<memref::DeallocOp>(user))
        return true;
      Operation *at = entry.findAncestorOpInBlock(*user);
      if (!at || copy->isBeforeInBlock(at))
        return false;
      return !isa<ViewLikeOpInterface>(user) ||
             recurse(user->getResult(0), recurse);
    });
  };
  if (type.getRank() == 0 || !last(allocation.getResult(), last))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Location loc = copy.getLoc();
  copy.erase();
  Value memory = output;
  if (memory.getType() != type) {
    memory = flatten(builder, loc, memory);
    if (type.getRank() > 1) {
      ReassociationIndices all(
          llvm::to_vector(llvm::seq<int64_t>(type.getRank())));
      memory = memref::ExpandShapeOp::create(
          builder, loc, type, memory, ArrayRef<ReassociationIndices>(all));
    }
  }
  for (Operation *user : llvm::make_early_inc_range(allocation->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  allocation.getResult().replaceAllUsesWith(memory);
  allocation.erase();
}

/// Collapses the loops of an op that computes each element from the same
/// position in its operands.
static void collapse(linalg::GenericOp op) {
  if (op.getNumLoops() < 2 || !op.hasPureBufferSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops() || op.hasIndexSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }) ||
      !llvm::all_of(op->getOperandTypes(), isPlain))
    return;
  OpBuilder builder(op);
  SmallVector<Value> inputs, outputs;
  for (Value input : op.getInputs())
    inputs.push_back(flatten(builder, op.getLoc(), input));
  for (Value output : op.getOutputs())
    outputs.push_back(flatten(builder, op.getLoc(), output));
  SmallVector<AffineMap> maps(inputs.size() + outputs.size(),
                              builder.getMultiDimIdentityMap(1));
  auto flat = linalg::GenericOp::create(
      builder, op.getLoc(), inputs, outputs, maps,
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel});
  flat.getRegion().takeBody(op.getRegion());
  op.erase();
}

/// Moves parallel loops outside of reductions. Each thread then has its own
/// sums, in the same order as on the host.
static void interchange(linalg::GenericOp op) {
  SmallVector<unsigned> order;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (bool isParallel : {true, false})
    for (auto [d, kind] : llvm::enumerate(kinds))
      if (linalg::isParallelIterator(kind) == isParallel)
        order.push_back(d);
  if (llvm::is_sorted(order) || !op.hasPureBufferSemantics())
    return;
  IRRewriter rewriter(op);
  (void)linalg::interchangeGenericOp(rewriter, op, order);
}

/// Replaces loads from splat constants by the value.
static void foldSplats(func::FuncOp body) {
  body.walk([](memref::LoadOp load) {
    Value root = load.getMemRef();
    while (auto view = root.getDefiningOp<ViewLikeOpInterface>())
      root = view.getViewSource();
    auto get = root.getDefiningOp<memref::GetGlobalOp>();
    if (!get)
      return;
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    auto values = global ? dyn_cast_if_present<SplatElementsAttr>(
                               global.getConstantInitValue())
                         : SplatElementsAttr();
    if (!values)
      return;
    OpBuilder builder(load);
    load.replaceAllUsesWith(
        arith::ConstantOp::create(builder, load.getLoc(),
                                  values.getSplatValue<TypedAttr>())
            .getResult());
    load.erase();
  });
}

template <typename OpT> static SmallVector<OpT> collect(func::FuncOp body) {
  SmallVector<OpT> ops;
  body.walk([&](OpT op) { ops.push_back(op); });
  return ops;
}

FailureOr<BodyKernels> moe::cutBody(func::FuncOp body, int64_t numInputs,
                                    gpu::GPUModuleOp kernels, RunPasses run) {
  for (auto copy : collect<memref::CopyOp>(body))
    forwardCopy(copy, body.getBody().front(), numInputs);
  for (auto copy : collect<memref::CopyOp>(body)) {
    OpBuilder builder(copy);
    linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    copy.erase();
  }
  OpPassManager generalize(func::FuncOp::getOperationName());
  generalize.addPass(createLinalgGeneralizeNamedOpsPass());
  if (failed(run(generalize, body)))
    return failure();
  for (auto generic : collect<linalg::GenericOp>(body))
    interchange(generic);
  for (auto generic : collect<linalg::GenericOp>(body))
    collapse(generic);
  OpPassManager loops(func::FuncOp::getOperationName());
  loops.addPass(createConvertLinalgToParallelLoopsPass());
  loops.addPass(createLowerAffinePass());
  loops.addPass(createCanonicalizerPass());
  loops.addPass(createCSEPass());
  if (failed(run(loops, body)))
    return failure();
  foldSplats(body);
  OpPassManager clean(func::FuncOp::getOperationName());
  clean.addPass(createCanonicalizerPass());
  if (failed(run(clean, body)))
    return failure();
  return BodyCutter(body, numInputs, kernels).run();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of bodies as kernels.

#include "BodyCutter.h"
#include "KernelLanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace moe;

/// Threads per block, in general and for kernels with little work.
static constexpr int64_t kThreads = 256, kFewThreads = 128;
/// Number of blocks if the amount of work is unknown, and the maximum number:
/// threads of larger kernels iterate.
static constexpr int64_t kSomeBlocks = 2048, kMostBlocks = 1 << 22;

Value BodyCutter::addArgument(Type type, KernelOperand operand, Location loc) {
  launch.operands.push_back(operand);
  return kernel.getBody().front().addArgument(type, loc);
}

Value BodyCutter::bring(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Value own;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    own = addArgument(value.getType(),
                      {KernelOperand::Operand, argument.getArgNumber()},
                      value.getLoc());
  } else if (auto bytes = memory.find(value); bytes != memory.end()) {
    own = addArgument(value.getType(), {KernelOperand::Scratch, bytes->second},
                      value.getLoc());
  } else if (auto bytes = spills.find(value); bytes != spills.end()) {
    Value place =
        addArgument(MemRefType::get({}, value.getType()),
                    {KernelOperand::Scratch, bytes->second}, value.getLoc());
    own = memref::LoadOp::create(builder, value.getLoc(), place, ValueRange());
  } else {
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      bring(operand);
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }
  mapping.map(value, own);
  return own;
}

/// Brings all outside values that an op and its nested ops use.
void BodyCutter::bringAll(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *definer = operand.getDefiningOp();
      Operation *owner =
          definer ? definer : operand.getParentBlock()->getParentOp();
      if (!op->isAncestor(owner))
        bring(operand);
    }
  });
}

void BodyCutter::emit(const Piece &piece) {
  Operation *first = piece.ops.front();
  Location loc = first->getLoc();
  std::string name;
  for (char c : body.getSymName())
    name.push_back(llvm::isAlnum(c) ? c : '_');
  builder.setInsertionPointToEnd(kernels.getBody());
  kernel = gpu::GPUFuncOp::create(builder, loc, name,
                                  builder.getFunctionType({}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  symbols.insert(kernel);
  launch = KernelLaunch();
  launch.name = kernel.getName().str();
  mapping.clear();

  builder.setInsertionPointToEnd(&kernel.getBody().front());
  auto end = gpu::ReturnOp::create(builder, loc);
  builder.setInsertionPoint(end);
  for (const Guard &guard : piece.guards) {
    Value condition = bring(guard.condition);
    if (!guard.isTaken) {
      Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
      condition = arith::XOrIOp::create(builder, loc, condition, one);
    }
    auto branch = scf::IfOp::create(builder, loc, condition,
                                    /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  if (piece.loop) {
    emitLoop(piece.loop);
  } else {
    launch.numBlocks = launch.numThreads = 1;
    kernel.setKnownBlockSize(ArrayRef<int32_t>{1, 1, 1});
    for (Operation *op : piece.ops) {
      bringAll(op);
      builder.clone(*op, mapping);
    }
  }
  for (auto [value, bytes] : spills)
    if (value.getDefiningOp() &&
        llvm::is_contained(piece.ops, value.getDefiningOp())) {
      Value place =
          addArgument(MemRefType::get({}, value.getType()),
                      {KernelOperand::Scratch, bytes}, value.getLoc());
      memref::StoreOp::create(builder, value.getLoc(), mapping.lookup(value),
                              place, ValueRange());
    }
  finish();
}

/// Each thread runs the iterations with its number among all threads, or
/// several consecutive ones; the last dim varies fastest.
void BodyCutter::emitLoop(scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  bringAll(loop);
  Type indexType = builder.getIndexType();
  auto makeIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // The trip count of each dim, if it is constant, and as values.
  SmallVector<std::optional<int64_t>> known;
  std::optional<int64_t> total = 1;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    std::optional<int64_t> from = getConstantIntValue(lower),
                           to = getConstantIntValue(upper),
                           by = getConstantIntValue(step), count;
    if (from && to && by && *by > 0)
      count = *to > *from ? llvm::divideCeilSigned(*to - *from, *by) : 0;
    known.push_back(count);
    if (total && count && !llvm::MulOverflow(*total, *count, *total))
      continue;
    total = std::nullopt;
  }
  // With several elements per thread, the innermost dim counts groups of
  // elements.
  std::optional<KernelLanes> lanes = findLanes(loop, known);
  const int64_t inner = known.empty() ? 1 : known.back().value_or(1);
  if (lanes) {
    known.back() = llvm::divideCeil(inner, lanes->count);
    total = *total / inner * *known.back();
  }
  launch.numThreads = total && *total <= kFewThreads ? kFewThreads : kThreads;
  launch.numBlocks =
      total ? std::clamp<int64_t>(llvm::divideCeil(*total, launch.numThreads),
                                  1, kMostBlocks)
            : kSomeBlocks;
  int64_t all = launch.numBlocks * launch.numThreads;
  // Division is several times faster with 32 bits.
  bool isNarrow = total && *total <= INT32_MAX - all;
  Type type = isNarrow ? Type(builder.getI32Type()) : indexType;
  auto narrow = [&](Value value) -> Value {
    return isNarrow ? arith::IndexCastUIOp::create(builder, loc, type, value)
                    : value;
  };
  auto constant = [&](int64_t value) -> Value {
    return isNarrow
               ? Value(arith::ConstantIntOp::create(builder, loc, type, value))
               : makeIndex(value);
  };
  Value block = narrow(gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x));
  Value threads =
      narrow(gpu::BlockDimOp::create(builder, loc, gpu::Dimension::x));
  Value thread =
      narrow(gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x));
  Value number = arith::AddIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, block, threads),
      thread);

  SmallVector<Value> counts;
  Value end = constant(1);
  for (auto [count, lower, upper, step] : llvm::zip_equal(
           known, loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    if (count) {
      counts.push_back(constant(*count));
    } else {
      Value span = arith::SubIOp::create(builder, loc, mapping.lookup(upper),
                                         mapping.lookup(lower));
      Value count =
          arith::CeilDivSIOp::create(builder, loc, span, mapping.lookup(step));
      counts.push_back(
          arith::MaxSIOp::create(builder, loc, count, makeIndex(0)));
    }
    if (!total)
      end = arith::MulIOp::create(builder, loc, end, counts.back());
  }
  if (total)
    end = constant(*total);
  if (total && *total <= all) {
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        number, end);
    auto branch =
        scf::IfOp::create(builder, loc, isOne, /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  } else {
    Value blocks =
        narrow(gpu::GridDimOp::create(builder, loc, gpu::Dimension::x));
    Value stride = arith::MulIOp::create(builder, loc, blocks, threads);
    auto round = scf::ForOp::create(builder, loc, number, end, stride);
    builder.setInsertionPoint(round.getBody()->getTerminator());
    number = round.getInductionVar();
  }
  SmallVector<Value> places(counts.size());
  for (size_t d = counts.size(); d-- > 0;) {
    places[d] = number;
    if (d == 0)
      continue;
    places[d] = arith::RemUIOp::create(builder, loc, number, counts[d]);
    number = arith::DivUIOp::create(builder, loc, number, counts[d]);
  }
  for (auto [place, variable, lower, step] :
       llvm::zip_equal(places, loop.getInductionVars(), loop.getLowerBound(),
                       loop.getStep())) {
    Value index = place;
    if (isNarrow)
      index = arith::IndexCastUIOp::create(builder, loc, indexType, index);
    if (getConstantIntValue(step) != 1)
      index = arith::MulIOp::create(builder, loc, index, mapping.lookup(step));
    if (getConstantIntValue(lower) != 0)
      index = arith::AddIOp::create(builder, loc, index, mapping.lookup(lower));
    mapping.map(variable, index);
  }
  if (lanes)
    emitLanes(loop, *lanes, inner);
  else
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
  auto getSize = [](int64_t size) { return static_cast<int32_t>(size); };
  kernel.setKnownBlockSize(ArrayRef<int32_t>{getSize(launch.numThreads), 1, 1});
  kernel.setKnownGridSize(ArrayRef<int32_t>{getSize(launch.numBlocks), 1, 1});
}

/// Runs the iterations of a group of elements: at once if there are as many,
/// and memory is aligned, and otherwise one after the other.
void BodyCutter::emitLanes(scf::ParallelOp loop, const KernelLanes &lanes,
                           int64_t inner) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value variable = loop.getInductionVars().back();
  Value first = arith::MulIOp::create(builder, loc, mapping.lookup(variable),
                                      constant(lanes.count));
  Value end = arith::AddIOp::create(builder, loc, first, constant(lanes.count));
  Value isAtOnce = lanes.isAligned(builder, loc, mapping);
  if (inner % lanes.count != 0) {
    Value isWhole = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ule, end, constant(inner));
    isAtOnce = arith::AndIOp::create(builder, loc, isAtOnce, isWhole);
    end = arith::MinUIOp::create(builder, loc, end, constant(inner));
  }
  auto branch =
      scf::IfOp::create(builder, loc, isAtOnce, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  lanes.emit(builder, loop, first, mapping);
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  auto each = scf::ForOp::create(builder, loc, first, end, constant(1));
  // Unrolled, the loop would share its last store with the other branch, whose
  // stores would then not be one instruction.
  MLIRContext *context = builder.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/builder.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  each->setDiscardableAttr(
      kLoopAnnotationName,
      LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}));
  builder.setInsertionPoint(each.getBody()->getTerminator());
  IRMapping single = mapping;
  single.map(variable, each.getInductionVar());
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, single);
}

void BodyCutter::finish() {
  kernel.setFunctionType(
      builder.getFunctionType(kernel.getBody().front().getArgumentTypes(), {}));
  // Layers of a model often have equal bodies.
  for (auto other : kernels.getOps<gpu::GPUFuncOp>()) {
    if (other == kernel ||
        other.getFunctionType() != kernel.getFunctionType() ||
        other.getKnownGridSize() != kernel.getKnownGridSize() ||
        other.getKnownBlockSize() != kernel.getKnownBlockSize() ||
        !OperationEquivalence::isRegionEquivalentTo(
            &other.getBody(), &kernel.getBody(),
            OperationEquivalence::IgnoreLocations))
      continue;
    launch.name = other.getName().str();
    symbols.erase(kernel);
    break;
  }
  result.launches.push_back(std::move(launch));
}

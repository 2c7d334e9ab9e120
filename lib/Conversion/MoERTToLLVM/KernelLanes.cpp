// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several elements per thread.

#include "KernelLanes.h"
#include "Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <numeric>

using namespace mlir;
using namespace moe;

/// The largest access of one instruction in bytes, and the maximum number of
/// elements per thread, so that small elements do not need many registers.
static constexpr int64_t kAccessBytes = 16, kMostLanes = 8;
/// Loops with less work per thread have enough threads only with one element
/// each.
static constexpr int64_t kLeastThreads = 128;

/// Memory that a loop accesses, and its indices.
static std::pair<Value, ValueRange> getAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return {load.getMemRef(), load.getIndices()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return {store.getMemRef(), store.getIndices()};
  return {};
}

std::optional<KernelLanes>
moe::findLanes(scf::ParallelOp loop,
               ArrayRef<std::optional<int64_t>> tripCounts) {
  int64_t total = 1;
  for (std::optional<int64_t> count : tripCounts)
    if (!count || llvm::MulOverflow(total, *count, total))
      return std::nullopt;
  const int64_t inner = *tripCounts.back();
  if (getConstantIntValue(loop.getLowerBound().back()) != 0 ||
      getConstantIntValue(loop.getStep().back()) != 1)
    return std::nullopt;
  KernelLanes lanes;
  Value variable = loop.getInductionVars().back();
  llvm::SmallPtrSet<Value, 16> perLane{variable};
  auto isPerLane = [&](Value value) { return perLane.contains(value); };
  int64_t leastBytes = kAccessBytes;
  bool hasStored = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (llvm::any_of(op.getOperands(), isPerLane)) {
      lanes.ops.insert(&op);
      perLane.insert(op.result_begin(), op.result_end());
    }
    auto [memory, indices] = getAccess(&op);
    if (!memory) {
      // Formulas of functions take longer than the accesses, and need many
      // registers.
      if (op.getNumRegions() != 0 || !isPure(&op) ||
          (isa<math::MathDialect>(op.getDialect()) && !isMathInstruction(&op)))
        return std::nullopt;
      continue;
    }
    // The loads of all elements come before all stores.
    bool isStore = isa<memref::StoreOp>(op);
    if (isPerLane(memory) || (hasStored && !isStore))
      return std::nullopt;
    hasStored |= isStore;
    auto type = cast<MemRefType>(memory.getType());
    FailureOr<int64_t> bytes = rt::getElementBytes(type.getElementType());
    bool isRun = succeeded(bytes) && type.hasStaticShape() &&
                 type.getLayout().isIdentity() && !indices.empty() &&
                 indices.back() == variable &&
                 llvm::none_of(indices.drop_back(), isPerLane) &&
                 !type.getElementType().isInteger(1) &&
                 !loop->isAncestor(memory.getParentBlock()->getParentOp());
    if (!isRun && isStore)
      return std::nullopt;
    if (!isRun)
      continue;
    lanes.runs[&op] = *bytes;
    if (!llvm::is_contained(lanes.memory, memory))
      lanes.memory.push_back(memory);
    leastBytes = std::min(leastBytes, *bytes);
    // Rows must start at multiples of the number of elements.
    if (tripCounts.size() > 1)
      lanes.rowLength = std::gcd(lanes.rowLength, type.getShape().back());
  }
  if (!hasStored)
    return std::nullopt;
  lanes.count = std::min(kAccessBytes / leastBytes, kMostLanes);
  if (tripCounts.size() > 1)
    while (lanes.count > 1 &&
           (inner % lanes.count != 0 || lanes.rowLength % lanes.count != 0))
      lanes.count /= 2;
  if (lanes.count == 1 || total / lanes.count < kLeastThreads)
    return std::nullopt;
  return lanes;
}

Value KernelLanes::isAligned(OpBuilder &builder, Location loc,
                             const IRMapping &mapping) const {
  Value all;
  for (Value own : memory) {
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, mapping.lookup(own));
    all =
        all ? Value(arith::OrIOp::create(builder, loc, all, address)) : address;
  }
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value rest =
      arith::AndIOp::create(builder, loc, all, constant(kAccessBytes - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               constant(0));
}

void KernelLanes::emit(OpBuilder &builder, scf::ParallelOp loop, Value first,
                       const IRMapping &outside) const {
  SmallVector<IRMapping> mappings(count, outside);
  Value variable = loop.getInductionVars().back();
  for (auto [lane, mapping] : llvm::enumerate(mappings)) {
    Location loc = loop.getLoc();
    Value index = first;
    if (lane > 0)
      index = arith::AddIOp::create(
          builder, loc, first,
          arith::ConstantIndexOp::create(builder, loc, lane),
          arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
    mapping.map(variable, index);
  }
  // Neighboring loads and stores become one instruction if the first one is
  // known to be aligned.
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!ops.contains(&op)) {
      Operation *once = builder.clone(op, mappings.front());
      for (IRMapping &mapping : llvm::drop_begin(mappings))
        mapping.map(op.getResults(), once->getResults());
      continue;
    }
    for (auto [lane, mapping] : llvm::enumerate(mappings)) {
      Operation *made = builder.clone(op, mapping);
      auto run = runs.find(&op);
      if (lane > 0 || run == runs.end())
        continue;
      int64_t alignment = std::min(count * run->second, kAccessBytes);
      if (auto load = dyn_cast<memref::LoadOp>(made))
        load.setAlignment(alignment);
      else
        cast<memref::StoreOp>(made).setAlignment(alignment);
    }
  }
}

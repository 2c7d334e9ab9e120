// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outlining of upstream ops into functions.

#include "Bodies.h"
#include "HostFunction.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/IRMapping.h"
#include "moe/Conversion/HostConversion.h"

using namespace mlir;
using namespace moe;

bool moe::isHostValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return false;
  if (isa<GroupRankOp>(op))
    return true;
  // Other ops of this project have kernels or copies, or the runtime computes
  // them.
  if (isa_and_nonnull<MoEDialect>(op->getDialect()) || getHostConversion(op))
    return false;
  // Recomputing a few numbers is cheaper than waiting for them.
  constexpr int64_t kMaxNumbers = 4096;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    auto shaped = dyn_cast<ShapedType>(operand.getType());
    if (shaped &&
        (!shaped.hasStaticShape() || shaped.getNumElements() > kMaxNumbers))
      return false;
    return isHostValue(operand);
  });
}

namespace {

class Outliner {
public:
  Outliner(func::FuncOp function, OutlinedBody &body)
      : builder(function.getBody()), function(function), body(body) {}

  LogicalResult addOps(ArrayRef<Operation *> ops) {
    llvm::SmallPtrSet<Operation *, 8> own(ops.begin(), ops.end());
    for (Operation *op : ops) {
      // Outside values of nested regions count, too.
      SmallVector<Value> used;
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          used.push_back(operand);
      });
      for (Value value : used) {
        Operation *definer = value.getDefiningOp();
        Operation *owner =
            definer ? definer : value.getParentBlock()->getParentOp();
        bool isInside = llvm::any_of(
            own, [&](Operation *mine) { return mine->isAncestor(owner); });
        // Region arguments of ops inside are inside, too.
        if (isInside || mapping.contains(value))
          continue;
        if (failed(bring(value)))
          return failure();
      }
      // Positions in groups become arguments, also inside branches and loops.
      builder.clone(*op, mapping)->walk([&](GroupRankOp rank) {
        rank.replaceAllUsesWith(addRank(rank));
        rank.erase();
      });
    }
    return success();
  }

  LogicalResult addOutputs(ArrayRef<Value> outputs) {
    for (Value output : outputs) {
      if (!mapping.contains(output) && failed(bring(output)))
        return failure();
      MemRefType type = getBufferType(output.getLoc(), output.getType());
      if (!type)
        return failure();
      Value buffer = function.getBody().addArgument(type, output.getLoc());
      Value value = mapping.lookup(output);
      if (isa<RankedTensorType>(output.getType()))
        bufferization::MaterializeInDestinationOp::create(
            builder, output.getLoc(), /*result=*/Type(), value, buffer,
            /*restrict=*/true, /*writable=*/true);
      else
        memref::StoreOp::create(builder, output.getLoc(), value, buffer,
                                ValueRange());
    }
    return success();
  }

  void finish() {
    func::ReturnOp::create(builder, function.getLoc());
    // Positions in groups are collected first, and their arguments follow the
    // inputs.
    Region &region = function.getBody();
    unsigned at = body.inputs.size();
    for (auto [i, rank] : llvm::enumerate(ranks)) {
      BlockArgument argument = region.front().insertArgument(
          at + i, builder.getIndexType(), rank.getLoc());
      rank.replaceAllUsesWith(argument);
      rank.getDefiningOp()->erase();
    }
    function.setFunctionType(
        builder.getFunctionType(region.getArgumentTypes(), {}));
  }

private:
  /// Returns a position in a group as a value of the body.
  Value addRank(GroupRankOp rank) {
    // A placeholder for the argument until all inputs are known.
    OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
    auto place = UnrealizedConversionCastOp::create(
        top, rank.getLoc(), top.getIndexType(), ValueRange());
    ranks.push_back(place.getResult(0));
    body.groups.push_back(rank.getGroup());
    return place.getResult(0);
  }

  /// Makes an outside value available in the body.
  LogicalResult bring(Value value) {
    if (isHostValue(value)) {
      Operation *op = value.getDefiningOp();
      if (auto rank = dyn_cast<GroupRankOp>(op)) {
        mapping.map(value, addRank(rank));
        return success();
      }
      for (Value operand : op->getOperands())
        if (!mapping.contains(operand) && failed(bring(operand)))
          return failure();
      builder.clone(*op, mapping);
      return success();
    }
    MemRefType type = getBufferType(value.getLoc(), value.getType());
    if (!type)
      return failure();
    Value buffer = function.getBody().addArgument(type, value.getLoc());
    body.inputs.push_back(value);
    if (isa<RankedTensorType>(value.getType()))
      mapping.map(value, bufferization::ToTensorOp::create(
                             builder, value.getLoc(), value.getType(), buffer,
                             /*restrict=*/true, /*writable=*/false));
    else
      mapping.map(value, memref::LoadOp::create(builder, value.getLoc(), buffer,
                                                ValueRange()));
    return success();
  }

  OpBuilder builder;
  func::FuncOp function;
  OutlinedBody &body;
  IRMapping mapping;
  SmallVector<Value> ranks;
};

} // namespace

FailureOr<OutlinedBody> moe::outline(Operation *before, StringRef name,
                                     Location loc, ArrayRef<Operation *> ops,
                                     ArrayRef<Value> outputs) {
  OpBuilder builder(before);
  OutlinedBody body;
  body.function =
      func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  body.function.setPrivate();
  body.function.getBody().emplaceBlock();
  Outliner outliner(body.function, body);
  // The ops or the host define all outputs, so they add no inputs.
  if (failed(outliner.addOps(ops)) || failed(outliner.addOutputs(outputs)))
    return failure();
  outliner.finish();
  return body;
}

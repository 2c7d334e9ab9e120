// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution times of StableHLO ops.

#include "moe/Dialect/Text/StableHLO/Costs.h"
#include "moe/Dialect/Text/Costs.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Dialect/Text/StableHLO/Text.h"

using namespace mlir;
using namespace moe;

/// Returns true for ops without data movement in XLA.
static bool isFree(StringRef name) {
  return llvm::is_contained(
      {"stablehlo.constant", "stablehlo.iota", "stablehlo.reshape",
       "stablehlo.optimization_barrier", "stablehlo.tuple",
       "stablehlo.get_tuple_element", "stablehlo.get_dimension_size",
       "stablehlo.return", "stablehlo.partition_id", "stablehlo.replica_id",
       "chlo.constant"},
      name);
}

bool moe::hasStableHLOCost(OperationName op) {
  StringRef name = op.getStringRef();
  return isFree(name) || isStableHLOElementwise(name) ||
         isStableHLOProduct(op) ||
         llvm::is_contained(
             {"stablehlo.bitcast_convert", "stablehlo.broadcast",
              "stablehlo.broadcast_in_dim", "stablehlo.concatenate",
              "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice",
              "stablehlo.gather", "stablehlo.pad", "stablehlo.reduce",
              "stablehlo.reduce_window", "stablehlo.reverse",
              "stablehlo.scatter", "stablehlo.slice", "stablehlo.sort",
              "stablehlo.transpose", "chlo.top_k"},
             name) ||
         name == kConstraintName;
}

/// Returns true for a constraint that leaves all dims open, which JAX writes
/// after each op of a `shard_map` over some of the axes.
static bool isOpenConstraint(Operation *op) {
  if (op->getName().getStringRef() != kConstraintName)
    return false;
  std::optional<ShardySharding> sharding =
      parseSharding(op->getAttr("sharding"));
  return sharding && sharding->unreduced.empty() &&
         llvm::all_of(sharding->isOpen, [](bool isOpen) { return isOpen; }) &&
         llvm::all_of(sharding->dims,
                      [](const auto &axes) { return axes.empty(); });
}

/// Returns true for ops that XLA fuses into their readers.
static bool isFusible(StringRef name) {
  return isStableHLOElementwise(name) ||
         llvm::is_contained(
             {"stablehlo.broadcast", "stablehlo.broadcast_in_dim"}, name);
}

/// Returns true if all readers of `op`, also through open constraints, can
/// compute it themselves.
static bool isReadByFusions(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
    StringRef name = user->getName().getStringRef();
    if (user->getBlock() != op->getBlock() || !op->isBeforeInBlock(user))
      return false;
    return isOpenConstraint(user)
               ? isReadByFusions(user)
               : isFusible(name) || name == "stablehlo.reduce";
  });
}

static bool isFused(Operation *op) {
  return isFusible(op->getName().getStringRef()) && isReadByFusions(op);
}

/// Returns the multiply-accumulates of a product with static shapes; nullopt if
/// the op is malformed.
static std::optional<double> countMacs(Operation *op) {
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return std::nullopt;
  auto left = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto right = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!left || !right || !result)
    return std::nullopt;
  double macs = double(result.getNumElements());
  StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.dot_general") {
    std::optional<DotDims> dims =
        parseDotDims(op->getAttr("dot_dimension_numbers"));
    if (!dims)
      return std::nullopt;
    for (int64_t dim : dims->contracting[0]) {
      if (dim < 0 || dim >= left.getRank())
        return std::nullopt;
      macs *= left.getDimSize(dim);
    }
    return macs;
  }
  if (left.getRank() == 0)
    return std::nullopt;
  // The last dim of the left side is the contracted one, both in dot and in
  // ragged_dot of rows, where each row is multiplied with one matrix.
  return macs * left.getShape().back();
}

FailureOr<cost::Microseconds> moe::getStableHLOTime(Operation *op,
                                                    CostContext &context) {
  StringRef name = op->getName().getStringRef();
  if (isFree(name) || isFused(op) || isOpenConstraint(op))
    return cost::Microseconds(0);
  if (name == kConstraintName)
    return op->emitOpError()
           << "cannot be timed: XLA moves data between ranks for a sharding "
              "that names axes or closes dims, got "
           << op->getAttr("sharding")
           << "; state its time in microseconds, {moe.time_us = 1.0 : f64}";
  FailureOr<cost::Microseconds> pass = getPassTime(op, context);
  if (failed(pass) || !isStableHLOProduct(op->getName()))
    return pass;
  if (std::optional<double> macs = countMacs(op))
    return getGemmTime(op, context, cost::Macs(*macs), 1);
  return op->emitOpError() << "cannot be timed: expected a product of two "
                              "tensors whose dims can be read";
}

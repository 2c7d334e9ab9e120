// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO ops that are functions of their operands.

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace moe;

bool moe::isStableHLOElementwise(StringRef name) {
  static const llvm::StringSet<> names = {"stablehlo.abs",
                                          "stablehlo.add",
                                          "stablehlo.and",
                                          "stablehlo.atan2",
                                          "stablehlo.cbrt",
                                          "stablehlo.ceil",
                                          "stablehlo.clamp",
                                          "stablehlo.compare",
                                          "stablehlo.complex",
                                          "stablehlo.convert",
                                          "stablehlo.cosine",
                                          "stablehlo.count_leading_zeros",
                                          "stablehlo.divide",
                                          "stablehlo.exponential",
                                          "stablehlo.exponential_minus_one",
                                          "stablehlo.floor",
                                          "stablehlo.imag",
                                          "stablehlo.is_finite",
                                          "stablehlo.log",
                                          "stablehlo.log_plus_one",
                                          "stablehlo.logistic",
                                          "stablehlo.maximum",
                                          "stablehlo.minimum",
                                          "stablehlo.multiply",
                                          "stablehlo.negate",
                                          "stablehlo.not",
                                          "stablehlo.or",
                                          "stablehlo.popcnt",
                                          "stablehlo.power",
                                          "stablehlo.real",
                                          "stablehlo.reduce_precision",
                                          "stablehlo.remainder",
                                          "stablehlo.round_nearest_afz",
                                          "stablehlo.round_nearest_even",
                                          "stablehlo.rsqrt",
                                          "stablehlo.select",
                                          "stablehlo.shift_left",
                                          "stablehlo.shift_right_arithmetic",
                                          "stablehlo.shift_right_logical",
                                          "stablehlo.sign",
                                          "stablehlo.sine",
                                          "stablehlo.sqrt",
                                          "stablehlo.subtract",
                                          "stablehlo.tan",
                                          "stablehlo.tanh",
                                          "stablehlo.xor",
                                          "chlo.acos",
                                          "chlo.acosh",
                                          "chlo.asin",
                                          "chlo.asinh",
                                          "chlo.atan",
                                          "chlo.atanh",
                                          "chlo.conj",
                                          "chlo.cosh",
                                          "chlo.digamma",
                                          "chlo.erf",
                                          "chlo.erf_inv",
                                          "chlo.erfc",
                                          "chlo.is_inf",
                                          "chlo.is_neg_inf",
                                          "chlo.is_pos_inf",
                                          "chlo.lgamma",
                                          "chlo.next_after",
                                          "chlo.polygamma",
                                          "chlo.sinh",
                                          "chlo.square",
                                          "chlo.tan",
                                          "chlo.zeta"};
  return names.contains(name);
}

/// Returns true for other ops whose results are a function of their operands.
static bool isOtherFunction(StringRef name) {
  static const llvm::StringSet<> names = {"stablehlo.batch_norm_grad",
                                          "stablehlo.batch_norm_inference",
                                          "stablehlo.batch_norm_training",
                                          "stablehlo.bitcast_convert",
                                          "stablehlo.broadcast",
                                          "stablehlo.broadcast_in_dim",
                                          "stablehlo.case",
                                          "stablehlo.cholesky",
                                          "stablehlo.concatenate",
                                          "stablehlo.constant",
                                          "stablehlo.convolution",
                                          "stablehlo.dot",
                                          "stablehlo.dot_general",
                                          "stablehlo.dynamic_broadcast_in_dim",
                                          "stablehlo.dynamic_gather",
                                          "stablehlo.dynamic_iota",
                                          "stablehlo.dynamic_pad",
                                          "stablehlo.dynamic_reshape",
                                          "stablehlo.dynamic_slice",
                                          "stablehlo.dynamic_update_slice",
                                          "stablehlo.fft",
                                          "stablehlo.gather",
                                          "stablehlo.get_dimension_size",
                                          "stablehlo.get_tuple_element",
                                          "stablehlo.if",
                                          "stablehlo.iota",
                                          "stablehlo.map",
                                          "stablehlo.optimization_barrier",
                                          "stablehlo.pad",
                                          "stablehlo.reduce",
                                          "stablehlo.reduce_window",
                                          "stablehlo.reshape",
                                          "stablehlo.return",
                                          "stablehlo.reverse",
                                          "stablehlo.scatter",
                                          "stablehlo.select_and_scatter",
                                          "stablehlo.slice",
                                          "stablehlo.sort",
                                          "stablehlo.transpose",
                                          "stablehlo.triangular_solve",
                                          "stablehlo.tuple",
                                          "stablehlo.uniform_dequantize",
                                          "stablehlo.uniform_quantize",
                                          "stablehlo.while",
                                          "chlo.constant",
                                          "chlo.ragged_dot",
                                          "chlo.top_k",
                                          kConstraintName};
  return names.contains(name);
}

Block *moe::getCalledBlock(Operation *op) {
  SymbolRefAttr name;
  if (auto call = dyn_cast<CallOpInterface>(op))
    name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  else if (op->getName().getStringRef() == "stablehlo.composite")
    name = dyn_cast_or_null<FlatSymbolRefAttr>(op->getAttr("decomposition"));
  auto function =
      name ? SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(op, name)
           : FunctionOpInterface();
  if (!function || function.isExternal() ||
      !function.getFunctionBody().hasOneBlock())
    return nullptr;
  Block &body = function.getFunctionBody().front();
  bool fits = body.getNumArguments() == op->getNumOperands() &&
              body.mightHaveTerminator() &&
              body.back().getNumOperands() == op->getNumResults();
  return fits ? &body : nullptr;
}

/// Returns true for constants, the only outside values that regions may use,
/// because JAX's export hoists constants out of loops.
static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == "stablehlo.constant" &&
         op->getNumOperands() == 0 && op->getNumRegions() == 0;
}

namespace {

/// Checks regions and callees for ops that are not functions.
class FunctionCheck {
public:
  /// `isInside` is true for ops in regions, where calls are followed.
  /// Elsewhere, the callee determines the properties of calls.
  bool isFunction(Operation *op, bool isInside) {
    StringRef name = op->getName().getStringRef();
    bool isCall = isInside && isa<CallOpInterface>(op);
    if (isCall || name == "stablehlo.composite")
      return op->getNumRegions() == 0 && isCallOfFunctions(op);
    if (!isStableHLOElementwise(name) && !isOtherFunction(name))
      return false;
    if (op->getNumSuccessors() != 0)
      return false;
    for (Region &region : op->getRegions()) {
      if (!region.hasOneBlock() || region.front().empty())
        return false;
      for (Operation &nested : region.front())
        if (!isFunction(&nested, /*isInside=*/true))
          return false;
      llvm::SetVector<Value> outside;
      getUsedValuesDefinedAbove(region, region, outside);
      if (!llvm::all_of(outside, isConstant))
        return false;
    }
    return true;
  }

private:
  /// Returns true if the called function contains only function ops; false for
  /// recursion.
  bool isCallOfFunctions(Operation *call) {
    Block *body = getCalledBlock(call);
    if (!body)
      return false;
    auto [it, isNew] = called.try_emplace(body, false);
    if (!isNew)
      return it->second;
    for (Operation &op : body->without_terminator())
      if (!isFunction(&op, /*isInside=*/true))
        return false;
    return called[body] = true;
  }

  llvm::DenseMap<Block *, bool> called;
};

} // namespace

bool moe::isStableHLOFunction(Operation *op) {
  return FunctionCheck().isFunction(op, /*isInside=*/false);
}

//===----------------------------------------------------------------------===//
// Dependencies of results on operands
//===----------------------------------------------------------------------===//

using Operands = llvm::SmallBitVector;

static SmallVector<Operands> findResults(Operation *op,
                                         ArrayRef<Operands> operands);

/// Returns the dependencies of the operands of a block's terminator; constants
/// from outside depend on nothing.
static SmallVector<Operands> findYielded(Block &block,
                                         ArrayRef<Operands> arguments) {
  llvm::DenseMap<Value, Operands> known;
  for (auto [argument, own] : llvm::zip_equal(block.getArguments(), arguments))
    known[argument] = own;
  auto get = [&](Operation &op) {
    return llvm::map_to_vector(
        op.getOperands(), [&](Value value) { return known.lookup(value); });
  };
  for (Operation &op : block.without_terminator())
    for (auto [result, own] :
         llvm::zip_equal(op.getResults(), findResults(&op, get(op))))
      known[result] = own;
  return get(block.back());
}

/// Returns true if a loop's regions have the types of its carried values.
static bool isLoop(Operation *op) {
  if (op->getName().getStringRef() != "stablehlo.while" ||
      op->getNumRegions() != 2 || op->getNumOperands() != op->getNumResults())
    return false;
  size_t carried = op->getNumOperands(), given[] = {1, carried};
  for (auto [region, count] : llvm::zip_equal(op->getRegions(), given)) {
    Block &block = region.front();
    if (block.getNumArguments() != carried ||
        block.back().getNumOperands() != count)
      return false;
  }
  return true;
}

/// Returns the dependencies of an op's results, given the dependencies of its
/// operands.
static SmallVector<Operands> findResults(Operation *op,
                                         ArrayRef<Operands> operands) {
  if (isa<CallOpInterface>(op))
    return findYielded(*getCalledBlock(op), operands);
  if (!isLoop(op)) {
    Operands all;
    for (const Operands &own : operands)
      all |= own;
    return SmallVector<Operands>(op->getNumResults(), all);
  }
  // Iterates to a fixed point, because carried values depend on the previous
  // iteration and on the condition.
  SmallVector<Operands> carried(operands);
  for (bool changed = true; changed;) {
    changed = false;
    Operands condition = findYielded(op->getRegion(0).front(), carried).front();
    auto next = findYielded(op->getRegion(1).front(), carried);
    for (auto [value, given] : llvm::zip_equal(carried, next)) {
      Operands before = value;
      value |= given;
      value |= condition;
      changed |= value != before;
    }
  }
  return carried;
}

SmallVector<Operands> moe::getStableHLODependencies(Operation *op) {
  SmallVector<Operands> operands(op->getNumOperands(),
                                 Operands(op->getNumOperands()));
  for (auto [i, own] : llvm::enumerate(operands))
    own.set(i);
  return findResults(op, operands);
}

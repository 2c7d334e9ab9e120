//===- Ops.cpp - What is known of ops of StableHLO ------------- -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
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

/// Other ops whose results are a function of their operands.
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
                                          "chlo.top_k"};
  return names.contains(name);
}

/// Whether the function that a composite op stands for has such ops alone, none
/// of them a composite or a call.
static bool isOfFunctions(Operation *composite) {
  auto name =
      dyn_cast_or_null<FlatSymbolRefAttr>(composite->getAttr("decomposition"));
  auto function =
      name ? SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
                 composite, name)
           : FunctionOpInterface();
  if (!function || function.isExternal() ||
      !function.getFunctionBody().hasOneBlock())
    return false;
  Block &body = function.getFunctionBody().front();
  return llvm::all_of(body, [&](Operation &op) {
    return &op == &body.back() ||
           (op.getName().getStringRef() != "stablehlo.composite" &&
            isStableHLOFunction(&op));
  });
}

bool moe::isStableHLOFunction(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.composite")
    return op->getNumRegions() == 0 && isOfFunctions(op);
  if (!isStableHLOElementwise(name) && !isOtherFunction(name))
    return false;
  if (op->getNumSuccessors() != 0)
    return false;
  for (Region &region : op->getRegions()) {
    if (region.empty() || !region.hasOneBlock())
      return false;
    for (Operation &nested : region.front())
      if (!isStableHLOFunction(&nested))
        return false;
    llvm::SetVector<Value> outside;
    getUsedValuesDefinedAbove(region, region, outside);
    if (!outside.empty())
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

namespace {

/// Ranked types of an op's operands and results, or none.
struct Types {
  explicit Types(Operation *op) {
    for (Type type : op->getOperandTypes())
      operands.push_back(dyn_cast<RankedTensorType>(type));
    for (Type type : op->getResultTypes())
      results.push_back(dyn_cast<RankedTensorType>(type));
    for (RankedTensorType type : operands)
      known &= static_cast<bool>(type);
    for (RankedTensorType type : results)
      known &= static_cast<bool>(type);
  }
  SmallVector<RankedTensorType> operands, results;
  bool known = true;
};

} // namespace

static std::optional<SmallVector<int64_t>> getInts(Operation *op,
                                                   StringRef name) {
  auto attr = dyn_cast_or_null<DenseI64ArrayAttr>(op->getAttr(name));
  if (!attr)
    return std::nullopt;
  return llvm::to_vector(attr.asArrayRef());
}

DimMap moe::mapReshape(RankedTensorType from, RankedTensorType to) {
  DimMap map;
  auto hasOpen = [](RankedTensorType type) {
    return type.getNumDynamicDims() > 0;
  };
  if (hasOpen(from) != hasOpen(to) || from.getNumDynamicDims() > 1 ||
      to.getNumDynamicDims() > 1)
    return map;
  // Of what is in front of a dim the elements, counted modulo 2^64 on both
  // sides, and whether the dim of an open size is there.
  using Count = std::pair<uint64_t, bool>;
  auto add = [](Count &count, int64_t size) {
    if (ShapedType::isDynamic(size))
      count.second = true;
    else
      count.first *= size;
  };
  Count before(1, false);
  for (unsigned i = 0; i < from.getRank(); add(before, from.getDimSize(i++))) {
    Count after(1, false);
    for (unsigned j = 0; j < to.getRank(); add(after, to.getDimSize(j++)))
      if (before == after && before.first != 0 && from.getDimSize(i) != 1 &&
          from.getDimSize(i) == to.getDimSize(j))
        map.links.push_back({0, i, 0, j});
  }
  return map;
}

static std::optional<DimMap> mapDotGeneral(Operation *op, const Types &types) {
  std::optional<DotDims> dims =
      parseDotDims(op->getAttr("dot_dimension_numbers"));
  if (!dims || types.operands.size() != 2 || types.results.size() != 1)
    return std::nullopt;
  DimMap map;
  unsigned next = 0;
  int64_t ranks[] = {types.operands[0].getRank(), types.operands[1].getRank()};
  for (int side : {0, 1})
    for (ArrayRef<int64_t> listed :
         {ArrayRef(dims->batch[side]), ArrayRef(dims->contracting[side])})
      if (llvm::any_of(listed, [&](int64_t dim) {
            return dim < 0 || dim >= ranks[side];
          }))
        return std::nullopt;
  if (dims->batch[0].size() != dims->batch[1].size())
    return std::nullopt;
  for (auto [left, right] : llvm::zip_equal(dims->batch[0], dims->batch[1])) {
    map.links.push_back({0, unsigned(left), 0, next});
    map.links.push_back({1, unsigned(right), 0, next++});
  }
  for (unsigned side : {0, 1})
    for (unsigned dim = 0; dim < ranks[side]; ++dim) {
      if (llvm::is_contained(dims->batch[side], dim))
        continue;
      if (llvm::is_contained(dims->contracting[side], dim))
        map.opaqueOperandDims.emplace_back(side, dim);
      else
        map.links.push_back({side, dim, 0, next++});
    }
  if (next != types.results[0].getRank())
    return std::nullopt;
  return map;
}

bool moe::isStableHLOProduct(OperationName name) {
  return llvm::is_contained(
      {"stablehlo.dot_general", "stablehlo.dot", "chlo.ragged_dot"},
      name.getStringRef());
}

bool moe::hasStableHLODims(OperationName name) {
  return isStableHLOElementwise(name.getStringRef()) ||
         llvm::is_contained({"stablehlo.transpose", "stablehlo.reshape",
                             "stablehlo.broadcast_in_dim",
                             "stablehlo.dot_general", "stablehlo.reduce",
                             "stablehlo.concatenate",
                             "stablehlo.optimization_barrier", "chlo.top_k"},
                            name.getStringRef());
}

std::optional<DimMap> moe::getStableHLODimMap(Operation *op) {
  if (!isStableHLOFunction(op))
    return std::nullopt;
  Types types(op);
  if (!types.known)
    return std::nullopt;
  StringRef name = op->getName().getStringRef();
  DimMap map;
  if (isStableHLOElementwise(name)) {
    map = DimMap::elementwise(op);
    map.isPartwise = true;
    return map;
  }
  if (types.operands.empty() || types.results.empty())
    return std::nullopt;
  RankedTensorType from = types.operands[0], to = types.results[0];
  map.isPartwise = true;
  auto link = [&](unsigned operand, int64_t dim, unsigned result,
                  int64_t resultDim) {
    map.links.push_back({operand, unsigned(dim), result, unsigned(resultDim)});
  };
  if (name == "stablehlo.transpose") {
    auto permutation = getInts(op, "permutation");
    if (!permutation || int64_t(permutation->size()) != from.getRank() ||
        from.getRank() != to.getRank())
      return std::nullopt;
    for (auto [i, dim] : llvm::enumerate(*permutation)) {
      if (dim < 0 || dim >= from.getRank())
        return std::nullopt;
      link(0, dim, 0, i);
    }
    return map;
  }
  if (name == "stablehlo.reshape") {
    map = mapReshape(from, to);
    map.isPartwise = true;
    return map;
  }
  if (name == "stablehlo.broadcast_in_dim") {
    auto dims = getInts(op, "broadcast_dimensions");
    if (!dims || int64_t(dims->size()) != from.getRank())
      return std::nullopt;
    for (auto [i, dim] : llvm::enumerate(*dims)) {
      if (dim < 0 || dim >= to.getRank())
        return std::nullopt;
      // Of size 1 it may be repeated, and of another size it is not.
      if (from.getDimSize(i) == to.getDimSize(dim) && from.getDimSize(i) != 1)
        link(0, i, 0, dim);
    }
    return map;
  }
  if (name == "stablehlo.dot_general") {
    std::optional<DimMap> dot = mapDotGeneral(op, types);
    if (dot)
      dot->isPartwise = true;
    return dot;
  }
  if (name == "stablehlo.reduce") {
    auto dims = getInts(op, "dimensions");
    size_t count = types.operands.size() / 2;
    if (!dims || types.results.size() != count)
      return std::nullopt;
    for (unsigned i = 0; i < count; ++i)
      for (unsigned r = 0; r < count; ++r) {
        int64_t next = 0;
        for (int64_t dim = 0; dim < types.operands[i].getRank(); ++dim)
          if (!llvm::is_contained(*dims, dim) &&
              next < types.results[r].getRank())
            link(i, dim, r, next++);
      }
    return map;
  }
  if (name == "stablehlo.concatenate") {
    auto dim = dyn_cast_or_null<IntegerAttr>(op->getAttr("dimension"));
    if (!dim)
      return std::nullopt;
    for (auto [i, type] : llvm::enumerate(types.operands))
      for (int64_t d = 0; d < std::min(type.getRank(), to.getRank()); ++d)
        if (d != dim.getInt())
          link(i, d, 0, d);
    return map;
  }
  if (name == "stablehlo.optimization_barrier") {
    if (types.operands.size() != types.results.size())
      return std::nullopt;
    for (auto [i, type] : llvm::enumerate(types.operands))
      for (int64_t d = 0; d < type.getRank(); ++d)
        link(i, d, i, d);
    return map;
  }
  if (name == "chlo.top_k") {
    for (unsigned r = 0; r < types.results.size(); ++r)
      for (int64_t d = 0; d + 1 < from.getRank(); ++d)
        link(0, d, r, d);
    return map;
  }
  return std::nullopt;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dim maps of StableHLO ops.

#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "moe/Dialect/Text/StableHLO/Text.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

namespace {

/// Ranked types of an op's operands and results, or null.
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
  // The number of elements before a dim, modulo 2^64 on both sides, and whether
  // the dynamic dim is among them.
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
                            name.getStringRef()) ||
         name.getStringRef() == kConstraintName;
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
      // A dim of size 1 may be broadcast; a dim of another size keeps its size.
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
  if (name == "stablehlo.optimization_barrier" || name == kConstraintName) {
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

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

std::optional<unsigned> moe::getStableHLOConcatDim(Operation *op) {
  Types types(op);
  auto dim = dyn_cast_or_null<IntegerAttr>(op->getAttr("dimension"));
  if (op->getName().getStringRef() != "stablehlo.concatenate" || !types.known ||
      types.operands.empty() || types.results.size() != 1 || !dim)
    return std::nullopt;
  int64_t rank = types.results[0].getRank();
  bool agrees = llvm::all_of(types.operands, [&](RankedTensorType type) {
    return type.getRank() == rank;
  });
  if (!agrees || dim.getInt() < 0 || dim.getInt() >= rank)
    return std::nullopt;
  return dim.getInt();
}

std::optional<StableHLOSlice> moe::getStableHLOSlice(Operation *op) {
  Types types(op);
  if (op->getName().getStringRef() != "stablehlo.slice" || !types.known ||
      types.operands.size() != 1 || types.results.size() != 1)
    return std::nullopt;
  auto starts = getInts(op, "start_indices"),
       limits = getInts(op, "limit_indices"), strides = getInts(op, "strides");
  RankedTensorType from = types.operands[0];
  if (!starts || !limits || !strides || from.getNumDynamicDims())
    return std::nullopt;
  size_t rank = from.getRank();
  if (starts->size() != rank || limits->size() != rank ||
      strides->size() != rank)
    return std::nullopt;
  for (size_t d = 0; d < rank; ++d)
    if ((*starts)[d] < 0 || (*starts)[d] > (*limits)[d] ||
        (*limits)[d] > from.getDimSize(d) || (*strides)[d] < 1)
      return std::nullopt;
  return StableHLOSlice{*starts, *limits, *strides};
}

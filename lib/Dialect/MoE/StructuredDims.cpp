// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dim maps of structured ops.

#include "StructuredDims.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace moe;

/// Returns the dim of an operand that only the given loop of the op iterates
/// over. Nullopt if there is none or there are several; sets `isClear` to false
/// if the loop is used for the operand in another way.
static std::optional<unsigned> findDim(AffineMap map, unsigned loop,
                                       bool &isClear) {
  std::optional<unsigned> found;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    isClear &= !found && isa<AffineDimExpr>(expr);
    found = dim;
  }
  return isClear ? found : std::nullopt;
}

std::optional<DimMap> moe::getStructuredDims(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics() ||
      structured.hasIndexSemantics() || !isMemoryEffectFree(op))
    return std::nullopt;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  if (!captured.empty())
    return std::nullopt;
  SmallVector<AffineMap> maps = structured.getIndexingMapsArray();
  unsigned firstInit = structured.getNumDpsInputs();
  DimMap dims;
  dims.isPartwise = true;
  for (auto [loop, kind] :
       llvm::enumerate(structured.getIteratorTypesArray())) {
    bool isClear = true;
    SmallVector<std::optional<unsigned>> found;
    for (AffineMap map : maps)
      found.push_back(findDim(map, loop, isClear));
    // Dims that a loop indexes in another way than one by one are touched.
    if (!isClear)
      continue;
    bool isCut = kind == utils::IteratorType::parallel &&
                 llvm::all_of(ArrayRef(found).drop_front(firstInit),
                              [](auto dim) { return dim.has_value(); });
    for (auto [operand, dim] : llvm::enumerate(found)) {
      if (!dim)
        continue;
      unsigned o = operand;
      if (!isCut) {
        dims.opaqueOperandDims.emplace_back(o, *dim);
        continue;
      }
      for (unsigned r = 0; r < op->getNumResults(); ++r)
        dims.links.push_back({o, *dim, r, *found[firstInit + r]});
    }
  }
  return dims;
}

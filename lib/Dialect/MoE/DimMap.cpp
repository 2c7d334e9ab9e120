// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mappings of operand dims to result dims.

#include "moe/Dialect/MoE/DimMap.h"
#include "Models.h"
#include "StructuredDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"

using namespace mlir;
using namespace moe;

std::optional<unsigned> DimMap::getResultDim(unsigned operand,
                                             unsigned operandDim,
                                             unsigned result) const {
  for (const DimLink &link : links)
    if (link.operand == operand && link.operandDim == operandDim &&
        link.result == result)
      return link.resultDim;
  return std::nullopt;
}

std::optional<unsigned> DimMap::getOperandDim(unsigned result,
                                              unsigned resultDim,
                                              unsigned operand) const {
  for (const DimLink &link : links)
    if (link.result == result && link.resultDim == resultDim &&
        link.operand == operand)
      return link.operandDim;
  return std::nullopt;
}

bool DimMap::isOpaqueOperandDim(unsigned operand, unsigned dim) const {
  return llvm::is_contained(opaqueOperandDims, std::pair(operand, dim));
}

bool DimMap::isOpaqueResultDim(unsigned result, unsigned dim) const {
  return llvm::is_contained(opaqueResultDims, std::pair(result, dim));
}

DimMap DimMap::elementwise(Operation *op) {
  DimMap map;
  for (auto [r, result] : llvm::enumerate(op->getResults())) {
    auto resultType = dyn_cast<RankedTensorType>(result.getType());
    if (!resultType)
      continue;
    for (auto [o, operand] : llvm::enumerate(op->getOperands())) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type || type.getRank() != resultType.getRank())
        continue;
      for (unsigned d = 0; d < type.getRank(); ++d)
        map.links.push_back(
            {static_cast<unsigned>(o), d, static_cast<unsigned>(r), d});
    }
  }
  return map;
}

/// Returns the links of a reshape: in each reassociation group, the one dim of
/// the same size on both sides, if all others are 1. `expands` selects the side
/// with the single dims.
static DimMap reshapeMap(RankedTensorType narrow, RankedTensorType wide,
                         ArrayRef<ReassociationIndices> groups, bool expands) {
  DimMap map;
  for (auto [single, group] : llvm::enumerate(groups)) {
    int64_t size = narrow.getDimSize(single);
    std::optional<unsigned> match;
    bool others = true;
    for (int64_t dim : group) {
      if (!match && wide.getDimSize(dim) == size &&
          !(size == 1 && dim != group.front()))
        match = dim;
      else
        others &= wide.getDimSize(dim) == 1;
    }
    if (!match || !others || ShapedType::isDynamic(size))
      continue;
    unsigned s = single;
    map.links.push_back(expands ? DimLink{0, s, 0, *match}
                                : DimLink{0, *match, 0, s});
  }
  return map;
}

/// Returns the links of the dims that a slice takes whole. `source` is the
/// larger tensor; `slice`, perhaps of lower rank, has the given sizes.
template <typename OpT>
static SmallVector<std::pair<unsigned, unsigned>>
wholeDims(OpT op, RankedTensorType source,
          const llvm::SmallBitVector &dropped) {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  unsigned sliceDim = 0;
  for (unsigned d = 0; d < source.getRank(); ++d) {
    if (dropped.test(d))
      continue;
    if (op.getStaticOffsets()[d] == 0 && op.getStaticStrides()[d] == 1 &&
        !source.isDynamicDim(d) &&
        op.getStaticSizes()[d] == source.getDimSize(d))
      pairs.emplace_back(d, sliceDim);
    ++sliceDim;
  }
  return pairs;
}

/// Returns a map with all dims of all ranked results opaque and one element
/// representing all.
static DimMap uniformResults(Operation *op) {
  DimMap map;
  map.isUniform = true;
  for (auto [r, result] : llvm::enumerate(op->getResults()))
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      for (unsigned d = 0; d < type.getRank(); ++d)
        map.opaqueResultDims.emplace_back(r, d);
  return map;
}

std::optional<DimMap> moe::getDimMap(Operation *op) {
  if (auto dimOp = dyn_cast<DimMapOpInterface>(op))
    return dimOp.getDimMap();
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return getStructuredDims(op);
  DimMap map = DimMap::elementwise(op);
  map.isPartwise = isMemoryEffectFree(op);
  return map;
}

bool moe::isStructuredOfParts(Operation *op) {
  return getStructuredDims(op).has_value();
}

//===----------------------------------------------------------------------===//
// Ops of other dialects
//===----------------------------------------------------------------------===//

namespace {

struct ConstantDims
    : public DimMapOpInterface::ExternalModel<ConstantDims, arith::ConstantOp> {
  DimMap getDimMap(Operation *op) const {
    auto dense =
        dyn_cast<DenseElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    return dense && dense.isSplat() ? uniformResults(op) : DimMap();
  }
};

template <typename OpT>
struct UniformDims
    : public DimMapOpInterface::ExternalModel<UniformDims<OpT>, OpT> {
  DimMap getDimMap(Operation *op) const { return uniformResults(op); }
};

struct CastDims
    : public DimMapOpInterface::ExternalModel<CastDims, tensor::CastOp> {
  DimMap getDimMap(Operation *op) const { return DimMap::elementwise(op); }
};

struct ExpandDims
    : public DimMapOpInterface::ExternalModel<ExpandDims,
                                              tensor::ExpandShapeOp> {
  DimMap getDimMap(Operation *op) const {
    auto reshape = cast<tensor::ExpandShapeOp>(op);
    return reshapeMap(reshape.getSrcType(), reshape.getResultType(),
                      reshape.getReassociationIndices(), true);
  }
};

struct CollapseDims
    : public DimMapOpInterface::ExternalModel<CollapseDims,
                                              tensor::CollapseShapeOp> {
  DimMap getDimMap(Operation *op) const {
    auto reshape = cast<tensor::CollapseShapeOp>(op);
    return reshapeMap(reshape.getResultType(), reshape.getSrcType(),
                      reshape.getReassociationIndices(), false);
  }
};

struct ExtractSliceDims
    : public DimMapOpInterface::ExternalModel<ExtractSliceDims,
                                              tensor::ExtractSliceOp> {
  DimMap getDimMap(Operation *op) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    DimMap map;
    for (auto [whole, part] :
         wholeDims(slice, slice.getSourceType(), slice.getDroppedDims()))
      map.links.push_back({0, whole, 0, part});
    return map;
  }
};

struct InsertSliceDims
    : public DimMapOpInterface::ExternalModel<InsertSliceDims,
                                              tensor::InsertSliceOp> {
  DimMap getDimMap(Operation *op) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    DimMap map;
    for (auto [whole, part] :
         wholeDims(insert, insert.getDestType(), insert.getDroppedDims())) {
      map.links.push_back({0, part, 0, whole});
      map.links.push_back({1, whole, 0, whole});
    }
    return map;
  }
};

} // namespace

void moe::attachDimMaps(MLIRContext &context) {
  arith::ConstantOp::attachInterface<ConstantDims>(context);
  tensor::EmptyOp::attachInterface<UniformDims<tensor::EmptyOp>>(context);
  tensor::SplatOp::attachInterface<UniformDims<tensor::SplatOp>>(context);
  tensor::CastOp::attachInterface<CastDims>(context);
  tensor::ExpandShapeOp::attachInterface<ExpandDims>(context);
  tensor::CollapseShapeOp::attachInterface<CollapseDims>(context);
  tensor::ExtractSliceOp::attachInterface<ExtractSliceDims>(context);
  tensor::InsertSliceOp::attachInterface<InsertSliceDims>(context);
}

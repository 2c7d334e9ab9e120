// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views that split one dim into two, or join two dims into one.

#include "moe/Dialect/MoE/DimViews.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace moe;

/// Returns the reassociation groups for a tensor with `rank` dims if `dim` is
/// split in two.
static SmallVector<ReassociationIndices> groupDims(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < rank; ++i) {
    groups.push_back({next++});
    if (i == dim)
      groups.back().push_back(next++);
  }
  return groups;
}

Value moe::cutDim(OpBuilder &builder, Location loc, Value value, int64_t dim,
                  int64_t first) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= first;
  shape.insert(shape.begin() + dim, first);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       groupDims(type.getRank(), dim));
}

Value moe::joinDim(OpBuilder &builder, Location loc, Value value, int64_t dim) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return tensor::CollapseShapeOp::create(builder, loc, value,
                                         groupDims(rank - 1, dim));
}

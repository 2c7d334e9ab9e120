// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of views and copies.

#include "TaskConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

static Place withMemref(Place place, Value memref) {
  return {cast<TypedValue<MemRefType>>(memref), place.buffer};
}

//===----------------------------------------------------------------------===//
// Parts of places
//===----------------------------------------------------------------------===//

Place TaskConverter::slice(Place place, unsigned dim, OpFoldResult offset,
                           int64_t size) {
  OpBuilder &builder = host.getBuilder();
  MemRefType type = place.getType();
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  for (int64_t extent : type.getShape())
    sizes.push_back(builder.getIndexAttr(extent));
  offsets[dim] = offset;
  sizes[dim] = builder.getIndexAttr(size);
  return withMemref(place, memref::SubViewOp::create(builder, loc, place.memref,
                                                     offsets, sizes, strides));
}

/// Returns true if only dims of size 1 move, so that elements keep their order.
static bool keepsOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  return llvm::all_of(permutation, [&](int64_t dim) {
    return shape[dim] == 1 || dim > std::exchange(last, dim);
  });
}

Place TaskConverter::permute(Place place, ArrayRef<int64_t> permutation) {
  if (permutation.empty())
    return place;
  OpBuilder &builder = host.getBuilder();
  ArrayRef<int64_t> shape = place.getType().getShape();
  if (place.isPlain() && shape.size() > 1 && keepsOrder(shape, permutation)) {
    // Equivalent to a reshape with a plain result, too.
    SmallVector<ReassociationIndices> all{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, shape.size()))};
    auto line =
        memref::CollapseShapeOp::create(builder, loc, place.memref, all);
    SmallVector<int64_t> permuted;
    for (int64_t dim : permutation)
      permuted.push_back(shape[dim]);
    return withMemref(place, memref::ExpandShapeOp::create(
                                 builder, loc, permuted, line, all));
  }
  auto map = AffineMap::getPermutationMap(permutation, builder.getContext());
  return withMemref(place,
                    memref::TransposeOp::create(builder, loc, place.memref,
                                                AffineMapAttr::get(map)));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool TaskConverter::isView(Operation *op) {
  if (isa<TransposeOp>(op))
    return true;
  bool isStatic = llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
  if (!isStatic)
    return false;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice.getSourceType().hasStaticShape() ||
        !slice.getOffsets().empty() || !slice.getStrides().empty())
      return false;
  } else if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    return false;
  }
  if (!cast<RankedTensorType>(op->getOperand(0).getType()).hasStaticShape())
    return false;
  // If other upstream ops read the result, it is cheaper to compute it in their
  // body.
  return llvm::any_of(op->getResult(0).getUsers(), [&](Operation *user) {
    return isa_and_nonnull<MoEDialect>(user->getDialect()) || isView(user);
  });
}

LogicalResult TaskConverter::convertView(Operation *op) {
  OpBuilder &builder = host.getBuilder();
  FailureOr<Place> source = getView(op->getOperand(0));
  if (failed(source))
    return failure();
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  Place place = *source;
  llvm::TypeSwitch<Operation *>(op)
      .Case(
          [&](TransposeOp op) { place = permute(place, op.getPermutation()); })
      .Case([&](tensor::ExtractSliceOp op) {
        auto viewType = memref::SubViewOp::inferRankReducedResultType(
            type.getShape(), place.getType(), op.getStaticOffsets(),
            op.getStaticSizes(), op.getStaticStrides());
        place =
            withMemref(place, memref::SubViewOp::create(
                                  builder, loc, viewType, place.memref,
                                  op.getStaticOffsets(), op.getStaticSizes(),
                                  op.getStaticStrides()));
      })
      .Case([&](tensor::ExpandShapeOp op) {
        place =
            withMemref(place, memref::ExpandShapeOp::create(
                                  builder, loc, type.getShape(), place.memref,
                                  op.getReassociationIndices()));
      })
      .Case([&](tensor::CollapseShapeOp op) {
        if (!memref::CollapseShapeOp::isGuaranteedCollapsible(
                place.getType(), op.getReassociationIndices()))
          place = makePlain(place);
        place = withMemref(place, memref::CollapseShapeOp::create(
                                      builder, loc, place.memref,
                                      op.getReassociationIndices()));
      });
  auto target = targets.find(result);
  if (target != targets.end()) {
    host.copy(loc, stream, place, target->second);
    place = target->second;
  }
  places[result] = place;
  return success();
}

LogicalResult TaskConverter::convertDrop(DropOp op) {
  FailureOr<Place> source = getView(op.getOperand());
  FailureOr<int64_t> parts = op.getGroup().getGroupSize(op);
  if (failed(source) || failed(parts))
    return failure();
  int64_t size = source->getType().getDimSize(op.getDim()) / *parts;
  OpBuilder &builder = host.getBuilder();
  Value offset = arith::MulIOp::create(
      builder, loc, host.getGroupRank(loc, op.getGroup()), host.getIndex(size));
  Place part = slice(*source, op.getDim(), offset, size);
  auto target = targets.find(op.getResult());
  if (target != targets.end()) {
    host.copy(loc, stream, part, target->second);
    part = target->second;
  }
  places[op.getResult()] = part;
  return success();
}

LogicalResult TaskConverter::convertAssemble(AssembleOp op) {
  FailureOr<Place> result = createResult(op.getResult());
  if (failed(result))
    return failure();
  int64_t offset = 0;
  for (Value value : op.getParts()) {
    FailureOr<Place> part = getView(value);
    if (failed(part))
      return failure();
    int64_t size = part->getType().getDimSize(op.getDim());
    if (size == 0)
      continue;
    Place place = slice(*result, op.getDim(),
                        host.getBuilder().getIndexAttr(offset), size);
    host.copy(loc, stream, *part, place);
    offset += size;
  }
  places[op.getResult()] = *result;
  return success();
}

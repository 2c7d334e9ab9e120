// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution times of ops that move data.
//
// Ops that move data count the bytes of their results, which are read and
// written once. Collectives use contiguous buffers (SPEC MO-10); all other ops
// read and write strided memory in place. Therefore cutting out a chunk and
// joining chunks take no time, except for a copy if the chunk is not contiguous
// and a collective reads or writes it, or if it is only handed out.

#include "ExpertRows.h"
#include "Models.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

/// Returns true if `value` must be a buffer of its own, because a collective
/// uses it or a task hands it out. All other ops read and write strided memory.
static bool needsBuffer(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isReshape(user))
      return needsBuffer(user->getResult(0));
    return isa<CollectiveOpInterface, YieldOp>(user);
  });
}

/// Returns true if a slice is one piece of memory: it takes all elements of
/// every dim after the first dim with more than one.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  bool isCut = false;
  for (auto [size, whole, stride] :
       llvm::zip_equal(slice.getStaticSizes(), slice.getSourceType().getShape(),
                       slice.getStaticStrides())) {
    if (ShapedType::isDynamic(size) || stride != 1 || (isCut && size != whole))
      return false;
    isCut |= size != 1;
  }
  return true;
}

/// Returns the bytes of an assemble's parts that their producers cannot write
/// in place, because a collective writes contiguous buffers.
static FailureOr<cost::Bytes> getMovedParts(AssembleOp op) {
  cost::Bytes moved(0);
  if (isOutermost(cast<RankedTensorType>(op.getType()), op.getDim()))
    return moved;
  for (Value part : op.getParts()) {
    Value maker = part;
    if (auto task = maker.getDefiningOp<TaskOp>())
      maker = task.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(maker).getResultNumber());
    while (isReshape(maker.getDefiningOp()))
      maker = maker.getDefiningOp()->getOperand(0);
    Operation *made = maker.getDefiningOp();
    if (made && !isa<CollectiveOpInterface, tensor::ExtractSliceOp>(made))
      continue;
    FailureOr<cost::Bytes> bytes = getStaticBytes(op, part);
    if (failed(bytes))
      return failure();
    moved += *bytes;
  }
  return moved;
}

namespace {

/// An op that takes no time because its result exists already.
template <typename OpT, cost::Resource resource>
struct FreeModel
    : public CostOpInterface::ExternalModel<FreeModel<OpT, resource>, OpT> {
  FailureOr<cost::Microseconds> getTime(Operation *, CostContext &) const {
    return cost::Microseconds(0);
  }
  cost::Resource getResource(Operation *) const { return resource; }
};
template <typename OpT> using FreeView = FreeModel<OpT, cost::Resource::Copy>;
template <typename OpT>
using FreeCompute = FreeModel<OpT, cost::Resource::Compute>;

/// A copy of the results.
template <typename OpT, cost::Resource resource>
struct CopyModel
    : public CostOpInterface::ExternalModel<CopyModel<OpT, resource>, OpT> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    FailureOr<cost::Bytes> moved = getResultBytes(op);
    if (failed(moved))
      return failure();
    return getCopyTime(op, context, *moved);
  }
  cost::Resource getResource(Operation *) const { return resource; }
};
template <typename OpT> using Copy = CopyModel<OpT, cost::Resource::Copy>;
/// A copy by a kernel.
template <typename OpT>
using ComputeCopy = CopyModel<OpT, cost::Resource::Compute>;

/// Rows that are sorted by experts or filled with gradients. If tokens are sent
/// once per node, only the rows for the experts of that node count.
template <typename OpT>
struct RowsModel : public CostOpInterface::ExternalModel<RowsModel<OpT>, OpT> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    FailureOr<cost::Bytes> moved = getResultBytes(op);
    FailureOr<double> share =
        getShareOfNode(op, op->getOperand(0), /*ofCopies=*/true, context);
    if (failed(moved) || failed(share))
      return failure();
    return getCopyTime(op, context, cost::Bytes(moved->value() * *share));
  }
  cost::Resource getResource(Operation *) const {
    return cost::Resource::Compute;
  }
};

struct SliceModel
    : public CostOpInterface::ExternalModel<SliceModel,
                                            tensor::ExtractSliceOp> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    if (isContiguous(slice) || !needsBuffer(slice))
      return cost::Microseconds(0);
    FailureOr<cost::Bytes> moved = getResultBytes(op);
    if (failed(moved))
      return failure();
    return getCopyTime(op, context, *moved);
  }
  cost::Resource getResource(Operation *) const { return cost::Resource::Copy; }
};

struct AssembleModel
    : public CostOpInterface::ExternalModel<AssembleModel, AssembleOp> {
  FailureOr<cost::Microseconds> getTime(Operation *op,
                                        CostContext &context) const {
    FailureOr<cost::Bytes> moved = getMovedParts(cast<AssembleOp>(op));
    if (failed(moved))
      return failure();
    return getCopyTime(op, context, *moved);
  }
  cost::Resource getResource(Operation *) const { return cost::Resource::Copy; }
};

template <template <typename> class Model, typename... OpTs>
void attachMovementModel(MLIRContext &context) {
  (OpTs::template attachInterface<Model<OpTs>>(context), ...);
}

} // namespace

void moe::attachMovementCosts(MLIRContext &context) {
  attachMovementModel<FreeCompute, YieldOp, HookOp, GroupRankOp>(context);
  attachMovementModel<FreeView, tensor::EmptyOp, tensor::ExpandShapeOp,
                      tensor::CollapseShapeOp>(context);
  attachMovementModel<Copy, DropOp, TransposeOp>(context);
  attachMovementModel<ComputeCopy, ExpertCountsOp, RaggedPlanOp,
                      DistinctNodesOp, NodePlanOp, LimitChoicesOp, QuantizeOp,
                      DequantizeOp>(context);
  attachMovementModel<RowsModel, PermuteRowsOp, ScatterOp>(context);
  AssembleOp::attachInterface<AssembleModel>(context);
  tensor::ExtractSliceOp::attachInterface<SliceModel>(context);
  attachMovementModel<
      Copy, tensor::BitcastOp, tensor::CastOp, tensor::ConcatOp, tensor::DimOp,
      tensor::ExtractOp, tensor::FromElementsOp, tensor::GatherOp,
      tensor::GenerateOp, tensor::InsertOp, tensor::InsertSliceOp,
      tensor::PadOp, tensor::ParallelInsertSliceOp, tensor::RankOp,
      tensor::ReshapeOp, tensor::ScatterOp, tensor::SplatOp, tensor::YieldOp>(
      context);
}

//===- Volumes.cpp - Bytes that collectives send ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Analysis/Volumes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

std::optional<int64_t> CollectiveVolume::getTotalBytes() const {
  int64_t total;
  if (!bytes || llvm::MulOverflow(*bytes, times, total))
    return std::nullopt;
  return total;
}

/// True when dim `dim` of `value` is the chunk of a pipeline in whose region
/// the value is: it comes one to one from the dim a region argument is cut
/// along.
static bool isChunkDim(Value value, int64_t dim, PipelineOp pipeline) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParentOp() == pipeline &&
           pipeline.getSplitDims()[argument.getArgNumber()] == dim;
  Operation *op = value.getDefiningOp();
  // A dim that a reshape neither cuts nor joins, of whatever size.
  auto throughReshape = [&](auto reshape, bool expands) -> bool {
    for (auto [single, group] :
         llvm::enumerate(reshape.getReassociationIndices()))
      if (group.size() == 1 &&
          (expands ? group.front() : static_cast<int64_t>(single)) == dim)
        return isChunkDim(
            reshape.getSrc(),
            expands ? static_cast<int64_t>(single) : group.front(), pipeline);
    return false;
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return throughReshape(expand, true);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return throughReshape(collapse, false);
  std::optional<DimMap> map = getDimMap(op);
  if (!map)
    return false;
  unsigned result = cast<OpResult>(value).getResultNumber();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (std::optional<unsigned> from = map->getOperandDim(result, dim, i))
      return isChunkDim(operand, *from, pipeline);
  return false;
}

/// Bytes that one execution sends when chunks have `size` elements (SPEC
/// CC-2); nullopt when another dim of the buffer is dynamic too.
static std::optional<int64_t> getChunkBytes(CollectiveOpInterface op,
                                            PipelineOp pipeline, int64_t size) {
  bool isGather = op.getCollectiveKind() == CollectiveKind::AllGather;
  Value buffer = isGather ? op->getResult(0) : op->getOperand(0);
  auto type = cast<RankedTensorType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(extent)) {
      if (!isChunkDim(buffer, dim, pipeline))
        return std::nullopt;
      extent = size;
    }
  FailureOr<int64_t> bytes = getTensorBytes(
      RankedTensorType::get(shape, type.getElementType(), type.getEncoding()));
  FailureOr<int64_t> ranks = op.getGroup().getGroupSize(op);
  if (failed(bytes) || failed(ranks) || *ranks < 1)
    return std::nullopt;
  switch (op.getCollectiveKind()) {
  case CollectiveKind::AllToAll:
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
    return *bytes - *bytes / *ranks;
  case CollectiveKind::AllReduce: {
    int64_t twice;
    if (llvm::MulOverflow(*bytes, int64_t(2), twice))
      return std::nullopt;
    return twice - twice / *ranks;
  }
  case CollectiveKind::RaggedAllToAll:
    return *ranks == 1 ? 0 : *bytes;
  }
  llvm_unreachable("unknown collective");
}

/// Splits the volume of an op in a pipeline whose chunks differ in size into
/// one for each size. Leaves it alone, bytes unknown, in nested ones.
static void addChunks(CollectiveVolume volume, PipelineOp pipeline,
                      SmallVectorImpl<CollectiveVolume> &volumes) {
  llvm::MapVector<int64_t, int64_t> counts;
  for (int64_t size : pipeline.getChunkSizes())
    ++counts[size];
  int64_t around = volume.times / static_cast<int64_t>(pipeline.getDegree());
  SmallVector<CollectiveVolume> parts;
  for (auto [size, count] : counts) {
    CollectiveVolume &part = parts.emplace_back(volume);
    part.bytes =
        getChunkBytes(cast<CollectiveOpInterface>(volume.op), pipeline, size);
    if (!part.bytes) {
      volumes.push_back(volume);
      return;
    }
    part.times = around * count;
  }
  llvm::append_range(volumes, parts);
}

/// Multiplies the trip counts of the loops around the op into `times` and
/// loosens the bound where the count is not known.
static void countExecutions(CollectiveVolume &volume) {
  for (Operation *parent = volume.op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      if (trips && trips->getActiveBits() < 63 &&
          !llvm::MulOverflow(volume.times,
                             static_cast<int64_t>(trips->getZExtValue()),
                             volume.times))
        continue;
      volume.bound = VolumeBound::PerIteration;
    } else if (auto pipeline = dyn_cast<PipelineOp>(parent)) {
      // Once a chunk.
      if (llvm::MulOverflow(volume.times, pipeline.getDegree(), volume.times))
        volume.bound = VolumeBound::PerIteration;
    } else if (isa<LayerOp, ScheduleOp, TaskOp>(parent)) {
      continue;
    } else if (isa<RegionBranchOpInterface>(parent) &&
               volume.bound == VolumeBound::Exact) {
      volume.bound = VolumeBound::Upper;
    }
  }
}

SmallVector<CollectiveVolume> moe::computeVolumes(Operation *root) {
  SmallVector<CollectiveVolume> volumes;
  root->walk<WalkOrder::PreOrder>([&](CollectiveOpInterface collective) {
    CollectiveVolume volume{collective,
                            /*function=*/{},
                            /*layer=*/{},
                            /*phase=*/{},
                            collective.getCollectiveKind(),
                            /*axes=*/"replica_groups",
                            /*bytes=*/std::nullopt,
                            /*times=*/1,
                            VolumeBound::Exact};
    if (auto function = collective->getParentOfType<FunctionOpInterface>())
      volume.function = SymbolTable::getSymbolName(function).getValue();
    if (auto layer = collective->getParentOfType<LayerOp>()) {
      volume.layer = layer.getName();
      volume.phase = stringifyPhase(layer.getPhase());
    } else if (auto task = collective->getParentOfType<TaskOp>()) {
      volume.layer = task.getLayer();
      volume.phase = stringifyPhase(task.getPhase());
    }
    if (auto names = collective.getGroup().getAxisNames())
      volume.axes = llvm::join(*names, "+");
    FailureOr<int64_t> bytes = collective.getSendBytes();
    if (succeeded(bytes))
      volume.bytes = *bytes;
    if (volume.kind == CollectiveKind::RaggedAllToAll)
      volume.bound = VolumeBound::Upper;
    countExecutions(volume);
    auto pipeline = collective->getParentOfType<PipelineOp>();
    if (!volume.bytes && pipeline && volume.bound != VolumeBound::PerIteration)
      addChunks(std::move(volume), pipeline, volumes);
    else
      volumes.push_back(std::move(volume));
  });
  return volumes;
}

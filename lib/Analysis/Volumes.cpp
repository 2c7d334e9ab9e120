//===- Volumes.cpp - Bytes that collectives send ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Analysis/Volumes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "moe/IR/MoEOps.h"
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
      // Once a chunk; the bytes are unknown where chunks differ in size.
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
    volumes.push_back(std::move(volume));
  });
  return volumes;
}

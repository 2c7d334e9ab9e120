//===- PlanSpace.cpp - The axes of a compile plan ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSpace.h"

using namespace moe;

llvm::ArrayRef<const PlanAxis *> moe::listPlanAxes() {
  static const PlanAxis *const axes[] = {&getPaddingAxis(), &getSubBatchAxis(),
                                         &getSubBatchPlanAxis(),
                                         &getScheduleAxis(),
                                         &getNodeDedupAxis()};
  return axes;
}

llvm::ArrayRef<const PlanAxis *> moe::listFinishedPlanAxes() {
  static const PlanAxis *const axes[] = {&getWireTypeAxis()};
  return axes;
}

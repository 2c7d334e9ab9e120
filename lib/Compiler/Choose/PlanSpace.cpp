// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes of a compile plan.

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
  static const PlanAxis *const axes[] = {&getProductsAxis(),
                                         &getWireTypeAxis()};
  return axes;
}

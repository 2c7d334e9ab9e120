// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes of a compile plan.

#include "PlanSpace.h"
#include "llvm/Support/Compiler.h"

using namespace moe;

// Not inlined, so that a trace of calls shows it (test/docs/lives.test).
LLVM_ATTRIBUTE_NOINLINE llvm::ArrayRef<const PlanAxis *> moe::listPlanAxes() {
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

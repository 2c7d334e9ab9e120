// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base of our passes.

#ifndef MOE_SUPPORT_PASSBASE_TD
#define MOE_SUPPORT_PASSBASE_TD

include "mlir/Pass/PassBase.td"

/// A pass on an op, whose options may be given once.
class MoEPass<string argument, string operation>
    : PassBase<argument, "::moe::MoEPass<" # operation # ">">;

#endif // MOE_SUPPORT_PASSBASE_TD

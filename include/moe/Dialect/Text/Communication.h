// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication in ops of other dialects.

#ifndef MOE_DIALECT_TEXT_COMMUNICATION_H
#define MOE_DIALECT_TEXT_COMMUNICATION_H

#include "mlir/IR/Operation.h"
#include <string>

namespace moe {

/// Returns the name of an op that, judged by this name alone, sends data to
/// other ranks, but with unknown traffic (no `ExchangeOpInterface`). Such an op
/// is a collective of StableHLO, Shardy, PyTorch, `shard` or `mpi` that no pass
/// has read, or a custom call, a composite without a decomposition or a PyTorch
/// function of another library with such a name, for example `deepep_dispatch`.
/// Empty for all other ops. The name of a custom call is its target, and the
/// name of a `torch.operator` is the function that it calls.
///
/// Volumes list these ops as unread, simulations reject them, and the passes
/// that read communication warn about the ops that they leave.
llvm::StringRef getUnreadCommunication(mlir::Operation *op);

/// Returns the first such op in `root` without a stated time (`moe.time_us`) on
/// itself or on an op around it; null if there is none.
mlir::Operation *findUntimedCommunication(mlir::Operation *root);

/// Emits one warning for each kind of such ops below `root`, at the first of
/// them, with the number of ops and the reason that `getReason` returns for it;
/// empty reasons are left out. Passes that read communication must call it.
void warnOfUnreadCommunication(
    mlir::Operation *root,
    llvm::function_ref<std::string(mlir::Operation *)> getReason);

} // namespace moe

#endif // MOE_DIALECT_TEXT_COMMUNICATION_H

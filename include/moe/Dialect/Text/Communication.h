// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of others that communicate.

#ifndef MOE_DIALECT_TEXT_COMMUNICATION_H
#define MOE_DIALECT_TEXT_COMMUNICATION_H

#include "mlir/IR/Operation.h"
#include <string>

namespace moe {

/// The name of an op that, by its name alone, sends data to other ranks, and
/// whose traffic is not known (no `ExchangeOpInterface`): a collective of
/// StableHLO, Shardy, PyTorch, `shard` or `mpi` that nothing has read, or a
/// custom call, a composite without a decomposition or a PyTorch function of
/// another library that is named like one, for example `deepep_dispatch`. Empty
/// for all other ops. The name of a custom call is its target, and the name of
/// a `torch.operator` is the function that it calls.
///
/// Volumes list these ops as unread, simulations refuse them, and the passes
/// that read communication warn about the ops that they leave.
llvm::StringRef getUnreadCommunication(mlir::Operation *op);

/// The first such op in `root` without a stated time (`moe.time_us`), on itself
/// or on an op around it; null if there is none.
mlir::Operation *findUntimedCommunication(mlir::Operation *root);

/// Emits one warning for each kind of such ops below `root`, at the first of
/// them, with the number of ops and the reason that `getReason` gives for it;
/// empty reasons are left out. To be called by passes that read communication.
void warnOfUnreadCommunication(
    mlir::Operation *root,
    llvm::function_ref<std::string(mlir::Operation *)> getReason);

} // namespace moe

#endif // MOE_DIALECT_TEXT_COMMUNICATION_H

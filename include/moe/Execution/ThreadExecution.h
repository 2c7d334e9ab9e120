// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs on threads of this process.

#ifndef MOE_EXECUTION_THREADEXECUTION_H
#define MOE_EXECUTION_THREADEXECUTION_H

#include "moe/Execution/CompiledProgram.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"
#include <functional>

namespace moe {

/// What threads of this process can be ranks of.
enum class ThreadBackend {
  /// The runtime's backend `host`.
  Host,
  /// Its backend `nccl` on the stand-ins, which have been loaded
  /// (`loadStandIns`). Programs are compiled as for GPUs, and their arguments
  /// and results are in the memory of a device.
  NcclStandIns
};

struct ThreadExecutionOptions {
  ThreadBackend backend = ThreadBackend::Host;
  /// Longest wait of a rank for another, in microseconds, at least 1, or
  /// MOERT_DEADLINE_DEFAULT for the backend's own.
  int64_t deadlineUs = MOERT_DEADLINE_DEFAULT;
  /// With NcclStandIns.
  NcclOptions nccl;
  /// Called by each rank, on its thread, when it has joined; may be empty.
  std::function<std::optional<cost::Failure>(Job &)> onJoined;
};

/// Compiles a program in this process and executes it, a thread for each rank.
/// Arguments are drawn by `domain`, a value domain, as for `execute`, and
/// results come back as cells. Emits an error that names a rank and the cause,
/// and fails, when compiling or any rank does; all ranks have ended then.
mlir::FailureOr<std::vector<RankTensors>>
executeOnThreads(const Program &program, Domain &domain, MemoryBudget &budget,
                 const ThreadExecutionOptions &options);

/// The same, `repeats` times after one that warms up, for the time it takes:
/// of a program that was compiled to be recorded.
mlir::FailureOr<Measurement>
measureOnThreads(const Program &program, const CompiledProgram &compiled,
                 Domain &domain, MemoryBudget &budget, int64_t repeats,
                 const ThreadExecutionOptions &options);

} // namespace moe

#endif // MOE_EXECUTION_THREADEXECUTION_H

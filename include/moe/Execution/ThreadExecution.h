// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs on threads of this process.

#ifndef MOE_EXECUTION_THREADEXECUTION_H
#define MOE_EXECUTION_THREADEXECUTION_H

#include "moe/Execution/CompiledProgram.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"
#include <functional>

namespace moe {

enum class ThreadBackend {
  Host,
  /// The runtime's backend `nccl` on the stand-ins, which must have been loaded
  /// (`loadStandIns`). Programs are compiled as for GPUs, and their arguments
  /// and results are in device memory.
  NcclStandIns
};

struct ThreadExecutionOptions {
  ThreadBackend backend = ThreadBackend::Host;
  /// The longest time that ranks wait for each other, in microseconds, at least
  /// 1, or MOERT_DEADLINE_DEFAULT for the default of the backend.
  int64_t deadlineUs = MOERT_DEADLINE_DEFAULT;
  /// Only used with NcclStandIns.
  NcclOptions nccl;
  /// Called by each rank, on its thread, after it has joined the job; may be
  /// empty.
  std::function<std::optional<cost::Failure>(Job &)> onJoined;
};

/// Compiles a program in this process and executes it with one thread per rank.
/// `domain`, a value domain, draws the arguments as for `execute`, and results
/// are returned as cells. If compilation or any rank fails, emits an error that
/// names the rank and the cause, and fails after all ranks have ended.
mlir::FailureOr<std::vector<RankTensors>>
executeOnThreads(const Program &program, Domain &domain, MemoryBudget &budget,
                 const ThreadExecutionOptions &options);

/// Executes a program that was compiled to be recorded once as a warm-up and
/// then `repeats` times, and returns the times. Draws the arguments and fails
/// like `executeOnThreads`.
mlir::FailureOr<Measurement>
measureOnThreads(const Program &program, const CompiledProgram &compiled,
                 Domain &domain, MemoryBudget &budget, int64_t repeats,
                 const ThreadExecutionOptions &options);

} // namespace moe

#endif // MOE_EXECUTION_THREADEXECUTION_H

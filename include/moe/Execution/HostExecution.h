//===- HostExecution.h - Programs on the runtime's threads ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_EXECUTION_HOSTEXECUTION_H
#define MOE_EXECUTION_HOSTEXECUTION_H

#include "moe/Execution/CompiledProgram.h"
#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"
#include <functional>

namespace moe {

struct HostExecutionOptions {
  /// Longest wait of a rank for another, in microseconds, at least 1.
  int64_t deadlineUs = 60'000'000;
  /// Called by each rank, on its thread, when it has joined; may be empty.
  std::function<std::optional<cost::Failure>(Job &)> onJoined;
};

/// Compiles a program in this process and executes it on the runtime's backend
/// `host`, a thread for each rank. Arguments are drawn by `domain`, a value
/// domain, as for `execute`, and results come back as cells. Emits an error
/// that names a rank and the cause, and fails, when compiling or any rank
/// does; all ranks have ended then.
mlir::FailureOr<std::vector<RankTensors>>
executeOnHost(const Program &program, Domain &domain, MemoryBudget &budget,
              const HostExecutionOptions &options);

/// The same, `repeats` times after one that warms up, for the time it takes:
/// of a program that was compiled to be recorded.
mlir::FailureOr<Measurement> measureOnHost(const Program &program,
                                           const CompiledProgram &compiled,
                                           Domain &domain, MemoryBudget &budget,
                                           int64_t repeats,
                                           const HostExecutionOptions &options);

} // namespace moe

#endif // MOE_EXECUTION_HOSTEXECUTION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program on all ranks in lock step.

#ifndef MOE_INTERPRETER_EXECUTOR_H
#define MOE_INTERPRETER_EXECUTOR_H

#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"

namespace moe {

/// Executes the entry function of a program on all its ranks, op by op, every
/// rank at the same op; ranks that take different ways in control flow wait
/// for each other where the ways meet. The result is one entry per function
/// result. Emits an error at an op and fails when
/// - a collective is reached by some ranks of a group only,
/// - shapes, sizes or offsets that must agree do not,
/// - an op has no reference semantics or an undefined result,
/// - the budget does not allow what an op makes, or it never ends.
///
/// `collapse` tells by how much dims are shrunk, null for not at all. Tensors
/// hold on to the budget and must not outlive it.
mlir::FailureOr<std::vector<RankTensors>> execute(const Program &program,
                                                  Domain &domain,
                                                  MemoryBudget &budget,
                                                  const Collapse *collapse);

} // namespace moe

#endif // MOE_INTERPRETER_EXECUTOR_H

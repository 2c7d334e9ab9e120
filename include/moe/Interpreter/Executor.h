// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program on all ranks in lock step.

#ifndef MOE_INTERPRETER_EXECUTOR_H
#define MOE_INTERPRETER_EXECUTOR_H

#include "moe/Interpreter/Domain.h"
#include "moe/Interpreter/Program.h"

namespace moe {

/// Executes the entry function of a program on all its ranks, op by op, so that
/// all ranks execute the same op. Ranks that take different branches of control
/// flow wait for each other where the branches join. Returns one entry per
/// function result. Emits an error at an op and fails if
/// - only some ranks of a group reach a collective,
/// - shapes, sizes or offsets that must agree do not,
/// - an op has no reference semantics or an undefined result,
/// - an op needs more memory than the budget has, or execution does not end.
///
/// `collapse` gives the factor of each dim to shrink; null shrinks none.
/// Tensors keep a reference to the budget and must not outlive it.
mlir::FailureOr<std::vector<RankTensors>> execute(const Program &program,
                                                  Domain &domain,
                                                  MemoryBudget &budget,
                                                  const Collapse *collapse);

} // namespace moe

#endif // MOE_INTERPRETER_EXECUTOR_H

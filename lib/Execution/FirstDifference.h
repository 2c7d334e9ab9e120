// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who says where results differ.

#ifndef MOE_LIB_EXECUTION_FIRSTDIFFERENCE_H
#define MOE_LIB_EXECUTION_FIRSTDIFFERENCE_H

#include "mlir/IR/TypeRange.h"
#include "moe/Execution/Job.h"
#include "moe/Interpreter/Interpreter.h"

namespace moe::run {

/// What the rank prints that has the first of all differences; nothing when
/// there is none. All ranks call it, each with the first one of its own.
cost::Result<std::optional<std::string>>
tellFirst(Job &job, const std::optional<Difference> &own,
          llvm::function_ref<void(llvm::raw_ostream &)> print);

/// The same of the greatest difference that a tolerance lets pass; nothing
/// where none is let pass.
cost::Result<std::optional<std::string>>
tellGreatest(Job &job, const Tolerance &tolerance, mlir::TypeRange types,
             const std::vector<RankTensors> &got,
             const std::vector<RankTensors> &expected,
             llvm::ArrayRef<double> magnitudes);

/// What `compare` says of results that differ bit for bit where all ranks' are
/// within rounding; empty where some are not.
cost::Result<std::string>
tellRounding(Job &job, mlir::TypeRange types,
             const std::vector<RankTensors> &got,
             const std::vector<RankTensors> &expected,
             llvm::ArrayRef<double> magnitudes);

} // namespace moe::run

#endif // MOE_LIB_EXECUTION_FIRSTDIFFERENCE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the first difference of results over all ranks.

#ifndef MOE_LIB_EXECUTION_FIRSTDIFFERENCE_H
#define MOE_LIB_EXECUTION_FIRSTDIFFERENCE_H

#include "mlir/IR/TypeRange.h"
#include "moe/Execution/Job.h"
#include "moe/Interpreter/Interpreter.h"

namespace moe::run {

/// Returns the text that `print` writes on the rank with the first of all
/// differences; nullopt if there is none. All ranks must call it with their own
/// first difference.
cost::Result<std::optional<std::string>>
tellFirst(Job &job, const std::optional<Difference> &own,
          llvm::function_ref<void(llvm::raw_ostream &)> print);

/// Returns the text of the greatest difference that the tolerance allows;
/// nullopt if the tolerance is exact.
cost::Result<std::optional<std::string>>
tellGreatest(Job &job, const Tolerance &tolerance, mlir::TypeRange types,
             const std::vector<RankTensors> &got,
             const std::vector<RankTensors> &expected,
             llvm::ArrayRef<double> magnitudes);

/// Returns the note of `compare` for results that differ bit for bit, if the
/// results of all ranks are within rounding; otherwise empty.
cost::Result<std::string>
tellRounding(Job &job, mlir::TypeRange types,
             const std::vector<RankTensors> &got,
             const std::vector<RankTensors> &expected,
             llvm::ArrayRef<double> magnitudes);

} // namespace moe::run

#endif // MOE_LIB_EXECUTION_FIRSTDIFFERENCE_H

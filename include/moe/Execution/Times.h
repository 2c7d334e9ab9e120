// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the times of executions.

#ifndef MOE_EXECUTION_TIMES_H
#define MOE_EXECUTION_TIMES_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"
#include "moe/Execution/Timeline.h"
#include "moe/Interpreter/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace moe::run {

struct TimesOptions {
  /// Number of executions after the warm-up; 0 if only results are needed.
  int64_t repeats = 0;
  /// File for the timeline of the median execution; empty for none.
  std::string trace;
  /// Machine whose times are lower bounds on the times of operations.
  std::optional<cost::Machine> emulated;
};

/// Prints the times of executions and writes the trace. Fails if the trace
/// cannot be written.
std::optional<cost::Failure> reportTimes(llvm::raw_ostream &os,
                                         const TimesOptions &options,
                                         const Program &program,
                                         const std::string &backend,
                                         const Measurement &measurement,
                                         const std::vector<TaskLabel> &tasks);

} // namespace moe::run

#endif // MOE_EXECUTION_TIMES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What executions took.

#ifndef MOE_EXECUTION_TIMES_H
#define MOE_EXECUTION_TIMES_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"
#include "moe/Execution/Timeline.h"
#include "moe/Interpreter/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace moe::run {

/// What is to be timed, and what becomes of it.
struct TimesOptions {
  /// Executions after one that warms up; 0 when only results are wanted.
  int64_t repeats = 0;
  /// Where the median execution's timeline goes; nowhere when empty.
  std::string trace;
  /// Operations take as long as on it, at least.
  std::optional<cost::Machine> emulated;
};

/// Prints what the executions took and writes the trace. Fails when that cannot
/// be written.
std::optional<cost::Failure> reportTimes(llvm::raw_ostream &os,
                                         const TimesOptions &options,
                                         const Program &program,
                                         const std::string &backend,
                                         const Measurement &measurement,
                                         const std::vector<TaskLabel> &tasks);

} // namespace moe::run

#endif // MOE_EXECUTION_TIMES_H

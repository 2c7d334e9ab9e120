// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the times of executions.

#include "moe/Execution/Times.h"
#include "moe/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace moe;
using namespace moe::run;

std::optional<cost::Failure>
moe::run::reportTimes(llvm::raw_ostream &os, const TimesOptions &options,
                      const Program &program, const std::string &backend,
                      const Measurement &measurement,
                      const std::vector<TaskLabel> &tasks) {
  std::vector<double> sorted = measurement.makespansUs;
  llvm::sort(sorted);
  os << backend << ": " << program.getNumRanks() << " ranks, " << sorted.size()
     << (sorted.size() == 1 ? " execution" : " executions")
     << " after one to warm up";
  if (options.emulated)
    os << ", operations at least as long as on " << options.emulated->name;
  os << "\n"
     << llvm::format(
            "makespan_us: median %.3f min %.3f max %.3f\n",
            measurement
                .makespansUs[Measurement::findMedian(measurement.makespansUs)],
            sorted.front(), sorted.back());
  if (options.trace.empty())
    return std::nullopt;
  return support::writeOutputFile(options.trace, [&](llvm::raw_ostream &file) {
    printTrace(file, measurement.ranks, tasks, program.getFile().str(),
               backend);
  });
}

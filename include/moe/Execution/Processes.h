// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs with one process per rank.

#ifndef MOE_EXECUTION_PROCESSES_H
#define MOE_EXECUTION_PROCESSES_H

#include "moe/Execution/Devices.h"
#include "moe/Execution/Job.h"
#include "moe/Execution/Programs.h"
#include "moe/Execution/Times.h"
#include "moe/Interpreter/Interpreter.h"

namespace moe::run {

struct ProcessOptions {
  /// Name of the tool in messages.
  std::string tool;
  /// The runtime's backend: `mpi` or `nccl`.
  std::string backend;
  /// Values of the command line; by default the launcher's environment
  /// variables are used.
  std::optional<int32_t> rank, worldSize;
  std::string address;
  /// In microseconds, or MOERT_DEADLINE_DEFAULT for the default of the backend.
  int64_t deadlineUs = 0;
  /// Only used with `nccl`.
  NcclOptions nccl;
  /// Returns the reason why an output file cannot be written; empty if all can.
  /// Rank 0, which writes the files, calls it first.
  std::function<std::string()> checkOutputs;
};

/// Executes one rank of the programs in this process, together with the other
/// processes of the job. Rank 0 prints results and times to `out`. All
/// processes return the same exit code. `devices` may be null.
int runOnProcesses(const ProcessOptions &options, const Inputs &inputs,
                   const InterpreterOptions &interpreter,
                   const TimesOptions &times, Devices *devices,
                   mlir::MLIRContext &context, llvm::raw_ostream &out);

} // namespace moe::run

#endif // MOE_EXECUTION_PROCESSES_H

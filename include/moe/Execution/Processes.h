// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of which each process is a rank.

#ifndef MOE_EXECUTION_PROCESSES_H
#define MOE_EXECUTION_PROCESSES_H

#include "moe/Execution/Devices.h"
#include "moe/Execution/Job.h"
#include "moe/Execution/Programs.h"
#include "moe/Execution/Times.h"
#include "moe/Interpreter/Interpreter.h"

namespace moe::run {

/// Which of the job's processes this is.
struct ProcessOptions {
  /// Who speaks in messages.
  std::string tool;
  /// Of the runtime: `mpi` or `nccl`.
  std::string backend;
  /// What the command line says; the launcher's variables where it does not.
  std::optional<int32_t> rank, worldSize;
  std::string address;
  /// Microseconds, or MOERT_DEADLINE_DEFAULT for the backend's own.
  int64_t deadlineUs = 0;
  /// With `nccl`.
  NcclOptions nccl;
  /// Why what is asked for cannot be written, empty where it can; asked on rank
  /// 0, which writes, before anything else.
  std::function<std::string()> checkOutputs;
};

/// Executes one rank of the programs in this process, together with the other
/// processes of the job. Rank 0 prints results and times on `out`; all end with
/// the same exit code, which is returned. `devices` may be null.
int runOnProcesses(const ProcessOptions &options, const Inputs &inputs,
                   const InterpreterOptions &interpreter,
                   const TimesOptions &times, Devices *devices,
                   mlir::MLIRContext &context, llvm::raw_ostream &out);

} // namespace moe::run

#endif // MOE_EXECUTION_PROCESSES_H

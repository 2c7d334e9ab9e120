// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of moe-run.

#ifndef MOE_TOOLS_MOERUN_OPTIONS_H
#define MOE_TOOLS_MOERUN_OPTIONS_H

#include "moe/Execution/Processes.h"

namespace moe::run {

/// What the command line says, checked: everything is in range, and all that
/// is given goes together.
struct Options {
  /// Only say what the machine has; nothing else is set then.
  bool doctor = false;
  /// `interp`, `host`, `mpi` or `nccl`.
  std::string backend;
  /// Whether ranks of `nccl` are threads on the stand-ins.
  bool standIns = false;
  /// `interp` or `host`, that the results are to be compared with; empty for
  /// what `backend` is.
  std::string againstBackend;
  Inputs inputs;
  /// Without the executors.
  InterpreterOptions interpreter;
  TimesOptions times;
  /// Null if there are none.
  std::shared_ptr<Devices> devices;
  /// Where results are written; nowhere when empty.
  std::string output;
  /// Microseconds of a wait for another rank, or MOERT_DEADLINE_DEFAULT for the
  /// backend's own.
  int64_t deadlineUs = 0;
  /// Of this process, where the user says it.
  std::optional<int32_t> rank, worldSize;
  std::string address;
  /// Of `nccl`.
  NcclOptions nccl;

  bool isCompiled() const { return backend != "interp"; }
  bool isCompared() const {
    return !inputs.against.empty() || !againstBackend.empty();
  }
  /// Whether ranks are processes, this one of them.
  bool isProcess() const {
    return backend == "mpi" || (backend == "nccl" && !standIns);
  }
};

/// Reads what LLVM has parsed of the command line; the failure says what is
/// wrong with it.
cost::Result<Options> readOptions();
/// Leaves only the tool's own options in --help.
void hideOtherOptions();

} // namespace moe::run

#endif // MOE_TOOLS_MOERUN_OPTIONS_H

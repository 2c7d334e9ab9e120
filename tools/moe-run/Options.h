// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of moe-run.

#ifndef MOE_TOOLS_MOERUN_OPTIONS_H
#define MOE_TOOLS_MOERUN_OPTIONS_H

#include "moe/Execution/Processes.h"

namespace moe::run {

/// The checked command line: all values are in range, and all given options are
/// compatible.
struct Options {
  /// Only describe the machine; nothing else is set then.
  bool doctor = false;
  /// `interp`, `host`, `mpi` or `nccl`.
  std::string backend;
  /// Set if ranks of `nccl` are threads on the CPU emulation.
  bool standIns = false;
  /// The backend of the results to compare with: `interp` or `host`; empty for
  /// the same as `backend`.
  std::string againstBackend;
  Inputs inputs;
  /// Options of the interpreter, without the executors.
  InterpreterOptions interpreter;
  TimesOptions times;
  /// Null if there are none.
  std::shared_ptr<Devices> devices;
  /// The file for results; empty for none.
  std::string output;
  /// Microseconds to wait for another rank, or MOERT_DEADLINE_DEFAULT for the
  /// backend's default.
  int64_t deadlineUs = 0;
  /// Rank of this process and number of ranks, if the user gives them.
  std::optional<int32_t> rank, worldSize;
  std::string address;
  /// Options of `nccl`.
  NcclOptions nccl;

  bool isCompiled() const { return backend != "interp"; }
  bool isCompared() const {
    return !inputs.against.empty() || !againstBackend.empty();
  }
  /// Returns true if each rank is a process.
  bool isProcess() const {
    return backend == "mpi" || (backend == "nccl" && !standIns);
  }
};

/// Reads the command line that LLVM has parsed, or returns the error.
cost::Result<Options> readOptions();
/// Hides all options from --help except the tool's own.
void hideOtherOptions();

} // namespace moe::run

#endif // MOE_TOOLS_MOERUN_OPTIONS_H

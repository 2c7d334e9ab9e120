// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a program, loaded in this process.

#ifndef MOE_EXECUTION_COMPILEDPROGRAM_H
#define MOE_EXECUTION_COMPILEDPROGRAM_H

#include "moe/Conversion/CompileTarget.h"
#include "moe/Cost/Machine.h"
#include "moe/Execution/Job.h"
#include "moe/Execution/Timeline.h"
#include "moe/Interpreter/Program.h"
#include <atomic>

namespace moe {

namespace traffic {
class Routing;
} // namespace traffic

class Jit;

/// The code of a program's entry function, for any of its ranks.
class CompiledProgram {
public:
  struct Options {
    /// Must be true if `measure` will be called.
    bool recorded = false;
    /// If not null, each task also keeps its stream busy for the time that it
    /// takes on this machine. Requires `recorded`. Must outlive the call of
    /// `compile`.
    const cost::Machine *emulated = nullptr;
    /// The experts of each token for these times; null for an even
    /// distribution. Must outlive `compile`, too.
    const traffic::Routing *routing = nullptr;
    CompileTarget target = CompileTarget::Host;
  };

  /// Emits an error and fails if the program cannot be compiled, or if the time
  /// of a task on the emulated machine is unknown.
  static mlir::FailureOr<CompiledProgram> compile(const Program &program,
                                                  const Options &options);
  CompiledProgram(CompiledProgram &&);
  CompiledProgram &operator=(CompiledProgram &&);
  ~CompiledProgram();

  /// Creates the objects that the job's context keeps for the program, for
  /// example communicators, and passes the program's NCCL requirements to the
  /// job. Must be called before buffers are created, because NCCL may have to
  /// allocate them. Does nothing on other backends. All ranks must call it.
  std::optional<cost::Failure> prepare(Job &job) const;

  /// Executes the program as one rank of a job. `inputs` and `results` point to
  /// the elements of each argument and result, in memory that the job's streams
  /// can access. After a failure, streams may still run the program; its code
  /// is then never freed, and the caller must not free arguments and results.
  std::optional<cost::Failure> run(Job &job, llvm::ArrayRef<void *> inputs,
                                   llvm::ArrayRef<void *> results) const;

  /// Executes the program once as a warm-up and then `repeats` (at least 1)
  /// times. All ranks of the job must call it.
  cost::Result<Measurement> measure(Job &job, llvm::ArrayRef<void *> inputs,
                                    llvm::ArrayRef<void *> results,
                                    int64_t repeats) const;

  /// Returns the tasks of the schedule; empty unless recorded.
  const std::vector<TaskLabel> &getTasks() const { return tasks; }

private:
  using Function = int32_t (*)(moert_context *, void **, void **);
  CompiledProgram();

  std::unique_ptr<Jit> jit;
  /// True if streams may still run the code, or if a job knows its kernels. Any
  /// rank's thread may set it.
  std::unique_ptr<std::atomic<bool>> mustStay;
  Function function = nullptr;
  /// Null if `prepare` does nothing.
  int32_t (*prepareFunction)(moert_context *) = nullptr;
  std::vector<TaskLabel> tasks;
};

} // namespace moe

#endif // MOE_EXECUTION_COMPILEDPROGRAM_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's code in this process.

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

/// The code of a program's entry function, for any rank of it.
class CompiledProgram {
public:
  struct Options {
    /// Whether `measure` is to be called.
    bool recorded = false;
    /// With it, each task also keeps its stream busy for the time that this
    /// machine takes for it; only with `recorded`. Must live as long as
    /// `compile` takes.
    const cost::Machine *emulated = nullptr;
    /// With it, which experts tokens go to; even without. Must live as long.
    const traffic::Routing *routing = nullptr;
    /// What the job runs on.
    CompileTarget target = CompileTarget::Host;
  };

  /// Emits an error and fails when the program cannot be compiled, or a task
  /// has no time on the machine.
  static mlir::FailureOr<CompiledProgram> compile(const Program &program,
                                                  const Options &options);
  CompiledProgram(CompiledProgram &&);
  CompiledProgram &operator=(CompiledProgram &&);
  ~CompiledProgram();

  /// Makes what a job's context keeps for it, communicators among them, and lets
  /// the job know what the program asks of NCCL: before there are buffers, which
  /// may have to be NCCL's. Nothing on other backends. All ranks call it.
  std::optional<cost::Failure> prepare(Job &job) const;

  /// Executes it as one rank of a job. After a failure streams may still run
  /// it: its code is then never freed, nor may arguments and results be. Each
  /// pointer is to an argument's or a result's elements, in the memory that the
  /// job's streams work on.
  std::optional<cost::Failure> run(Job &job, llvm::ArrayRef<void *> inputs,
                                   llvm::ArrayRef<void *> results) const;

  /// Executes it once to warm up and then `repeats` (at least 1) times. All
  /// ranks of the job call it.
  cost::Result<Measurement> measure(Job &job, llvm::ArrayRef<void *> inputs,
                                    llvm::ArrayRef<void *> results,
                                    int64_t repeats) const;

  /// The tasks of what was scheduled; none unless recorded.
  const std::vector<TaskLabel> &getTasks() const { return tasks; }

private:
  using Function = int32_t (*)(moert_context *, void **, void **);
  CompiledProgram();

  std::unique_ptr<Jit> jit;
  /// Whether streams may still run the code, or a job knows its kernels; set by
  /// any rank's thread.
  std::unique_ptr<std::atomic<bool>> mustStay;
  Function function = nullptr;
  /// Null where `prepare` does nothing.
  int32_t (*prepareFunction)(moert_context *) = nullptr;
  std::vector<TaskLabel> tasks;
};

} // namespace moe

#endif // MOE_EXECUTION_COMPILEDPROGRAM_H

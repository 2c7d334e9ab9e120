// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's code in this process.

#include "moe/Execution/CompiledProgram.h"
#include "Jit.h"
#include "Recorder.h"
#include "TaskMarks.h"
#include "moe/Execution/Compile.h"
#include "moe/Execution/Faults.h"

using namespace mlir;
using namespace moe;
using cost::Failure;
using cost::Result;

CompiledProgram::CompiledProgram() = default;
CompiledProgram::CompiledProgram(CompiledProgram &&) = default;
CompiledProgram &CompiledProgram::operator=(CompiledProgram &&) = default;
CompiledProgram::~CompiledProgram() {
  // Nothing can stop a stream's thread that is inside of the code.
  if (mustStay && *mustStay)
    (void)jit.release();
}

FailureOr<CompiledProgram> CompiledProgram::compile(const Program &program,
                                                    const Options &options) {
  CompiledProgram compiled;
  func::FuncOp entry = program.getEntry();
  if (options.emulated && isLowered(program.getModule(), entry.getSymName()))
    return entry.emitError()
           << "the program @" << entry.getSymName()
           << " has no tasks to take times of, which --emulate needs: expected "
              "one of phase schedule or before it, got one of a later phase";
  auto onScheduled = [&](ModuleOp scheduled) -> LogicalResult {
    if (!options.recorded)
      return success();
    FailureOr<std::vector<TaskLabel>> tasks =
        tagTasks(scheduled, options.emulated, options.routing);
    if (failed(tasks))
      return failure();
    compiled.tasks = std::move(*tasks);
    return success();
  };
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      compileToLLVM(program.getModule(), entry.getSymName(), onScheduled,
                    getOptionsToRun(options.target));
  if (failed(lowered))
    return failure();
  if (options.recorded)
    markTasks(**lowered);
  FailureOr<Jit> jit = Jit::create(**lowered, options.recorded);
  if (failed(jit))
    return failure();
  FailureOr<EntryFunction> function =
      jit->lookup(entry.getLoc(), entry.getSymName());
  if (failed(function))
    return failure();
  if (options.target != CompileTarget::Host) {
    FailureOr<PrepareFunction> prepare =
        jit->lookupPrepare(entry.getLoc(), entry.getSymName());
    if (failed(prepare))
      return failure();
    compiled.prepareFunction = *prepare;
  }
  compiled.jit = std::make_unique<Jit>(std::move(*jit));
  compiled.mustStay = std::make_unique<std::atomic<bool>>(false);
  compiled.function = *function;
  // A job knows the kernels of programs by where they are until it ends.
  *compiled.mustStay = options.target != CompileTarget::Host;
  return compiled;
}

std::optional<Failure> CompiledProgram::prepare(Job &job) const {
  if (!prepareFunction)
    return std::nullopt;
  auto status = static_cast<moert_status>(prepareFunction(job.getContext()));
  return status == MOERT_OK ? std::nullopt
                            : std::optional<Failure>(job.getFailure(status));
}

std::optional<Failure> CompiledProgram::run(Job &job, ArrayRef<void *> inputs,
                                            ArrayRef<void *> results) const {
  FaultScope scope;
  // The function reads the arrays only.
  auto status = static_cast<moert_status>(
      function(job.getContext(), const_cast<void **>(inputs.data()),
               const_cast<void **>(results.data())));
  if (status == MOERT_OK)
    return std::nullopt;
  *mustStay = true;
  scope.keep();
  return job.getFailure(status);
}

Result<Measurement> CompiledProgram::measure(Job &job, ArrayRef<void *> inputs,
                                             ArrayRef<void *> results,
                                             int64_t repeats) const {
  Recorder recorder(job, tasks);
  Measurement measurement;
  std::vector<RankTimeline> own;
  for (int64_t i = 0; i <= repeats; ++i) {
    std::optional<Failure> failure;
    recorder.run([&] {
      failure = run(job, inputs, results);
      return failure ? MOERT_ABORTED : MOERT_OK;
    });
    if (failure)
      return *failure;
    Result<RankTimeline> timeline = recorder.takeTimeline();
    if (!timeline)
      return timeline.getFailure();
    // A program may have no work at all; nothing is as long as nothing.
    Result<double> makespan = job.max(timeline->getMakespanUs());
    if (!makespan)
      return makespan.getFailure();
    // The first time warms up.
    if (i == 0)
      continue;
    measurement.makespansUs.push_back(*makespan);
    own.push_back(std::move(*timeline));
  }
  size_t median = Measurement::findMedian(measurement.makespansUs);
  Result<std::vector<std::string>> all = job.gather(own[median].serialize());
  if (!all)
    return all.getFailure();
  for (size_t rank = 0; rank < all->size(); ++rank) {
    std::optional<RankTimeline> timeline =
        RankTimeline::deserialize((*all)[rank]);
    if (!timeline)
      return Failure{"rank " + std::to_string(rank) +
                     " sent what is no timeline: do all ranks run the same "
                     "version of this program?"};
    measurement.ranks.push_back(std::move(*timeline));
  }
  return measurement;
}

//===- HostExecution.cpp - Programs on the runtime's threads ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Execution/HostExecution.h"
#include "moe/Execution/RankBuffers.h"
#include <numeric>

using namespace mlir;
using namespace moe;
using cost::Failure;

/// What one rank does in its job; why it could not.
using RankBody = llvm::function_ref<std::optional<Failure>(Job &, int64_t)>;

/// The rank whose failure the others only heard of, or the first that failed.
static std::optional<size_t>
findCause(ArrayRef<std::optional<Failure>> failures) {
  std::optional<size_t> first;
  for (auto [rank, failure] : llvm::enumerate(failures)) {
    if (!failure)
      continue;
    if (!StringRef(failure->message)
             .starts_with(moert_status_name(MOERT_ABORTED)))
      return rank;
    if (!first)
      first = rank;
  }
  return first;
}

/// Runs all ranks of a job of this process, each on a thread of its own. Emits
/// an error and fails when one does.
static LogicalResult runRanks(const Program &program,
                              const HostExecutionOptions &options,
                              RankBody body) {
  int64_t numRanks = program.getNumRanks();
  std::vector<std::optional<Failure>> failures(numRanks);
  // A name no other job of this process has.
  std::string address =
      "moe-run-" + std::to_string(reinterpret_cast<uintptr_t>(failures.data()));
  std::optional<Failure> refused = runOnThreads(numRanks, [&](int64_t rank) {
    moert_config config;
    moert_config_default(&config);
    config.rank = static_cast<int32_t>(rank);
    config.world_size = static_cast<int32_t>(numRanks);
    config.address = address.c_str();
    config.deadline_us = options.deadlineUs;
    cost::Result<std::unique_ptr<Job>> job = Job::join(config);
    if (!job)
      failures[rank] = job.getFailure();
    else if (options.onJoined)
      failures[rank] = options.onJoined(**job);
    if (job && !failures[rank])
      failures[rank] = body(**job, rank);
  });
  if (refused)
    return program.getEntry().emitError() << refused->message;
  std::optional<size_t> rank = findCause(failures);
  if (!rank)
    return success();
  return program.getEntry().emitError()
         << "rank " << *rank << " failed: " << failures[*rank]->message;
}

/// After a failure a stream may still be inside of the program, which reads and
/// writes these.
static void keepForever(RankBuffers buffers) {
  [[maybe_unused]] auto *kept = new RankBuffers(std::move(buffers));
}

static FailureOr<RankBuffers>
makeBuffers(const Program &program, Domain &domain, MemoryBudget &budget) {
  std::vector<int64_t> ranks(program.getNumRanks());
  std::iota(ranks.begin(), ranks.end(), int64_t(0));
  return RankBuffers::create(program, domain, budget, ranks);
}

FailureOr<std::vector<RankTensors>>
moe::executeOnHost(const Program &program, Domain &domain, MemoryBudget &budget,
                   const HostExecutionOptions &options) {
  FailureOr<CompiledProgram> compiled = CompiledProgram::compile(program, {});
  if (failed(compiled))
    return failure();
  FailureOr<RankBuffers> buffers = makeBuffers(program, domain, budget);
  if (failed(buffers))
    return failure();
  LogicalResult ran = runRanks(
      program, options, [&](Job &job, int64_t rank) -> std::optional<Failure> {
        return compiled->run(job, buffers->getInputs(rank),
                             buffers->getResults(rank));
      });
  if (failed(ran)) {
    keepForever(std::move(*buffers));
    return failure();
  }
  return buffers->takeResults();
}

FailureOr<Measurement> moe::measureOnHost(const Program &program,
                                          const CompiledProgram &compiled,
                                          Domain &domain, MemoryBudget &budget,
                                          int64_t repeats,
                                          const HostExecutionOptions &options) {
  FailureOr<RankBuffers> buffers = makeBuffers(program, domain, budget);
  if (failed(buffers))
    return failure();
  Measurement measurement;
  LogicalResult ran = runRanks(
      program, options, [&](Job &job, int64_t rank) -> std::optional<Failure> {
        cost::Result<Measurement> own = compiled.measure(
            job, buffers->getInputs(rank), buffers->getResults(rank), repeats);
        if (!own)
          return own.getFailure();
        // Only rank 0 has all.
        if (rank == 0)
          measurement = std::move(*own);
        return std::nullopt;
      });
  if (failed(ran)) {
    keepForever(std::move(*buffers));
    return failure();
  }
  return measurement;
}

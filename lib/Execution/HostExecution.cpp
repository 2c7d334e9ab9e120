//===- HostExecution.cpp - Programs on the runtime's threads ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Execution/HostExecution.h"
#include "Jit.h"
#include "Marshal.h"
#include "moe/Execution/Compile.h"
#include "moe/IR/MoERTOps.h"
#include "llvm/ADT/ScopeExit.h"
#include <cstring>
#include <thread>

using namespace mlir;
using namespace moe;

namespace {

/// What one rank's thread takes and brings back.
struct RankRun {
  std::vector<void *> inputs, results;
  moert_status status = MOERT_OK;
  std::string message;
};

} // namespace

static Type getElementType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

static ArrayRef<int64_t> getShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

static void runRank(EntryFunction function, int32_t rank, int32_t worldSize,
                    const std::string &address, int64_t deadlineUs,
                    RankRun &run) {
  moert_config config;
  moert_config_default(&config);
  config.rank = rank;
  config.world_size = worldSize;
  config.address = address.c_str();
  config.deadline_us = deadlineUs;
  moert_context *context = nullptr;
  auto note = [&](moert_status status) {
    if (status == MOERT_OK || run.status != MOERT_OK)
      return;
    run.status = status;
    run.message = moert_last_error(context);
  };
  note(moert_init(&config, &context));
  if (!context)
    return;
  note(static_cast<moert_status>(
      function(context, run.inputs.data(), run.results.data())));
  // Also ends what is left of a failed run, so that its buffers may go.
  note(moert_finalize(context, deadlineUs));
}

/// The rank whose failure the others only heard of, or the first that failed.
static std::optional<size_t> findCause(ArrayRef<RankRun> runs) {
  std::optional<size_t> first;
  for (auto [rank, run] : llvm::enumerate(runs)) {
    if (run.status == MOERT_OK)
      continue;
    if (run.status != MOERT_ABORTED)
      return rank;
    if (!first)
      first = rank;
  }
  return first;
}

FailureOr<std::vector<RankTensors>>
moe::executeOnHost(const Program &program, Domain &domain, MemoryBudget &budget,
                   const HostExecutionOptions &options) {
  func::FuncOp entry = program.getEntry();
  FailureOr<OwningOpRef<ModuleOp>> compiled =
      compileToLLVM(program.getModule(), entry.getSymName());
  if (failed(compiled))
    return failure();
  FailureOr<Jit> jit = Jit::create(**compiled);
  if (failed(jit))
    return failure();
  FailureOr<EntryFunction> function =
      jit->lookup(entry.getLoc(), entry.getSymName());
  if (failed(function))
    return failure();

  auto outOfMemory = [&](uint64_t bytes) {
    return entry.emitOpError()
           << "needs " << bytes << " bytes for arguments and results, and "
           << budget.getLive() << " of the " << budget.getLimit()
           << " bytes allowed (--max-bytes) are held";
  };
  int64_t numRanks = program.getNumRanks();
  std::vector<RankRun> runs(numRanks);
  std::vector<AlignedBytes> buffers;
  uint64_t charged = 0;
  llvm::scope_exit release([&] { budget.release(charged); });
  auto allocate = [&](uint64_t bytes) -> AlignedBytes * {
    if (!budget.charge(bytes)) {
      outOfMemory(bytes);
      return nullptr;
    }
    charged += bytes;
    return &buffers.emplace_back(bytes);
  };
  for (BlockArgument argument : entry.getArguments()) {
    Type elementType = getElementType(argument.getType());
    std::vector<int64_t> representatives =
        program.getRepresentatives(argument.getArgNumber());
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      // Ranks that hold the same data read one copy: nobody writes inputs.
      if (representatives[rank] != rank) {
        runs[rank].inputs.push_back(runs[representatives[rank]].inputs.back());
        continue;
      }
      std::optional<LocalTensor> tensor =
          LocalTensor::allocate(getShape(argument.getType()), budget);
      if (!tensor)
        return outOfMemory(budget.getLimit());
      domain.drawArgument(argument.getArgNumber(), rank, elementType,
                          tensor->getMutableCells());
      AlignedBytes *bytes =
          allocate(getBufferBytes(elementType, tensor->getCells().size()));
      if (!bytes)
        return failure();
      encode(elementType, tensor->getCells(), bytes->data());
      runs[rank].inputs.push_back(bytes->data());
    }
  }
  for (Type type : entry.getResultTypes())
    for (RankRun &run : runs) {
      std::optional<int64_t> count = countElements(getShape(type));
      AlignedBytes *bytes =
          allocate(getBufferBytes(getElementType(type), *count));
      if (!bytes)
        return failure();
      std::memset(bytes->data(), 0xff, bytes->size());
      run.results.push_back(bytes->data());
    }

  // A name no other job of this process has.
  std::string address =
      "moe-run-" + std::to_string(reinterpret_cast<uintptr_t>(runs.data()));
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    threads.emplace_back([&, rank] {
      runRank(*function, rank, numRanks, address, options.deadlineUs,
              runs[rank]);
    });
  for (std::thread &thread : threads)
    thread.join();
  if (std::optional<size_t> rank = findCause(runs)) {
    const RankRun &run = runs[*rank];
    return entry.emitError()
           << "rank " << *rank << " failed: " << moert_status_name(run.status)
           << (run.message.empty() ? "" : ": ") << run.message;
  }

  std::vector<RankTensors> results;
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes())) {
    RankTensors &tensors = results.emplace_back();
    for (const RankRun &run : runs) {
      std::optional<LocalTensor> tensor =
          LocalTensor::allocate(getShape(type), budget);
      if (!tensor)
        return outOfMemory(budget.getLimit());
      decode(getElementType(type), run.results[i], tensor->getMutableCells());
      tensors.push_back(*tensor);
    }
  }
  return results;
}

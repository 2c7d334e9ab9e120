//===- MeasureCommand.cpp - moe-profile measure ---------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasureCommand.h"
#include "MeasuredPlatform.h"
#include "Report.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

#include <thread>

using namespace llvm;
using namespace moe;
using namespace moe::profile;

/// Measures on threads of this process.
static cost::Result<Measurements> measureOnHost(moert_config config,
                                                const MeasureOptions &options) {
  std::vector<std::optional<cost::Result<Measurements>>> results(
      static_cast<size_t>(config.world_size));
  auto refused = runOnThreads(config.world_size, [&](int64_t rank) {
    auto &result = results[static_cast<size_t>(rank)];
    moert_config own = config;
    own.rank = static_cast<int32_t>(rank);
    cost::Result<std::unique_ptr<Job>> job = Job::join(own);
    if (job)
      result = measure(**job, options);
    else
      result = job.getFailure();
  });
  if (refused)
    return *refused;
  for (auto &result : results)
    if (!*result)
      return result->getFailure();
  return std::move(**results.front());
}

/// Minutes of measuring must not end in a file that cannot be written: why it
/// cannot, or empty. A file that is there stays as it is.
static std::string checkOutput(const std::string &path) {
  bool isNew = !sys::fs::exists(path);
  std::error_code error;
  {
    raw_fd_ostream file(path, error, sys::fs::CD_OpenAlways, sys::fs::FA_Write,
                        sys::fs::OF_Append);
  }
  if (error)
    return path +
           ": expected a file that can be written, got: " + error.message();
  if (isNew)
    sys::fs::remove(path);
  return "";
}

std::string MeasureCommand::run() {
  constexpr int64_t kLeastBytes = 65536, kMostBytes = int64_t(1) << 34;
  constexpr int64_t kMostRanks = 1024;
  bool isHost = backend == "host";
  if (!isHost && backend != "mpi" && backend != "nccl")
    return "--backend: expected host, mpi or nccl, got '" + backend + "'";
  if (ranks.getNumOccurrences() && !isHost)
    return "--ranks goes with --backend=host: the launcher says how many "
           "processes there are";
  if (ranks.getNumOccurrences() && (ranks < 2 || ranks > kMostRanks))
    return "--ranks: expected 2 to " + std::to_string(kMostRanks) + ", got " +
           std::to_string(ranks);
  if (maxBytes < kLeastBytes || maxBytes > kMostBytes)
    return "--max-bytes: expected " + std::to_string(kLeastBytes) + " to " +
           std::to_string(kMostBytes) + ", got " + std::to_string(maxBytes);
  if (!(seconds > 0 && seconds <= 60))
    return "--seconds-per-size: expected more than 0 and at most 60, got " +
           std::to_string(seconds);
  if (name.getNumOccurrences() && name.empty())
    return "--name: expected a name that is not empty";

  MeasureOptions options;
  options.maxBytes = maxBytes;
  options.secondsPerSize = seconds;
  moert_config config;
  moert_config_default(&config);
  config.backend = backend.c_str();
  if (!isHost && moert_config_from_environment(&config) != MOERT_OK)
    return moert_last_error(nullptr);
  // Rank 0 writes; its end is that of the others.
  if (isHost || config.rank == 0)
    if (std::string problem = checkOutput(output); !problem.empty())
      return problem;
  std::optional<cost::Result<Measurements>> measured;
  if (isHost) {
    int64_t all = ranks.getNumOccurrences()
                      ? ranks
                      : std::max(2u, std::thread::hardware_concurrency());
    config.world_size = static_cast<int32_t>(all);
    config.address = "moe-profile";
    measured = measureOnHost(config, options);
  } else {
    if (config.world_size < 2)
      return "expected at least 2 ranks, got " +
             std::to_string(config.world_size) +
             (backend == "mpi" ? ": start it with mpirun -np RANKS"
                               : ": start it once for each rank, with "
                                 "MOERT_RANK, MOERT_WORLD_SIZE and "
                                 "MOERT_ADDRESS set");
    cost::Result<std::unique_ptr<Job>> job = Job::join(config);
    if (!job)
      return "rank " + std::to_string(config.rank) + ": " + job.getError();
    measured = measure(**job, options);
    // Rank 0 speaks for all; what keeps it from writing ends the others too.
    if (*measured) {
      std::string problem;
      if (config.rank == 0)
        problem = write(**measured);
      cost::Result<int64_t> ok = (*job)->min(problem.empty());
      if (!ok)
        return ok.getError();
      failedElsewhere = *ok == 0 && config.rank != 0;
      return problem;
    }
  }
  if (!*measured)
    return "rank " + std::to_string(isHost ? 0 : config.rank) + ": " +
           measured->getError();
  return write(**measured);
}

std::string MeasureCommand::write(const Measurements &measured) {
  // First of all, so that it can be seen why a fit fails.
  for (const platform::NcclLog &log : measured.collectives) {
    printSamples(describe(log), log.samples, outs());
    outs() << "\n";
  }
  printSamples("copy", measured.copies, outs());
  outs() << "\n";
  cost::Result<platform::FitResult> result =
      makePlatform(measured, backend, name);
  if (!result)
    return result.getError();
  for (const std::string &warning : result->warnings)
    errs() << "moe-profile: warning: " << warning << "\n";
  if (auto failure = platform::savePlatform(result->platform, output))
    return failure->message;
  outs() << result->platform.origin << "\n\n";
  for (const platform::FitReport &report : result->reports) {
    printReport(report, outs());
    outs() << "\n";
  }
  outs() << "contention: times as long while another runs\n"
            "      slowed        by    factor\n";
  for (const cost::ContentionFactor &factor : measured.contention)
    outs() << right_justify(cost::getName(factor.slowed), 12)
           << right_justify(cost::getName(factor.by), 10)
           << format("  %8.3f\n", factor.factor);
  outs() << "\n";
  outs() << format("pipeline stall\n  pipeline_stall_us        %.6g\n\n",
                   measured.stallUs);
  outs() << "uncertainty\n"
         << format("  repeated all-to-alls     %.4f\n", measured.repeatError)
         << format("  pipelines                %.4f\n", measured.pipelineError)
         << format("  uncertainty              %.4f\n\n",
                   result->platform.stated.uncertainty.value);
  const cost::GemmCost &gemm = *result->platform.stated.gemm;
  outs() << "GEMM, " << gemm.origin << "\n"
         << format("  gemm_alpha_us            %.6g\n", gemm.alpha.value())
         << format("  gemm_beta_us_per_mac     %.6g\n", gemm.beta.value());
  return "";
}

//===- compiled_cpu.cc - A compiled program as a call of XLA's --*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A handler of XLA's FFI around a program that moe-translate compiled, whose
// ranks are devices of this process. Each call of a device is one rank's part of
// a run, in a job of libmoert's backend of threads: the ranks that are in one run
// of XLA's meet in one job, and a job that nobody is in serves the next run. A
// rank that never comes ends in an error before XLA ends the process for it
// (40 s). Compiled and linked by moe_mlir.compiled_on_cpu, which includes the
// program's header and names the program MOE_RUN.
//
//===----------------------------------------------------------------------===//

#include "xla/ffi/api/ffi.h"
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace ffi = xla::ffi;

namespace {

/// A job of libmoert and what its ranks keep between runs. Contexts are never
/// freed: their streams may be at work until the process ends.
struct Job {
  std::string address;
  moert_context *contexts[MOE_NUM_RANKS] = {};
  /// Ranks inside of a run.
  int inside = 0;
  bool hasFailed = false;
};

/// Which run, which of its independent groups of ranks, and which call.
using Key = std::tuple<int64_t, int64_t, int64_t>;

std::mutex jobsMutex;
std::map<Key, Job *> running;
std::vector<Job *> idle;

Job *enter(const Key &key) {
  std::lock_guard<std::mutex> lock(jobsMutex);
  Job *&job = running[key];
  if (!job && !idle.empty()) {
    job = idle.back();
    idle.pop_back();
  }
  if (!job) {
    static int64_t count = 0;
    job = new Job;
    job->address = "moe-compiled-" +
                   std::to_string(reinterpret_cast<uintptr_t>(&running)) + "-" +
                   std::to_string(count++);
  }
  ++job->inside;
  return job;
}

void leave(const Key &key, Job *job, bool hasFailed) {
  std::lock_guard<std::mutex> lock(jobsMutex);
  job->hasFailed |= hasFailed;
  if (--job->inside > 0)
    return;
  running.erase(key);
  if (!job->hasFailed)
    idle.push_back(job);
}

ffi::Error refuse(const std::string &message) {
  return ffi::Error(ffi::ErrorCode::kInvalidArgument, "moe_mlir: " + message);
}

/// Pointers to the elements of buffers, of which there must be so many of such
/// sizes; what is wrong with them.
template <typename Buffers>
std::string take(const Buffers &buffers, size_t first, size_t count,
                 const int64_t *bytes, const char *what,
                 std::vector<void *> &pointers) {
  for (size_t i = 0; i < count; ++i) {
    auto buffer = buffers.template get<ffi::AnyBuffer>(first + i);
    if (!buffer.has_value())
      return buffer.error().message();
    size_t size;
    void *data;
    if constexpr (std::is_same_v<Buffers, ffi::RemainingRets>) {
      size = (*buffer)->size_bytes();
      data = (*buffer)->untyped_data();
    } else {
      size = buffer->size_bytes();
      data = buffer->untyped_data();
    }
    if (size != static_cast<size_t>(bytes[i]))
      return std::string(what) + " " + std::to_string(i) + ": expected " +
             std::to_string(bytes[i]) + " bytes, got " + std::to_string(size);
    pointers.push_back(data);
  }
  return "";
}

ffi::Error run(ffi::RunId id, ffi::Buffer<ffi::S32> place,
               ffi::RemainingArgs arguments, ffi::RemainingRets results,
               int64_t call, int64_t timeoutMs) {
  if (place.element_count() != 2 || arguments.size() != MOE_NUM_INPUTS ||
      results.size() != MOE_NUM_RESULTS)
    return refuse("expected a rank with its group, " +
                  std::to_string(MOE_NUM_INPUTS) + " arguments and " +
                  std::to_string(MOE_NUM_RESULTS) + " results");
  int32_t rank = place.typed_data()[0], group = place.typed_data()[1];
  if (rank < 0 || rank >= MOE_NUM_RANKS)
    return refuse("expected a rank below " + std::to_string(MOE_NUM_RANKS) +
                  ", got " + std::to_string(rank));
  std::vector<void *> in, out;
  std::string problem = take(arguments, 0, MOE_NUM_INPUTS, MOE_INPUT_BYTES,
                             "argument", in);
  if (problem.empty())
    problem =
        take(results, 0, MOE_NUM_RESULTS, MOE_RESULT_BYTES, "result", out);
  if (!problem.empty())
    return refuse(problem);

  Key key(id.run_id, group, call);
  Job *job = enter(key);
  moert_context *&context = job->contexts[rank];
  moert_status status = MOERT_OK;
  if (!context) {
    moert_config config;
    moert_config_default(&config);
    config.address = job->address.c_str();
    config.rank = rank;
    config.world_size = MOE_NUM_RANKS;
    config.deadline_us = timeoutMs * 1000;
    status = moert_init(&config, &context);
  }
  if (status == MOERT_OK)
    status = static_cast<moert_status>(MOE_RUN(context, in.data(), out.data()));
  std::string said;
  if (status != MOERT_OK) {
    said = moert_last_error(context);
    // The others would wait for this rank.
    if (context)
      moert_abort(context, said.c_str());
  }
  leave(key, job, status != MOERT_OK);
  if (status == MOERT_OK)
    return ffi::Error::Success();
  return ffi::Error(ffi::ErrorCode::kDeadlineExceeded,
                    "moe_mlir: " + said);
}

} // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(MoeRunCompiled, run,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::RunId>()
                                  .Arg<ffi::Buffer<ffi::S32>>()
                                  .RemainingArgs()
                                  .RemainingRets()
                                  .Attr<int64_t>("call")
                                  .Attr<int64_t>("timeout_ms"));

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank of a job of the runtime.

#include "moe/Execution/Job.h"
#include "moert_extend.h"
#include <algorithm>
#include <cstring>
#include <latch>
#include <numeric>
#include <pthread.h>

using namespace moe;
using cost::Failure;
using cost::Result;

/// Key of the communicator of all ranks, distinct from the programs'
/// communicators, which are numbered from 0.
static constexpr uint64_t kControlKey = uint64_t(1) << 40;

Result<std::unique_ptr<Job>> Job::join(const moert_config &config) {
  std::unique_ptr<Job> job(new Job());
  moert_status status = moert_init(&config, &job->context);
  if (status != MOERT_OK)
    return job->getFailure(status);
  std::vector<int32_t> ranks(config.world_size);
  std::iota(ranks.begin(), ranks.end(), 0);
  status = moert_stream_create(job->context, "control", 0, &job->stream);
  if (status == MOERT_OK)
    status = moert_comm_create(job->stream, ranks.data(), config.world_size,
                               kControlKey, MOERT_DEADLINE_DEFAULT, &job->comm);
  if (status != MOERT_OK)
    return job->getFailure(status);
  return job;
}

Job::~Job() {
  // Also destroys the remaining objects of the job. Its failure has been
  // reported before.
  if (context)
    moert_finalize(context, leaveDeadlineUs);
}

void Job::leaveSoon() {
  constexpr int64_t kLeaveUs = 1000000;
  leaveDeadlineUs = std::min(kLeaveUs, moert_deadline_us(context));
}

Failure Job::getFailure(moert_status status) const {
  std::string words = moert_last_error(context);
  return {std::string(moert_status_name(status)) +
          (words.empty() ? "" : ": " + words)};
}

moert_status Job::synchronize() {
  return moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT);
}

template <typename Work>
moert_status Job::exchange(const void *send, size_t sendBytes, void *receive,
                           size_t receiveBytes, Work work) {
  moert_buffer *from = nullptr, *to = nullptr;
  // At least one byte, so that nothing depends on the address of an empty
  // buffer.
  moert_status status = moert_buffer_create(
      context, std::max<size_t>(sendBytes, 1), MOERT_MEMORY_DEVICE, &from);
  if (status == MOERT_OK)
    status = moert_buffer_create(context, std::max<size_t>(receiveBytes, 1),
                                 MOERT_MEMORY_DEVICE, &to);
  auto then = [&](auto next) {
    if (status == MOERT_OK)
      status = next();
  };
  then([&] {
    return sendBytes
               ? moert_copy(stream, moert_buffer_data(from), send, sendBytes)
               : MOERT_OK;
  });
  then([&] { return work(moert_buffer_data(from), moert_buffer_data(to)); });
  then([&] {
    return receiveBytes ? moert_copy(stream, receive, moert_buffer_data(to),
                                     receiveBytes)
                        : MOERT_OK;
  });
  then([&] { return synchronize(); });
  // After a failure, the context keeps the buffers, because work may still use
  // them.
  if (status == MOERT_OK && from)
    moert_buffer_destroy(from);
  if (status == MOERT_OK && to)
    moert_buffer_destroy(to);
  return status;
}

std::optional<Failure> Job::barrier() {
  moert_status status = moert_barrier(comm);
  if (status == MOERT_OK)
    status = synchronize();
  if (status != MOERT_OK)
    return getFailure(status);
  return std::nullopt;
}

Result<double> Job::max(double value) {
  double result = 0;
  moert_status status = exchange(&value, sizeof(value), &result, sizeof(result),
                                 [&](void *from, void *to) {
                                   return moert_all_reduce(
                                       comm, from, to, 1, MOERT_F64, MOERT_MAX);
                                 });
  if (status != MOERT_OK)
    return getFailure(status);
  return result;
}

Result<int64_t> Job::min(int64_t value) {
  int64_t result = 0;
  moert_status status = exchange(&value, sizeof(value), &result, sizeof(result),
                                 [&](void *from, void *to) {
                                   return moert_all_reduce(
                                       comm, from, to, 1, MOERT_I64, MOERT_MIN);
                                 });
  if (status != MOERT_OK)
    return getFailure(status);
  return result;
}

Result<std::vector<int64_t>> Job::allGather(int64_t value) {
  std::vector<int64_t> values(getNumRanks());
  moert_status status =
      exchange(&value, sizeof(value), values.data(), 8 * values.size(),
               [&](void *from, void *to) {
                 return moert_all_gather(comm, from, to, 1, MOERT_I64);
               });
  if (status != MOERT_OK)
    return getFailure(status);
  return values;
}

moert_status Job::raggedToAll(const std::vector<int64_t> &sendSizes,
                              const std::vector<int64_t> &receiveSizes,
                              const std::string &send, std::string &receive) {
  // Every peer is sent the same bytes. Received bytes are ordered by rank.
  std::vector<int64_t> sendOffsets(sendSizes.size(), 0),
      receiveOffsets(receiveSizes.size(), 0);
  std::exclusive_scan(receiveSizes.begin(), receiveSizes.end(),
                      receiveOffsets.begin(), int64_t(0));
  int64_t received =
      std::accumulate(receiveSizes.begin(), receiveSizes.end(), int64_t(0));
  receive.resize(static_cast<size_t>(received));
  return exchange(send.data(), send.size(), receive.data(), receive.size(),
                  [&](void *from, void *to) {
                    return moert_ragged_all_to_all(
                        comm, from, static_cast<int64_t>(send.size()), to,
                        received, 1, sendOffsets.data(), sendSizes.data(),
                        receiveOffsets.data(), receiveSizes.data(), MOERT_I8);
                  });
}

Result<std::string> Job::broadcast(const std::string &bytes, int32_t root) {
  Result<int64_t> size =
      min(getRank() == root ? static_cast<int64_t>(bytes.size()) : INT64_MAX);
  if (!size)
    return size.getFailure();
  std::vector<int64_t> sent(getNumRanks(), getRank() == root ? *size : 0),
      received(getNumRanks(), 0);
  received[root] = *size;
  std::string all;
  moert_status status = raggedToAll(
      sent, received, getRank() == root ? bytes : std::string(), all);
  if (status != MOERT_OK)
    return getFailure(status);
  return all;
}

Result<std::vector<std::string>> Job::gather(const std::string &bytes) {
  Result<std::vector<int64_t>> sizes =
      allGather(static_cast<int64_t>(bytes.size()));
  if (!sizes)
    return sizes.getFailure();
  std::vector<int64_t> sent(getNumRanks(), 0), received(getNumRanks(), 0);
  sent[0] = static_cast<int64_t>(bytes.size());
  if (getRank() == 0)
    received = *sizes;
  std::string all;
  moert_status status = raggedToAll(sent, received, bytes, all);
  if (status != MOERT_OK)
    return getFailure(status);
  std::vector<std::string> parts;
  size_t at = 0;
  if (getRank() == 0)
    for (int64_t size : *sizes) {
      parts.push_back(all.substr(at, static_cast<size_t>(size)));
      at += static_cast<size_t>(size);
    }
  return parts;
}

namespace {
/// Arguments of a thread of `runOnThreads`.
struct ThreadOfMany {
  int64_t number;
  const std::function<void(int64_t)> *body;
  std::latch *ready;
  const bool *complete;
};
} // namespace

std::optional<Failure>
moe::runOnThreads(int64_t count, const std::function<void(int64_t)> &body) {
  // No thread starts before all exist, because ranks would wait for threads
  // that were never created. pthreads are used because std::thread reports a
  // failure by an exception.
  std::latch ready(1);
  bool complete = false;
  std::vector<ThreadOfMany> told(static_cast<size_t>(count));
  std::vector<pthread_t> threads;
  threads.reserve(told.size());
  int problem = 0;
  for (int64_t i = 0; i < count && problem == 0; ++i) {
    ThreadOfMany &own = told[static_cast<size_t>(i)];
    own = {i, &body, &ready, &complete};
    pthread_t thread;
    problem = pthread_create(
        &thread, nullptr,
        [](void *argument) -> void * {
          auto *own = static_cast<ThreadOfMany *>(argument);
          own->ready->wait();
          if (*own->complete)
            (*own->body)(own->number);
          return nullptr;
        },
        &own);
    if (problem == 0)
      threads.push_back(thread);
  }
  complete = problem == 0;
  ready.count_down();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  if (complete)
    return std::nullopt;
  return Failure{"expected " + std::to_string(count) +
                 " threads, one for each rank, got " +
                 std::to_string(threads.size()) + ": " +
                 std::strerror(problem) +
                 " (limits: ulimit -u and -v, or limits of a container)"};
}

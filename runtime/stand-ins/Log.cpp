// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logs calls and makes selected calls fail.

#include "Driver.h"
#include "Variables.h"
#include "moert_stand_ins.h"
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

using namespace moert;

namespace {
struct Log {
  std::mutex mutex;
  std::map<std::string, uint64_t> counts;
  uint64_t calls = 0;
  /// Lines are flushed immediately, so that the log is complete even if the
  /// process is killed.
  FILE *file = nullptr;
  bool isOpen = false;
};
} // namespace

/// Never destroyed, because streams may end later than static objects.
static Log &getLog() {
  static auto *log = new Log;
  return *log;
}

static std::atomic<uint64_t> numThreads{0};
/// Threads are numbered from 1 in the order of their first call.
static uint64_t getThread() {
  static thread_local uint64_t number = ++numThreads;
  return number;
}

int standin::note(const char *function, cuda::Stream stream,
                  const std::string &detail) {
  std::string name = function;
  if (name.size() > 3 && name.compare(name.size() - 3, 3, "_v2") == 0)
    name.resize(name.size() - 3);
  uint64_t thread = getThread();
  Log &log = getLog();
  std::lock_guard<std::mutex> lock(log.mutex);
  uint64_t number = ++log.counts[name];
  if (!log.isOpen) {
    log.isOpen = true;
    verifyVariables();
    if (const char *path = std::getenv("MOERT_STAND_IN_LOG")) {
      log.file = std::fopen(path, "a");
      if (!log.file)
        refuse("MOERT_STAND_IN_LOG",
               std::string("a file that can be written (") +
                   std::strerror(errno) + ")",
               path);
    }
  }
  int failure = getFailure(name, number);
  if (log.file) {
    std::string line = std::to_string(++log.calls) +
                       " thread=" + std::to_string(thread) + " " + name;
    if (stream)
      line += " stream=" + std::to_string(getStreamNumber(stream));
    if (!detail.empty())
      line += " " + detail;
    if (failure)
      line += " fails=" + std::to_string(failure);
    std::fprintf(log.file, "%s\n", line.c_str());
    std::fflush(log.file);
  }
  return failure;
}

void standin::count(const std::string &name) {
  Log &log = getLog();
  std::lock_guard<std::mutex> lock(log.mutex);
  ++log.counts[name];
}

STAND_IN_API uint64_t moert_stand_in_count(const char *name) {
  Log &log = getLog();
  std::lock_guard<std::mutex> lock(log.mutex);
  auto it = log.counts.find(name);
  return it == log.counts.end() ? 0 : it->second;
}

STAND_IN_API uint64_t moert_stand_in_threads() { return numThreads.load(); }

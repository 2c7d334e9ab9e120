//===- Log.cpp - What is called, and what shall fail ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "moert_stand_ins.h"
#include <atomic>
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
  /// Lines are written at once, so that what happened before an end by force is
  /// there.
  FILE *file = nullptr;
  bool isOpen = false;
};
} // namespace

/// Lives as long as the process: streams may end later than static objects.
static Log &getLog() {
  static auto *log = new Log;
  return *log;
}

static std::atomic<uint64_t> numThreads{0};
/// Threads are numbered from 1 as they come.
static uint64_t getThread() {
  static thread_local uint64_t number = ++numThreads;
  return number;
}

long long standin::getNumber(const char *variable, long long otherwise) {
  const char *text = std::getenv(variable);
  if (!text)
    return otherwise;
  char *end = nullptr;
  long long number = std::strtoll(text, &end, 10);
  if (end != text && *end == 0)
    return number;
  std::fprintf(stderr, "stand-in for CUDA: expected a number in %s, got '%s'\n",
               variable, text);
  std::abort();
}

/// MOERT_STAND_IN_FAIL=NAME:N=CODE,...: call number N of a function, counted
/// from 1, fails with a code; with N+ all later ones do, too.
static int getFailure(const std::string &name, uint64_t number) {
  const char *rest = std::getenv("MOERT_STAND_IN_FAIL");
  while (rest && *rest) {
    char function[64];
    unsigned long long wanted;
    int code, length = 0;
    char plus = 0;
    if (std::sscanf(rest, "%63[A-Za-z0-9]:%llu=%d%n", function, &wanted, &code,
                    &length) != 3) {
      if (std::sscanf(rest, "%63[A-Za-z0-9]:%llu%c=%d%n", function, &wanted,
                      &plus, &code, &length) != 4 ||
          plus != '+')
        length = 0;
    }
    if (!length || (rest[length] && rest[length] != ',')) {
      std::fprintf(stderr,
                   "stand-in for CUDA: expected NAME:N=CODE or NAME:N+=CODE, "
                   "with commas between them, in MOERT_STAND_IN_FAIL, got "
                   "'%s'\n",
                   rest);
      std::abort();
    }
    if (name == function && (plus ? number >= wanted : number == wanted))
      return code;
    rest += length + (rest[length] == ',');
  }
  return 0;
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
    if (const char *path = std::getenv("MOERT_STAND_IN_LOG")) {
      log.file = std::fopen(path, "a");
      if (!log.file) {
        std::fprintf(stderr,
                     "stand-in for CUDA: MOERT_STAND_IN_LOG: cannot write "
                     "'%s': %s\n",
                     path, std::strerror(errno));
        std::abort();
      }
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

//===- MpiPeers.cpp - Processes of the job on this node ---------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mpi/MpiPeers.h"
#include "core/Hash.h"
#include "core/Status.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace moert;

/// The 22nd field of a process's stat; 0 when there is none.
static uint64_t readStartTime(int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  // The second field is a name in parentheses that may hold anything.
  size_t at = line.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field)
    at = line.find(' ', at + 1);
  return at == std::string::npos
             ? 0
             : std::strtoull(line.c_str() + at, nullptr, 10);
}

ProcessName ProcessName::ofThisProcess() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  std::string node = name + boot;
  return {hashBytes(node.data(), node.size()), readStartTime(getpid()),
          getpid(), -1};
}

bool ProcessName::isThere() const {
  return startTime != 0 && readStartTime(pid) == startTime;
}

bool ProcessName::isStopped() const {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  // The state is the letter behind the name.
  size_t at = line.rfind(')');
  return at != std::string::npos && at + 2 < line.size() &&
         (line[at + 2] == 'T' || line[at + 2] == 't');
}

/// What a signal handler may read: plain memory that does not move.
struct MpiPeers::Table {
  static constexpr int kMost = 512;
  int32_t rank = 0;
  int count = 0;
  int files[kMost];
  int32_t ranks[kMost];
  int64_t pids[kMost];

  bool hasEnded(int i) const {
    // A process's file can be read once it has ended.
    pollfd entry{files[i], POLLIN, 0};
    return poll(&entry, 1, 0) == 1;
  }
};

static std::atomic<void *> watched{nullptr};

namespace {
/// Text in a signal handler: no allocation, no locale.
struct Line {
  char text[512];
  size_t size = 0;

  void add(const char *words) {
    while (*words && size < sizeof(text))
      text[size++] = *words++;
  }
  void add(int64_t number) {
    char digits[24];
    size_t at = sizeof(digits);
    digits[--at] = '\0';
    do
      digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    add(digits + at);
  }
};
} // namespace

template <typename Table> static void nameEnded(const Table &table) {
  Line line;
  int found = 0;
  for (int i = 0; i < table.count; ++i) {
    if (!table.hasEnded(i))
      continue;
    if (found++ == 0) {
      line.add("moert: rank ");
      line.add(table.rank);
      line.add(": told to end (SIGTERM), and lost were: rank ");
    } else {
      line.add(", rank ");
    }
    line.add(table.ranks[i]);
    line.add(" (process ");
    line.add(table.pids[i]);
    line.add(")");
  }
  if (!found)
    return;
  line.size = std::min(line.size, sizeof(line.text) - 1);
  line.add("\n");
  // Should stderr not take it, there is nobody else to tell.
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, line.text, line.size);
}

MpiPeers::~MpiPeers() {
  if (!table)
    return;
  void *own = table;
  watched.compare_exchange_strong(own, nullptr);
  for (int i = 0; i < table->count; ++i)
    close(table->files[i]);
  delete table;
}

void MpiPeers::watch(int32_t rank, const std::vector<ProcessName> &processes) {
  table = new Table;
  table->rank = rank;
  for (size_t peer = 0; peer < processes.size(); ++peer) {
    const ProcessName &process = processes[peer];
    const ProcessName &own = processes[static_cast<size_t>(rank)];
    if (static_cast<int32_t>(peer) == rank || process.node != own.node ||
        table->count == Table::kMost || process.startTime == 0)
      continue;
#ifdef SYS_pidfd_open
    int file = static_cast<int>(
        syscall(SYS_pidfd_open, static_cast<pid_t>(process.pid), 0));
#else
    int file = -1;
#endif
    if (file < 0)
      continue;
    // Another process may have the number, as one of another namespace does.
    if (readStartTime(process.pid) != process.startTime) {
      close(file);
      continue;
    }
    table->files[table->count] = file;
    table->ranks[table->count] = static_cast<int32_t>(peer);
    table->pids[table->count++] = process.pid;
  }
  watched.store(table);

  struct sigaction action {};
  if (sigaction(SIGTERM, nullptr, &action) != 0 ||
      (action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL)
    return;
  action.sa_handler = [](int signal) {
    if (auto *table = static_cast<Table *>(watched.load()))
      nameEnded(*table);
    // All ranks of a node are told to end one after another: who is told later
    // must not take this one for lost.
    constexpr timespec kPause{0, 100000000};
    nanosleep(&kPause, nullptr);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  };
  action.sa_flags = 0;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
}

std::string MpiPeers::findEnded(const std::vector<int32_t> &ranks) const {
  std::string ended;
  for (int i = 0; table && i < table->count; ++i)
    if (std::find(ranks.begin(), ranks.end(), table->ranks[i]) != ranks.end() &&
        table->hasEnded(i))
      ended += format("%s%d (process %lld)", ended.empty() ? "" : ", ",
                      table->ranks[i], static_cast<long long>(table->pids[i]));
  return ended;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes of the job on this node.

#include "mpi/MpiProcess.h"
#include "core/Hash.h"
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace moert;

namespace {
/// State of one process in /proc; zeros if there is none.
struct ProcessState {
  char letter = 0;
  uint64_t startTime = 0;
};
} // namespace

static ProcessState read(int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  // The second field is a name in parentheses with arbitrary characters. The
  // state's letter follows it, and the start time is the 22nd field.
  size_t at = line.rfind(')');
  if (at == std::string::npos || at + 2 >= line.size())
    return {};
  ProcessState state{line[at + 2]};
  for (int field = 2; field < 22 && at != std::string::npos; ++field)
    at = line.find(' ', at + 1);
  if (at != std::string::npos)
    state.startTime = std::strtoull(line.c_str() + at, nullptr, 10);
  return state;
}

ProcessName ProcessName::ofThisProcess() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  std::string node = name + boot;
  return {hashBytes(node.data(), node.size()), read(getpid()).startTime,
          getpid(), -1};
}

bool ProcessName::isThere() const {
  ProcessState state = read(pid);
  // A process that has ended remains until its parent has waited for it.
  return startTime != 0 && state.startTime == startTime &&
         state.letter != 'Z' && state.letter != 'X';
}

bool ProcessName::isStopped() const {
  char letter = read(pid).letter;
  return letter == 'T' || letter == 't';
}

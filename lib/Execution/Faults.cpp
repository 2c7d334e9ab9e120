// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports faults of compiled code.

#include "moe/Execution/Faults.h"
#include "llvm/ADT/SmallString.h"
#include <atomic>
#include <csignal>
#include <mutex>
#include <unistd.h>

using namespace moe;

namespace {

struct Fault {
  int signal;
  const char *words;
  /// Prefix and message, joined in advance because a signal handler must not
  /// allocate memory.
  llvm::SmallString<256> line = {};
  struct sigaction before = {};
};

} // namespace

static Fault faults[] = {
    {SIGFPE, "divided by zero or beyond what its integers hold (SIGFPE)"},
    {SIGSEGV, "accessed memory that is not its own (SIGSEGV)"},
    {SIGBUS, "accessed memory that is not there (SIGBUS)"},
    {SIGILL, "came to an instruction that is none (SIGILL)"},
};
static int exitCodeOfFaults = 0;
static std::mutex mutex;
static unsigned numScopes = 0;

static void handleFault(int signal) {
  static std::atomic_flag isEnding = ATOMIC_FLAG_INIT;
  // Ranks that are threads often fail for the same reason, so only one of them
  // prints the line.
  while (isEnding.test_and_set())
    pause();
  for (const Fault &fault : faults)
    if (fault.signal == signal) {
      // If stderr is not writable, the exit code still reports the fault.
      [[maybe_unused]] ssize_t written =
          write(STDERR_FILENO, fault.line.data(), fault.line.size());
    }
  _exit(exitCodeOfFaults);
}

void moe::endOnFaults(llvm::StringRef prefix, int exitCode) {
  std::lock_guard lock(mutex);
  exitCodeOfFaults = exitCode;
  for (Fault &fault : faults) {
    fault.line = prefix;
    fault.line += "the compiled program ";
    fault.line += fault.words;
    fault.line += ", as interp would say where (--backend=interp): compiled "
                  "code does not check it\n";
  }
}

FaultScope::FaultScope() {
  std::lock_guard lock(mutex);
  if (numScopes++ || faults[0].line.empty())
    return;
  struct sigaction action = {};
  action.sa_handler = handleFault;
  sigemptyset(&action.sa_mask);
  for (Fault &fault : faults)
    sigaction(fault.signal, &action, &fault.before);
}

FaultScope::~FaultScope() {
  std::lock_guard lock(mutex);
  if (isKept || --numScopes || faults[0].line.empty())
    return;
  for (Fault &fault : faults)
    sigaction(fault.signal, &fault.before, nullptr);
}

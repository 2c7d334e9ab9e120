// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timelines for Perfetto.

#ifndef MOE_SUPPORT_CHROMETRACE_H
#define MOE_SUPPORT_CHROMETRACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace moe::support {

/// Metadata of the task that a trace event represents.
struct TracedTask {
  std::string layer, phase;
  int64_t chunk = 0, chunks = 1;
  /// True if the time depends on sizes that were not measured.
  bool isExtrapolated = false;
};

/// Writes a timeline in the Chrome trace event format, which Perfetto opens:
/// one process per rank, one thread per stream, one event per task, times in
/// microseconds. Predictions and measurements differ only in their contents.
class ChromeTrace {
public:
  /// `about` describes the trace as pairs of a key and a text.
  ChromeTrace(
      llvm::raw_ostream &os,
      llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> about);
  ~ChromeTrace();
  ChromeTrace(const ChromeTrace &) = delete;
  ChromeTrace &operator=(const ChromeTrace &) = delete;

  void nameProcess(int64_t process, llvm::StringRef name);
  void nameThread(int64_t process, int64_t thread, llvm::StringRef name);
  /// Adds an event on a thread from `startUs` to `endUs`. If the task runs in
  /// several chunks, the chunk's number is appended to the name. `task` is
  /// nullopt for work that belongs to no task.
  void addEvent(int64_t process, int64_t thread, llvm::StringRef name,
                double startUs, double endUs,
                const std::optional<TracedTask> &task);

private:
  void addName(llvm::StringRef what, int64_t process, int64_t thread,
               llvm::StringRef name);

  llvm::raw_ostream &os;
  llvm::json::OStream json;
};

} // namespace moe::support

#endif // MOE_SUPPORT_CHROMETRACE_H

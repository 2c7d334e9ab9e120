// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timelines that Perfetto opens.

#ifndef MOE_SUPPORT_CHROMETRACE_H
#define MOE_SUPPORT_CHROMETRACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace moe::support {

/// What an event of a trace says of the task that ran.
struct TracedTask {
  std::string layer, phase;
  int64_t chunk = 0, chunks = 1;
  /// The time rests on sizes that were not measured.
  bool isExtrapolated = false;
};

/// Writes a timeline in the Chrome trace event format, which Perfetto opens: a
/// process a rank, a thread a stream, an event a task, times in microseconds.
/// Predictions and measurements differ only in what they write.
class ChromeTrace {
public:
  /// `about` says what the trace is of: pairs of a key and a text.
  ChromeTrace(
      llvm::raw_ostream &os,
      llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> about);
  /// Ends the trace.
  ~ChromeTrace();
  ChromeTrace(const ChromeTrace &) = delete;
  ChromeTrace &operator=(const ChromeTrace &) = delete;

  void nameProcess(int64_t process, llvm::StringRef name);
  void nameThread(int64_t process, int64_t thread, llvm::StringRef name);
  /// What ran on a thread from `startUs` to `endUs`; a chunk of several has its
  /// number behind the name. `task` is none for work of no task.
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

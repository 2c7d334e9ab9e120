// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of long computations.

#ifndef MOE_SUPPORT_PROGRESS_H
#define MOE_SUPPORT_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

namespace moe::support {

/// A line of a terminal that describes the current work after the process has
/// worked for `delay`, and disappears afterwards. A thread draws it every
/// `interval` from column 0, and leaves the cursor there for other output.
class Progress {
public:
  Progress(int fd, std::chrono::milliseconds delay,
           std::chrono::milliseconds interval);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Returns the progress line on stderr, which appears after two seconds; null
  /// unless stderr is a terminal that can erase a line, or forwarded to one by
  /// the mpirun that started this process.
  static Progress *getOfProcess();

  /// Hides activities that begin from now on, because only one process of each
  /// job should show them.
  static void keepQuiet();

  /// Erases the line until the next draw, so that other output can be printed.
  void erase();

private:
  friend class Activity;
  struct State;
  std::unique_ptr<State> state;
};

/// A possibly long activity during its lifetime. Concurrent activities share
/// the line, with the outer ones first.
class Activity {
public:
  /// `what` describes the activity, which has `total` parts if they can be
  /// counted.
  explicit Activity(std::string what, int64_t total = 0,
                    Progress *progress = Progress::getOfProcess());
  ~Activity();
  Activity(const Activity &) = delete;
  Activity &operator=(const Activity &) = delete;

  /// Begins the next part, named `part`.
  void next(std::string part = "");
  /// Records that `number` of `total` parts are complete.
  void reach(int64_t number, int64_t total);

private:
  struct Entry {
    std::string what, part;
    int64_t total = 0, number = 0;
  };
  friend class Progress;

  Progress *progress;
  std::list<Entry>::iterator entry;
};

/// Erases the progress line of the process, if any.
void eraseProgress();

} // namespace moe::support

#endif // MOE_SUPPORT_PROGRESS_H

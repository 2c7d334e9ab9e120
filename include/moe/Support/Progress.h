// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What takes long, while it does.

#ifndef MOE_SUPPORT_PROGRESS_H
#define MOE_SUPPORT_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

namespace moe::support {

/// A line of a terminal that says what is being done, once the process has
/// worked for `delay`, and is gone when nothing is. A thread draws it every
/// `interval`, from column 0, where the cursor is left for whoever prints next.
class Progress {
public:
  Progress(int fd, std::chrono::milliseconds delay,
           std::chrono::milliseconds interval);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// That of stderr, after two seconds; null where stderr is no terminal that
  /// can erase a line, nor handed on to one by the mpirun that started this
  /// process.
  static Progress *getOfProcess();

  /// Nothing is said of what begins from here on: of the processes of a job one
  /// speaks.
  static void keepQuiet();

  /// Takes the line away until it is drawn anew: for who prints in between.
  void erase();

private:
  friend class Activity;
  struct State;
  std::unique_ptr<State> state;
};

/// Something that may take long, while it lives. Those that live at once are
/// one line, the outer ones in front.
class Activity {
public:
  /// `what` in words, of `total` parts where they can be counted.
  explicit Activity(std::string what, int64_t total = 0,
                    Progress *progress = Progress::getOfProcess());
  ~Activity();
  Activity(const Activity &) = delete;
  Activity &operator=(const Activity &) = delete;

  /// The next of the parts begins; `part` is its name.
  void next(std::string part = "");
  /// So many of `total` parts are done.
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

/// Takes the line of the process away, if there is one.
void eraseProgress();

} // namespace moe::support

#endif // MOE_SUPPORT_PROGRESS_H

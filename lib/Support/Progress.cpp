// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of long computations.

#include "moe/Support/Progress.h"
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace moe::support;
using Clock = std::chrono::steady_clock;

struct Progress::State {
  int fd;
  std::chrono::milliseconds delay, interval;
  Clock::time_point start = Clock::now();
  std::mutex mutex;
  std::condition_variable wake;
  bool isOver = false, isDrawn = false;
  /// Outer activities first; activities of several threads in the order of
  /// their start.
  std::list<Activity::Entry> activities;
  std::thread drawer;

  /// A line that cannot be written must not stop the process.
  void write(const std::string &text) {
    size_t done = 0;
    while (done < text.size()) {
      ssize_t now = ::write(fd, text.data() + done, text.size() - done);
      if (now <= 0)
        return;
      done += static_cast<size_t>(now);
    }
  }

  void eraseLocked() {
    if (isDrawn)
      write("\r\033[K");
    isDrawn = false;
  }

  std::string describe() const {
    std::string text;
    for (const Activity::Entry &one : activities) {
      text += (text.empty() ? "" : ": ") + one.what;
      if (one.number > 0)
        text += " " + std::to_string(one.number) +
                (one.total > 0 ? " of " + std::to_string(one.total) : "");
      if (!one.part.empty())
        text += ", " + one.part;
    }
    auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
    return text + " (" + std::to_string(seconds.count()) + " s)";
  }

  void drawLocked() {
    if (activities.empty() || Clock::now() - start < delay)
      return;
    winsize size = {};
    size_t columns =
        ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
    std::string text = describe();
    if (text.size() >= columns)
      text = text.substr(0, columns - 4) + "...";
    write("\r" + text + "\033[K\r");
    isDrawn = true;
  }

  void run() {
    std::unique_lock lock(mutex);
    while (!isOver) {
      wake.wait_for(lock, interval);
      if (!isOver)
        drawLocked();
    }
    eraseLocked();
  }
};

Progress::Progress(int fd, std::chrono::milliseconds delay,
                   std::chrono::milliseconds interval)
    : state(std::make_unique<State>()) {
  state->fd = fd;
  state->delay = delay;
  state->interval = interval;
  state->drawer = std::thread([this] { state->run(); });
}

Progress::~Progress() {
  {
    std::lock_guard lock(state->mutex);
    state->isOver = true;
  }
  state->wake.notify_all();
  state->drawer.join();
}

void Progress::erase() {
  std::lock_guard lock(state->mutex);
  state->eraseLocked();
}

/// Returns true if stderr is a pipe of an mpirun that forwards it to a
/// terminal.
static bool isHandedOn() {
  struct stat own = {};
  if (!std::getenv("OMPI_COMM_WORLD_RANK") || fstat(STDERR_FILENO, &own) != 0 ||
      !S_ISFIFO(own.st_mode))
    return false;
  std::string path = "/proc/" + std::to_string(getppid()) + "/fd/2";
  int launcher = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  bool isTerminal = launcher >= 0 && isatty(launcher);
  if (launcher >= 0)
    close(launcher);
  return isTerminal;
}

static bool canErase() {
  const char *terminal = std::getenv("TERM");
  return terminal && std::strcmp(terminal, "dumb") &&
         (isatty(STDERR_FILENO) || isHandedOn());
}

static std::atomic<bool> isQuiet = false;

void Progress::keepQuiet() { isQuiet = true; }

Progress *Progress::getOfProcess() {
  if (isQuiet)
    return nullptr;
  // The object lives until the process ends in any way.
  static Progress *const line = [] {
    if (!canErase())
      return static_cast<Progress *>(nullptr);
    using namespace std::chrono_literals;
    auto *made = new Progress(STDERR_FILENO, 2s, 250ms);
    std::atexit(eraseProgress);
    return made;
  }();
  return line;
}

void moe::support::eraseProgress() {
  if (Progress *line = Progress::getOfProcess())
    line->erase();
}

Activity::Activity(std::string what, int64_t total, Progress *progress)
    : progress(progress) {
  if (!progress)
    return;
  std::lock_guard lock(progress->state->mutex);
  std::list<Entry> &all = progress->state->activities;
  entry = all.insert(all.end(), {std::move(what), "", total, 0});
}

Activity::~Activity() {
  if (!progress)
    return;
  std::lock_guard lock(progress->state->mutex);
  progress->state->activities.erase(entry);
  if (progress->state->activities.empty())
    progress->state->eraseLocked();
}

void Activity::next(std::string part) {
  if (!progress)
    return;
  std::lock_guard lock(progress->state->mutex);
  ++entry->number;
  entry->part = std::move(part);
}

void Activity::reach(int64_t number, int64_t total) {
  if (!progress)
    return;
  std::lock_guard lock(progress->state->mutex);
  entry->number = number;
  entry->total = total;
}

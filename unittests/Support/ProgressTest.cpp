// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of progress lines.

#include "moe/Support/Progress.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

using namespace moe::support;
using namespace std::chrono_literals;

namespace {

/// A terminal of 80 columns that records its output.
class Terminal {
public:
  Terminal() {
    winsize size = {};
    size.ws_col = 80;
    EXPECT_EQ(openpty(&master, &slave, nullptr, nullptr, &size), 0);
  }
  ~Terminal() {
    close(master);
    close(slave);
  }

  int getFd() const { return slave; }

  /// Waits until `text` has been written; returns everything written so far.
  const std::string &readUntil(const std::string &text) {
    for (int i = 0; i < 500 && all.find(text) == all.npos; ++i)
      read(10);
    return all;
  }
  /// Reads the output of the next `ms` milliseconds.
  const std::string &read(int ms) {
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    pollfd waiting = {master, POLLIN, 0};
    char part[4096];
    while (std::chrono::steady_clock::now() < end)
      if (poll(&waiting, 1, 1) > 0)
        if (ssize_t size = ::read(master, part, sizeof(part)); size > 0)
          all.append(part, static_cast<size_t>(size));
    return all;
  }

private:
  int master = -1, slave = -1;
  std::string all;
};

TEST(ProgressTest, SaysWhatIsDoneAndTakesItAway) {
  Terminal terminal;
  Progress line(terminal.getFd(), 0ms, 2ms);
  {
    Activity outer("schedule", 9, &line);
    outer.next("fsmoe");
    outer.next("lina");
    EXPECT_NE(terminal.readUntil("\rschedule 2 of 9, lina (0 s)\033[K\r")
                  .find("\rschedule 2 of 9, lina (0 s)\033[K\r"),
              std::string::npos);
    Activity inner("layer", 0, &line);
    inner.next();
    std::string text = "\rschedule 2 of 9, lina: layer 1 (0 s)\033[K\r";
    EXPECT_NE(terminal.readUntil(text).find(text), std::string::npos);
    inner.reach(300, 20000);
    text = "\rschedule 2 of 9, lina: layer 300 of 20000 (0 s)\033[K\r";
    EXPECT_NE(terminal.readUntil(text).find(text), std::string::npos);
  }
  std::string all = terminal.read(20);
  EXPECT_TRUE(all.ends_with("\r\033[K")) << all;
}

TEST(ProgressTest, IsSilentBeforeItsTimeAndWhenErased) {
  Terminal terminal;
  Progress late(terminal.getFd(), 1h, 1ms);
  Activity activity("waiting", 0, &late);
  late.erase();
  EXPECT_EQ(terminal.read(30), "");
}

TEST(ProgressTest, LinesFitTheTerminal) {
  Terminal terminal;
  Progress line(terminal.getFd(), 0ms, 2ms);
  Activity activity(std::string(200, 'x'), 0, &line);
  std::string text = "\r" + std::string(76, 'x') + "...\033[K\r";
  EXPECT_NE(terminal.readUntil(text).find(text), std::string::npos);
}

TEST(ProgressTest, NobodyNeedsATerminal) {
  Activity activity("alone", 3, nullptr);
  activity.next("first");
  activity.reach(2, 3);
}

} // namespace

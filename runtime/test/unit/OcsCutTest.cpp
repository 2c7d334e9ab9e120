// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests answers that are cut off, split, repeated or late.

#include "OcsFixture.h"
#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

/// A switch that answers correctly, except for one fault at a byte of its
/// answers or after a command. It works again after the fault.
class BrittleSwitch {
public:
  struct Trouble {
    /// The connection ends before this byte.
    std::optional<size_t> cutAt;
    /// Bytes from this one on are sent later.
    std::optional<size_t> splitAt;
    /// After this number of commands, the connection ends without an answer to
    /// the last one.
    std::optional<size_t> dieAfter;
    /// The answer to this command is sent twice.
    std::optional<size_t> doubled;
  };

  BrittleSwitch() {
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&place), size), 0);
    EXPECT_EQ(listen(listener, 8), 0);
    EXPECT_EQ(
        getsockname(listener, reinterpret_cast<sockaddr *>(&place), &size), 0);
    address = "127.0.0.1:" + std::to_string(ntohs(place.sin_port));
    thread = std::thread([this] {
      for (int fd; (fd = accept(listener, nullptr, nullptr)) >= 0;) {
        int one = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        serve(fd);
        ::close(fd);
      }
    });
  }
  ~BrittleSwitch() {
    shutdown(listener, SHUT_RDWR);
    thread.join();
    ::close(listener);
  }

  std::string address;
  /// The lock is held while an answer is sent, so its holder sees the bytes of
  /// the last answer counted.
  std::unique_lock<std::mutex> waitUntilQuiet() {
    return std::unique_lock<std::mutex>(mutex);
  }
  /// Set between commands, when no answer is being sent.
  Trouble trouble;
  std::atomic<size_t> sent{0}, done{0};
  std::map<int32_t, int32_t> circuits;

private:
  std::mutex mutex;

  void serve(int fd) {
    std::string input;
    char bytes[512];
    for (ssize_t count; (count = recv(fd, bytes, sizeof(bytes), 0)) > 0;) {
      input.append(bytes, static_cast<size_t>(count));
      for (size_t end; (end = input.find(';')) != std::string::npos;) {
        std::string command = input.substr(0, end);
        input.erase(0, end + 1);
        command.erase(0, command.find_first_not_of("\r\n "));
        if (!answer(fd, command))
          return;
      }
    }
  }

  bool answer(int fd, const std::string &command) {
    std::lock_guard<std::mutex> lock(mutex);
    // VERB::BLOCK:TAG:
    size_t block = command.find("::") + 2;
    size_t end = command.find(':', block);
    std::string tag =
        command.substr(end + 1, command.find(':', end + 1) - end - 1);
    std::string text =
        "\r\n\n   BRITTLE 26-01-01 00:00:00\r\nM  " + tag + " COMPLD\r\n";
    if (command.starts_with("RTRV")) {
      for (auto [in, out] : circuits)
        text +=
            "   \"" + std::to_string(in) + "," + std::to_string(out) + "\"\r\n";
    } else if (command.starts_with("DLT")) {
      for (int32_t port : readPorts(command.substr(block, end - block)))
        circuits.erase(port);
    } else if (command.starts_with("ENT")) {
      size_t comma = command.find(',');
      std::vector<int32_t> in = readPorts(command.substr(block, comma - block)),
                           out = readPorts(
                               command.substr(comma + 1, end - comma - 1));
      for (size_t k = 0; k < in.size(); ++k)
        circuits[in[k]] = out[k];
    }
    text += ";";
    size_t number = done++;
    if (trouble.dieAfter == number + 1) {
      trouble = {};
      return false;
    }
    return send(fd, text) && (trouble.doubled != number || send(fd, text));
  }

  bool send(int fd, const std::string &text) {
    for (char c : text) {
      if (trouble.cutAt == sent) {
        trouble = {};
        return false;
      }
      if (trouble.splitAt == sent)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (::send(fd, &c, 1, MSG_NOSIGNAL) != 1)
        return false;
      ++sent;
    }
    return true;
  }

  static std::vector<int32_t> readPorts(const std::string &list) {
    std::vector<int32_t> ports;
    for (size_t from = 0; from < list.size();) {
      size_t to = std::min(list.find('&', from), list.size());
      ports.push_back(std::stoi(list.substr(from, to - from)));
      from = to + 1;
    }
    return ports;
  }

  int listener = -1;
  std::thread thread;
};

/// A change that removes and adds circuits, with a fault at some point.
class OcsCutTest : public OcsTest {
protected:
  struct Outcome {
    moert_status status;
    moert_ocs_result result;
    Map had;
    size_t bytes, commands;
  };

  Outcome run(const BrittleSwitch::Trouble &trouble) {
    BrittleSwitch brittle;
    brittle.circuits = {{1, 9}, {2, 10}, {3, 11}};
    address = brittle.address;
    Outcome outcome = {};
    size_t bytes = 0, commands = 0;
    EXPECT_EQ(open(makeConfig()), MOERT_OK) << getError();
    auto quiet = brittle.waitUntilQuiet();
    bytes = brittle.sent;
    commands = brittle.done;
    BrittleSwitch::Trouble at = trouble;
    for (auto *place : {&at.cutAt, &at.splitAt})
      if (*place)
        **place += bytes;
    for (auto *place : {&at.dieAfter, &at.doubled})
      if (*place)
        **place += commands;
    brittle.trouble = at;
    quiet.unlock();
    outcome.status = configure(wanted, &outcome.result);
    quiet.lock();
    outcome.bytes = brittle.sent - bytes;
    outcome.commands = brittle.done - commands;
    quiet.unlock();
    if (outcome.status == MOERT_OK) {
      EXPECT_EQ(outcome.result.removed, 2);
      EXPECT_EQ(outcome.result.added, 2);
    } else {
      // Either no command was sent, or the result is unknown.
      EXPECT_EQ(outcome.result.removed, outcome.result.added);
      EXPECT_LE(outcome.result.added, 0);
      if (outcome.result.added == 0) {
        EXPECT_EQ(brittle.circuits, (Map{{1, 9}, {2, 10}, {3, 11}}));
      }
    }
    // An answer out of place may arrive as late as this. It ends the
    // connection, and the next request opens a new one.
    int32_t count = 0;
    if (trouble.doubled &&
        moert_ocs_circuits(ocs, nullptr, 0, &count) != MOERT_OK) {
      EXPECT_NE(getError().find("answers to a tag that nothing waits for"),
                std::string::npos)
          << getError();
    }
    // A query returns the actual circuits.
    outcome.had = getCircuits();
    EXPECT_EQ(outcome.had, brittle.circuits);
    EXPECT_EQ(configure(wanted), MOERT_OK) << lastError;
    EXPECT_EQ(brittle.circuits, wanted);
    close();
    return outcome;
  }

  const Map wanted = {{1, 9}, {2, 11}, {3, 10}};
};

} // namespace

TEST_F(OcsCutTest, SplitAtEveryByte) {
  size_t bytes = run({}).bytes;
  EXPECT_GT(bytes, 100u);
  for (size_t at = 0; at < bytes; ++at) {
    BrittleSwitch::Trouble trouble;
    trouble.splitAt = at;
    EXPECT_EQ(run(trouble).status, MOERT_OK) << at << ": " << lastError;
  }
}

TEST_F(OcsCutTest, CutOffAtEveryByte) {
  size_t bytes = run({}).bytes;
  for (size_t at = 0; at < bytes; ++at) {
    BrittleSwitch::Trouble trouble;
    trouble.cutAt = at;
    EXPECT_NE(run(trouble).status, MOERT_OK) << at;
  }
}

TEST_F(OcsCutTest, DyingAfterEveryCommand) {
  // The three commands are query, remove and add.
  ASSERT_EQ(run({}).commands, 3u);
  const Map before = {{1, 9}, {2, 10}, {3, 11}};
  const Map expected[] = {before, {{1, 9}}, wanted};
  for (size_t after = 1; after <= 3; ++after) {
    BrittleSwitch::Trouble trouble;
    trouble.dieAfter = after;
    Outcome outcome = run(trouble);
    EXPECT_NE(outcome.status, MOERT_OK) << after;
    EXPECT_EQ(outcome.result.added, after == 1 ? 0 : -1) << after;
    EXPECT_EQ(outcome.had, expected[after - 1]) << after;
  }
}

TEST_F(OcsCutTest, AnAnswerThatComesTwice) {
  // The client accepts the first of two equal answers. The second one is an
  // error if the client waits for another answer, and is ignored otherwise.
  for (size_t number = 0; number < 3; ++number) {
    BrittleSwitch::Trouble trouble;
    trouble.doubled = number;
    auto start = Clock::now();
    Outcome outcome = run(trouble);
    if (outcome.status != MOERT_OK) {
      EXPECT_EQ(outcome.status, MOERT_BACKEND_ERROR);
    }
    EXPECT_LT(getMs(start), 9000);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the connections between ranks and the hub.

#include "FreeAddress.h"
#include "Ranks.h"
#include "net/Member.h"
#include "net/Message.h"
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace moert;
using namespace moert::test;

namespace {

/// A job of two ranks in this process; the hub is one of its threads.
class ConnectionTest : public ::testing::Test {
protected:
  void SetUp() override {
    address = findFreeAddress();
    ASSERT_NE(address, "") << "no port is free";
  }

  Status join(int32_t rank) {
    moert_config config;
    moert_config_default(&config);
    config.rank = rank;
    config.world_size = 2;
    config.address = address.c_str();
    config.token = "secret";
    return Member::join(config, Deadline::inMicroseconds(kPatienceUs),
                        members[rank]);
  }

  void joinBoth() {
    runThreads(2, [&](int32_t rank) {
      Status status = join(rank);
      ASSERT_TRUE(status.ok()) << status.getMessage();
    });
  }

  std::string address;
  /// The last member is destroyed first, because the first one has the hub.
  std::unique_ptr<Member> members[2];
};

} // namespace

static int getOption(int fd, int level, int option) {
  int value = -1;
  socklen_t size = sizeof(value);
  EXPECT_EQ(getsockopt(fd, level, option, &value, &size), 0);
  return value;
}

/// A rank whose machine has crashed sends nothing, so the system must send
/// keep-alive probes. Messages are short and must be sent without delay.
TEST_F(ConnectionTest, AllAreWatched) {
  joinBoth();
  sockaddr_in place;
  ASSERT_TRUE(parseAddress(address, place).ok());
  int numEnds = 0;
  constexpr int kMostFiles = 1024;
  for (int fd = 0; fd < kMostFiles; ++fd) {
    sockaddr_in own{}, peer{};
    socklen_t ownSize = sizeof(own), peerSize = sizeof(peer);
    if (getsockname(fd, reinterpret_cast<sockaddr *>(&own), &ownSize) != 0 ||
        getpeername(fd, reinterpret_cast<sockaddr *>(&peer), &peerSize) != 0 ||
        own.sin_family != AF_INET ||
        (own.sin_port != place.sin_port && peer.sin_port != place.sin_port))
      continue;
    ++numEnds;
    const char *whose = own.sin_port == place.sin_port ? "hub's" : "rank's";
    EXPECT_EQ(getOption(fd, IPPROTO_TCP, TCP_NODELAY), 1) << whose;
    EXPECT_EQ(getOption(fd, SOL_SOCKET, SO_KEEPALIVE), 1) << whose;
    int idleS = getOption(fd, IPPROTO_TCP, TCP_KEEPIDLE);
    int intervalS = getOption(fd, IPPROTO_TCP, TCP_KEEPINTVL);
    int probes = getOption(fd, IPPROTO_TCP, TCP_KEEPCNT);
    EXPECT_LE(idleS + intervalS * probes, 60) << whose;
  }
  EXPECT_EQ(numEnds, 4) << "two ranks, and the hub's end of each";
}

/// If the hub's thread cannot continue, the job must end with an error, and the
/// process must continue.
TEST_F(ConnectionTest, AHubThatCannotGoOnSaysSo) {
  joinBoth();
  // The hub polls its listener and two ranks, each rank one connection. The
  // system refuses to poll more files than the limit of the process.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 2;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int i = 0; i < 6000; ++i) {
    if (members[0]->getFailure().isRaised() &&
        members[1]->getFailure().isRaised())
      break;
    usleep(10000);
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  for (int32_t rank : {0, 1}) {
    Status status = members[rank]->getFailure().getStatusOf(rank);
    EXPECT_NE(status.getMessage().find(
                  "rank 0, where the ranks meet, cannot go on: poll: "),
              std::string::npos)
        << status.getMessage();
  }
}

/// Sizes of many ranks are sent to the hub as a digest.
TEST_F(ConnectionTest, SizesAreShortMessages) {
  Socket listener;
  ASSERT_TRUE(listenAt(address, listener).ok());
  size_t numBytes = 0;
  std::thread thread([&] {
    pollfd entry{listener.get(), POLLIN, 0};
    ASSERT_EQ(poll(&entry, 1, 60000), 1);
    Socket hub(::accept(listener.get(), nullptr, nullptr));
    EXPECT_TRUE(
        sendAll(hub.get(), MessageWriter().finish(MessageType::Welcome)));
    char bytes[4096];
    for (ssize_t got; (got = recv(hub.get(), bytes, sizeof(bytes), 0)) > 0;)
      numBytes += static_cast<size_t>(got);
  });
  Status status = join(1);
  ASSERT_TRUE(status.ok()) << status.getMessage();
  members[1]->call(0, 1, 0, "ragged_all_to_all", std::vector<int64_t>(2048, 3));
  members[1] = nullptr;
  thread.join();
  EXPECT_LT(numBytes, 512u) << "hello, call and leave";
}

/// After a partial message, the hub could not read another one, so a partial
/// send is an error.
TEST_F(ConnectionTest, HalfAMessageSentIsAnError) {
  Socket listener;
  ASSERT_TRUE(listenAt(address, listener).ok());
  // A hub that accepts ranks and then stops reading.
  Socket hub;
  std::thread thread([&] {
    pollfd entry{listener.get(), POLLIN, 0};
    ASSERT_EQ(poll(&entry, 1, 60000), 1);
    hub = Socket(::accept(listener.get(), nullptr, nullptr));
    EXPECT_TRUE(
        sendAll(hub.get(), MessageWriter().finish(MessageType::Welcome)));
  });
  Status status = join(1);
  thread.join();
  ASSERT_TRUE(status.ok()) << status.getMessage();
  Member &member = *members[1];
  constexpr uint64_t kMost = 64;
  std::string words(1 << 20, 'x');
  double begin = nowMs();
  for (uint64_t number = 0; number < kMost && nowMs() - begin < 60000 &&
                            !member.getFailure().isRaised();
       ++number)
    member.call(0, 1, number, words);
  status = member.getFailure().getStatusOf(1);
  EXPECT_EQ(status.getCode(), MOERT_ABORTED);
  EXPECT_NE(status.getMessage().find("takes no message any more"),
            std::string::npos)
      << status.getMessage();
}

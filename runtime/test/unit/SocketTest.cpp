// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the addresses of ranks.

#include "FreeAddress.h"
#include "net/Member.h"
#include <cstring>
#include <gtest/gtest.h>
#include <netdb.h>
#include <unistd.h>

using namespace moert;
using namespace moert::test;

TEST(SocketTest, FindsHostsByName) {
  char name[256] = "";
  ASSERT_EQ(gethostname(name, sizeof(name) - 1), 0);
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_family = AF_INET;
  if (getaddrinfo(name, nullptr, &wanted, &found) != 0)
    GTEST_SKIP() << "this machine does not know its own name " << name;
  sockaddr_in expected;
  std::memcpy(&expected, found->ai_addr, sizeof(expected));
  freeaddrinfo(found);
  sockaddr_in place;
  Status status = parseAddress(std::string(name) + ":29850", place);
  ASSERT_TRUE(status.ok()) << status.getMessage();
  EXPECT_EQ(place.sin_addr.s_addr, expected.sin_addr.s_addr);
  EXPECT_EQ(ntohs(place.sin_port), 29850);
}

/// A hosts file may map a machine's own name to 127.0.1.1, but other machines
/// connect to it by another address.
TEST(SocketTest, ListensWhereOthersLookForIt) {
  sockaddr_in place;
  ASSERT_TRUE(parseListeningAddress("127.0.1.1:29850", place).ok());
  EXPECT_EQ(ntohl(place.sin_addr.s_addr), 0x7f000101u);
  ASSERT_TRUE(parseListeningAddress("localhost:29850", place).ok());
  EXPECT_EQ(ntohl(place.sin_addr.s_addr), 0x7f000001u);
  char name[256] = "";
  ASSERT_EQ(gethostname(name, sizeof(name) - 1), 0);
  std::string own = std::string(name) + ":29850";
  if (!parseAddress(own, place).ok() ||
      ntohl(place.sin_addr.s_addr) >> 24 != 127)
    GTEST_SKIP() << "this machine's name is no loopback address";
  ASSERT_TRUE(parseListeningAddress(own, place).ok());
  EXPECT_EQ(place.sin_addr.s_addr, htonl(INADDR_ANY));
  EXPECT_EQ(verifyToken(own, "").getCode(), MOERT_INVALID_ARGUMENT);
  EXPECT_TRUE(verifyToken(own, "secret").ok());
}

TEST(SocketTest, SaysThatThereIsNoAddress) {
  sockaddr_in place;
  Status status = parseAddress("local", place);
  EXPECT_NE(status.getMessage().find("got none"), std::string::npos);
  EXPECT_EQ(status.getMessage().find("'local'"), std::string::npos);
}

TEST(SocketTest, RefusesAddresses) {
  for (const char *wrong :
       {"", "local", "127.0.0.1", "127.0.0.1:", ":80", "127.0.0.1:0",
        "127.0.0.1:99999", "127.0.0.1:8o", "nowhere.invalid:80"}) {
    Socket socket;
    EXPECT_EQ(listenAt(wrong, socket).getCode(), MOERT_INVALID_ARGUMENT)
        << wrong;
  }
  std::string address = findFreeAddress();
  Socket first, second;
  EXPECT_TRUE(listenAt(address, first).ok());
  EXPECT_EQ(listenAt(address, second).getCode(), MOERT_UNAVAILABLE);
}

TEST(SocketTest, NeedsATokenWhereOthersReachIt) {
  std::unique_ptr<Member> member;
  moert_config config;
  moert_config_default(&config);
  config.world_size = 2;
  config.token = "";
  for (int32_t rank : {0, 1}) {
    config.rank = rank;
    config.address = "10.1.2.3:29500";
    Status status =
        Member::join(config, Deadline::inMicroseconds(1000000), member);
    EXPECT_EQ(status.getCode(), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(status.getMessage().find("expected a token"), std::string::npos)
        << status.getMessage();
  }
  std::string address = findFreeAddress();
  config.address = address.c_str();
  std::string tooLong(2000, 'x');
  config.token = tooLong.c_str();
  Status status =
      Member::join(config, Deadline::inMicroseconds(1000000), member);
  EXPECT_NE(status.getMessage().find("at most 1024 bytes, got 2000"),
            std::string::npos)
      << status.getMessage();
}

//===- Hub.h - Where processes meet -----------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NET_HUB_H
#define MOERT_NET_HUB_H

#include "core/Blame.h"
#include "net/Message.h"
#include "net/Socket.h"
#include <atomic>
#include <map>
#include <memory>
#include <thread>

namespace moert {

/// A thread in rank 0's process that every rank is connected to. It carries no
/// data of collectives. It brings ranks together, compares what they call,
/// and tells all of them when the job is over: a rank said so, ranks called
/// different things, a connection ended, or a rank's deadline passed.
/// Connections that do not show the token are closed; the job does not notice.
class Hub {
public:
  /// Starts to listen.
  static Status start(const std::string &address, std::string token,
                      int32_t worldSize, std::unique_ptr<Hub> &hub);
  /// Ends when all ranks have left, or after a moment.
  ~Hub();

private:
  struct Guest {
    Socket socket;
    MessageBuffer received;
    std::string toSend;
    int32_t rank = -1;
    Deadline::Clock::time_point since;
    bool gone = false;
  };
  /// Ranks on their way to each other.
  struct Meeting {
    std::vector<int32_t> ranks;
    std::vector<std::string> data;
    std::vector<bool> present;
    size_t count = 0;
  };
  /// A group that has met: the calls its members made, by number.
  struct Group {
    std::vector<int32_t> ranks;
    std::string name;
    std::vector<uint64_t> calls;
    struct Call {
      std::string words;
      int32_t rank;
      size_t count;
      /// By position: rows sent to and expected from each member, of a ragged
      /// collective.
      std::vector<std::vector<int64_t>> sizes;
    };
    std::map<uint64_t, Call> open;
  };

  Hub(Socket listener, std::string token, int32_t worldSize);
  void loop();
  void accept();
  void read(Guest &guest);
  void handle(Guest &guest, MessageType type, MessageReader message);
  void hello(Guest &guest, MessageReader &message);
  void meet(Guest &guest, MessageReader &message);
  void call(Guest &guest, MessageReader &message);
  void compareSizes(const Group &group, uint64_t number);
  void stuck(Guest &guest, MessageReader &message);
  void lose(Guest &guest);
  void refuse(Guest &guest, const std::string &why);
  void fail(const Status &status, const std::vector<int32_t> &concerned);
  void sendTo(int32_t rank, const std::string &message);
  static std::vector<int32_t> findMissing(const Group &group, uint64_t number);
  Whereabouts findWhereabouts(int32_t rank) const;
  /// "missing are ranks ...": follows waits to those who wait for nobody.
  std::string describe(std::vector<int32_t> missing) const;
  void findAbandoned(const Group &group);

  Socket listener;
  const std::string token;
  const int32_t worldSize;
  std::vector<std::unique_ptr<Guest>> guests;
  /// By rank; null before it has joined and after it is gone.
  std::vector<Guest *> members;
  std::vector<bool> left;
  int32_t numJoined = 0, numLeft = 0;
  bool failed = false;
  std::string failure;
  std::map<std::string, Meeting> meetings;
  std::map<uint64_t, Group> groups;
  uint64_t nextGroup = 0;
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace moert

#endif // MOERT_NET_HUB_H

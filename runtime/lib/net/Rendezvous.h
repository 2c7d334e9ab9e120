// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks that meet agree on.

#ifndef MOERT_NET_RENDEZVOUS_H
#define MOERT_NET_RENDEZVOUS_H

#include "core/WaitGraph.h"
#include "net/Message.h"
#include <map>

namespace moert {

/// What the hub knows of a job: who has joined, who meets whom, what each
/// group calls, and when the job is over. Knows nothing of sockets and waits
/// for nothing: messages come in by `handle`, answers go to `Guest::toSend`.
///
/// A message is believed only as far as it can be: whoever has not shown the
/// token can change nothing, and what no rank sends (a rank out of range, a
/// call out of turn, a body that does not fit) is an error in words. It ends
/// the job when the job has started; before, it frees the rank's place, which
/// somebody else took.
class Rendezvous {
public:
  /// Somebody who is connected.
  struct Guest {
    /// Bytes on their way to it.
    std::string toSend;
    /// -1 until it has shown the token.
    int32_t rank = -1;
    /// Nothing is read from it any more.
    bool gone = false;
  };

  Rendezvous(std::string token, int32_t worldSize);

  /// Takes a message of a guest that is not gone.
  void handle(Guest &guest, MessageType type, MessageReader message);
  /// The guest's connection has ended; `how` stands in the words of the error.
  void lose(Guest &guest, const std::string &how);
  /// The guest has sent what no rank sends; `what` says what it was.
  void violate(Guest &guest, const std::string &what);
  /// Ends the job: every rank is told. Only the first failure counts.
  void fail(const Status &status, const std::vector<int32_t> &concerned);

  /// No rank is connected.
  bool isDeserted() const;
  /// Tells every rank that is connected.
  void sendToAll(const std::string &message);

private:
  /// Ranks on their way to each other.
  struct Meeting {
    std::vector<int32_t> ranks;
    std::vector<std::string> data;
    std::vector<bool> present;
    size_t count = 0;
    /// For errors: what all come for.
    std::string what;
    /// Whether a group comes of it, which calls collectives.
    bool makesGroup = true;
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

  void refuse(Guest &guest, const std::string &why);
  void hello(Guest &guest, MessageReader &message);
  void meet(Guest &guest, MessageReader &message, bool makesGroup);
  void call(Guest &guest, MessageReader &message);
  void compareSizes(const Group &group, uint64_t number);
  void stuck(Guest &guest, MessageReader &message);
  void failByWord(Guest &guest, MessageReader &message);
  void leave(Guest &guest);
  bool hasStarted() const { return numJoined == worldSize; }
  std::string findProblem(const std::vector<int32_t> &ranks, int32_t own,
                          uint64_t position) const;
  std::string printFailure(int32_t rank) const;
  static std::vector<int32_t> findMissing(const Group &group, uint64_t number);
  Whereabouts findWhereabouts(int32_t rank) const;
  /// "missing are ranks ...": follows waits to those who wait for nobody.
  std::string describe(std::vector<int32_t> missing) const;
  void findAbandoned(const Group &group);
  void findAbandoned(const Meeting &meeting);

  const std::string token;
  const int32_t worldSize;
  /// By rank; null before it has joined and after it is gone.
  std::vector<Guest *> members;
  std::vector<bool> left;
  /// Meetings that a rank waits in.
  std::vector<uint32_t> numMeetings;
  int32_t numJoined = 0, numLeft = 0;
  /// What ended the job, and whom it concerns.
  bool failed = false;
  Status failure;
  std::vector<int32_t> failureConcerns;
  std::map<std::string, Meeting> meetings;
  std::map<uint64_t, Group> groups;
  uint64_t nextGroup = 0;
};

} // namespace moert

#endif // MOERT_NET_RENDEZVOUS_H

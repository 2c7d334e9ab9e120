// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Agreement of ranks that meet.

#ifndef MOERT_NET_RENDEZVOUS_H
#define MOERT_NET_RENDEZVOUS_H

#include "core/WaitGraph.h"
#include "net/Message.h"
#include <map>
#include <optional>

namespace moert {

/// The hub's state of a job: the ranks that have joined, the meetings, the
/// calls of each group, and the end of the job. It does not use sockets and
/// does not wait: `handle` receives messages, and answers are appended to
/// `Guest::toSend`.
///
/// Messages are not trusted. A peer that has not shown the token cannot change
/// anything. A message that no rank sends (a rank out of range, a call out of
/// order, a malformed body) is an error with a description. It ends the job if
/// the job has started; before that, it frees the rank's place, which an
/// impostor has taken.
class Rendezvous {
public:
  /// A connected peer.
  struct Guest {
    /// Bytes to send to the peer.
    std::string toSend;
    /// -1 until the peer has shown the token.
    int32_t rank = -1;
    /// Nothing more is read from the peer.
    bool gone = false;
  };

  Rendezvous(std::string token, int32_t worldSize);

  /// Handles a message of a guest that is not gone.
  void handle(Guest &guest, MessageType type, MessageReader message);
  /// Handles the end of the guest's connection; `how` is a part of the error.
  void lose(Guest &guest, const std::string &how);
  /// Handles a message that no rank sends; `what` describes it.
  void violate(Guest &guest, const std::string &what);
  /// Ends the job and notifies every rank. Only the first failure counts.
  void fail(const Status &status, const std::vector<int32_t> &concerned);

  /// Returns true if no rank is connected.
  bool isDeserted() const;
  /// Sends a message to all connected ranks.
  void sendToAll(const std::string &message);

private:
  /// Ranks that wait for each other.
  struct Meeting {
    std::vector<int32_t> ranks;
    std::vector<std::string> data;
    std::vector<bool> present;
    size_t count = 0;
    /// The purpose, for errors.
    std::string what;
    /// Whether the meeting creates a group, which can call collectives.
    bool makesGroup = true;
  };
  /// A group that has met, with its members' calls by number.
  struct Group {
    std::vector<int32_t> ranks;
    std::string name;
    std::vector<uint64_t> calls;
    struct Call {
      std::string words;
      int32_t rank;
      size_t count;
      /// For a ragged collective, the number of members that sent a digest of
      /// their sizes, and the sum of the digests (`digestSizes`).
      size_t numDigests;
      uint64_t digest;
    };
    std::map<uint64_t, Call> open;
    /// Rows sent to and expected from each member by each member, by position.
    /// The hub requests them if the digests of a collective do not add up to 0;
    /// there is no value before the answer.
    std::map<uint64_t, std::vector<std::optional<std::vector<int64_t>>>>
        requested;
  };

  void refuse(Guest &guest, const std::string &why);
  void hello(Guest &guest, MessageReader &message);
  void meet(Guest &guest, MessageReader &message, bool makesGroup);
  void call(Guest &guest, MessageReader &message);
  void requestSizes(uint64_t id, uint64_t number);
  void takeSizes(Guest &guest, MessageReader &message);
  void takeSizes(Group &group, uint64_t number, size_t position,
                 std::vector<int64_t> sizes);
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
  /// Returns "missing are ranks ...": follows waits to the ranks that do not
  /// wait.
  std::string describe(std::vector<int32_t> missing) const;
  void findAbandoned(const Group &group);
  void findAbandoned(const Meeting &meeting);

  const std::string token;
  const int32_t worldSize;
  /// By rank; null before the rank has joined and after it is gone.
  std::vector<Guest *> members;
  std::vector<bool> left;
  /// Number of meetings that each rank waits for.
  std::vector<uint32_t> numMeetings;
  int32_t numJoined = 0, numLeft = 0;
  /// The failure that ended the job, and the ranks that it concerns.
  bool failed = false;
  Status failure;
  std::vector<int32_t> failureConcerns;
  std::map<std::string, Meeting> meetings;
  std::map<uint64_t, Group> groups;
  uint64_t nextGroup = 0;
};

} // namespace moert

#endif // MOERT_NET_RENDEZVOUS_H

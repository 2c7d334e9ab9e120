// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections of ranks to the hub.

#ifndef MOERT_NET_TCPMEMBER_H
#define MOERT_NET_TCPMEMBER_H

#include "net/Hub.h"
#include "net/Member.h"
#include <deque>
#include <functional>
#include <mutex>

namespace moert {

/// A rank that is connected to the hub of its job. A thread listens to the hub,
/// so that the rank learns of the end of the job immediately.
class TcpMember : public Member {
public:
  /// Joins the job at config.address; rank 0 also starts the hub.
  static Status join(const moert_config &config, Deadline deadline,
                     std::unique_ptr<Member> &member);
  ~TcpMember() override;

  Status meet(const std::string &name, const std::vector<int32_t> &ranks,
              int32_t position, const std::string &data, Deadline deadline,
              std::vector<std::string> &all, uint64_t &group) override;
  Status exchange(const std::string &name, const std::string &data,
                  Deadline deadline, std::vector<std::string> &all) override;

  void addCall(uint64_t group, int32_t position, uint64_t number,
               const std::string &words,
               const std::vector<int64_t> &sizes) override;
  void flush() override;
  /// Makes the hub end the job and name the missing ranks.
  void reportStuck(uint64_t group, uint64_t number,
                   const std::string &words) override;

  void fail(const Status &status,
            const std::vector<int32_t> &concerned) override;
  const Failure &getFailure() const override { return failure; }

private:
  TcpMember(const moert_config &config, Socket socket,
            std::unique_ptr<Hub> hub);
  void loop();
  void raise(Status status, std::vector<int32_t> concerned);
  void send(const std::string &message);
  /// Answers the hub when the digests of a ragged collective do not match.
  void tellSizes(uint64_t group, uint64_t number);
  Status meet(MessageType type, const std::string &name,
              const std::vector<int32_t> &ranks, int32_t position,
              const std::string &data, Deadline deadline,
              std::vector<std::string> &all, uint64_t &group);
  /// Waits until the deadline, then sends `stuck` to make the hub find the
  /// missing ranks, and waits for its answer until `last`.
  Status waitFor(const std::function<bool()> &isDone, Deadline deadline,
                 Deadline last, const std::string &stuck);

  const int32_t rank, worldSize;
  Socket socket;
  std::unique_ptr<Hub> hub;
  Failure failure;
  std::mutex sendMutex, mutex;
  Signal signal;
  bool welcome = false;
  /// Guarded by `sendMutex`.
  bool cannotSend = false;
  std::string calls;
  /// The sizes of the most recent ragged collectives.
  struct KeptSizes {
    uint64_t group, number;
    std::vector<int64_t> sizes;
  };
  static constexpr size_t kMostKeptSizes = 64;
  std::deque<KeptSizes> keptSizes;
  std::map<std::string, MessageReader> met;
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace moert

#endif // MOERT_NET_TCPMEMBER_H

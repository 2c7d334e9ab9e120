//===- Member.h - A rank's connection to the hub ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NET_MEMBER_H
#define MOERT_NET_MEMBER_H

#include "cpu/Failure.h"
#include "net/Hub.h"
#include <functional>
#include <mutex>

namespace moert {

/// A rank that is connected to the hub of its job. A thread of its own listens
/// to what the hub says, so that the end of the job is heard at once.
class Member {
public:
  /// Joins the job at config.address; rank 0 starts the hub.
  static Status join(const moert_config &config, Deadline deadline,
                     std::unique_ptr<Member> &member);
  ~Member();

  /// Meets the ranks of a group under a name; gives everyone's data in group
  /// order and a number for `call`.
  Status meet(const std::string &name, const std::vector<int32_t> &ranks,
              int32_t position, const std::string &data, Deadline deadline,
              std::vector<std::string> &all, uint64_t &group);

  /// The same for ranks that only tell each other something.
  Status exchange(const std::string &name, const std::vector<int32_t> &ranks,
                  int32_t position, const std::string &data, Deadline deadline,
                  std::vector<std::string> &all);

  /// Says what collective `number` of a group is here, and of a ragged one how
  /// many rows go to each member and are expected from each. Does not wait:
  /// when others call something else, the job fails.
  void call(uint64_t group, int32_t position, uint64_t number,
            const std::string &words, const std::vector<int64_t> &sizes = {});
  /// The same, to go out with the next other message or by `flush`.
  void addCall(uint64_t group, int32_t position, uint64_t number,
               const std::string &words, const std::vector<int64_t> &sizes);
  void flush();
  /// Says that a collective's deadline has passed: the hub ends the job and
  /// names who is missing.
  void reportStuck(uint64_t group, uint64_t number, const std::string &words);

  /// Ends the job for all.
  void fail(const Status &status, const std::vector<int32_t> &concerned);
  const Failure &getFailure() const { return failure; }

private:
  Member(int32_t rank, Socket socket, std::unique_ptr<Hub> hub);
  void loop();
  void raise(Status status, std::vector<int32_t> concerned);
  void send(const std::string &message);
  Status meet(MessageType type, const std::string &name,
              const std::vector<int32_t> &ranks, int32_t position,
              const std::string &data, Deadline deadline,
              std::vector<std::string> &all, uint64_t &group);
  /// Waits until the deadline, asks the hub by `stuck` who is missing, and
  /// waits for its answer until `last`.
  Status waitFor(const std::function<bool()> &isDone, Deadline deadline,
                 Deadline last, const std::string &stuck);

  const int32_t rank;
  Socket socket;
  std::unique_ptr<Hub> hub;
  Failure failure;
  std::mutex sendMutex, mutex;
  Signal signal;
  bool welcome = false;
  /// Under `sendMutex`.
  bool cannotSend = false;
  std::string calls;
  std::map<std::string, MessageReader> met;
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace moert

#endif // MOERT_NET_MEMBER_H

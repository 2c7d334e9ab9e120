// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that the caller's functions connect.

#ifndef MOERT_NET_CALLBACKMEMBER_H
#define MOERT_NET_CALLBACKMEMBER_H

#include "net/Bootstrap.h"
#include "net/Member.h"
#include <map>
#include <mutex>

namespace moert {

/// A rank with an all-gather of bytes that the caller provides. No process
/// observes the job: collectives are not compared, only deadlines detect a lost
/// rank, and a failing rank notifies only its own caller, who may notify the
/// others.
///
/// Every all-gather exchanges one frame of fixed length per rank, which
/// describes its rank, number and purpose. Received frames are compared with
/// the expected values.
class CallbackMember : public Member {
public:
  struct Frame;

  static Status join(const moert_config &config, Deadline deadline,
                     std::unique_ptr<Member> &member);
  ~CallbackMember() override;

  Status meet(const std::string &name, const std::vector<int32_t> &ranks,
              int32_t position, const std::string &data, Deadline deadline,
              std::vector<std::string> &all, uint64_t &group) override;
  Status exchange(const std::string &name, const std::string &data,
                  Deadline deadline, std::vector<std::string> &all) override;

  /// Does nothing, because calls are not compared.
  void addCall(uint64_t, int32_t, uint64_t, const std::string &,
               const std::vector<int64_t> &) override {}
  void flush() override {}
  void reportStuck(uint64_t group, uint64_t number,
                   const std::string &words) override;

  void fail(const Status &status,
            const std::vector<int32_t> &concerned) override;
  const Failure &getFailure() const override { return bootstrap->getFailure(); }
  void release() override { bootstrap->stop(); }

private:
  explicit CallbackMember(const moert_config &config);
  /// Makes as many all-gathers as the data requires. `frames` receives the last
  /// frame of each rank, and `all` the data. An error has ended the job.
  Status gather(Frame own, const std::string &what, const std::string &data,
                Deadline deadline, std::vector<Frame> &frames,
                std::vector<std::string> &all);
  /// Checks that a frame is the expected one of rank `from`.
  Status verify(const Frame &own, const Frame &other, int32_t from) const;
  Status verifyConfigs(const moert_config &config, Deadline deadline);
  /// Checks that each rank has met all members of its group.
  Status verifyGroups(const std::vector<Frame> &frames,
                      const std::vector<int32_t> &ranks,
                      std::vector<int32_t> &concerned) const;

  const int32_t rank, worldSize;
  const std::shared_ptr<Bootstrap> bootstrap;
  /// Held during an exchange; guards `round`.
  std::timed_mutex turn;
  uint64_t round = 0;
  std::mutex namesMutex;
  std::vector<std::string> names;
};

} // namespace moert

#endif // MOERT_NET_CALLBACKMEMBER_H

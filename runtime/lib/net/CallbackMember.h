// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that the caller's job joins.

#ifndef MOERT_NET_CALLBACKMEMBER_H
#define MOERT_NET_CALLBACKMEMBER_H

#include "net/Bootstrap.h"
#include "net/Member.h"
#include <map>
#include <mutex>

namespace moert {

/// A rank whose caller brings an all-gather of bytes. Nobody watches: what
/// ranks call is not compared, a rank that is gone is found by deadlines only,
/// and who fails tells its own caller, who may tell the others.
///
/// Every all-gather is of one frame of each rank, all of one length, which says
/// who gives it, when and what for: what comes back is compared with what had
/// to.
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

  /// Nobody compares.
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
  /// One all-gather, or as many as the data needs. `frames` are the first of
  /// each rank, `all` the data. An error has ended the job.
  Status gather(Frame own, const std::string &what, const std::string &data,
                Deadline deadline, std::vector<Frame> &frames,
                std::vector<std::string> &all);
  /// Whether a frame of rank `from` is what had to come.
  Status verify(const Frame &own, const Frame &other, int32_t from) const;
  Status verifyConfigs(const moert_config &config, Deadline deadline);
  /// Whether each rank has met all members of its group.
  Status verifyGroups(const std::vector<Frame> &frames,
                      const std::vector<int32_t> &ranks,
                      std::vector<int32_t> &concerned) const;

  const int32_t rank, worldSize;
  const std::shared_ptr<Bootstrap> bootstrap;
  /// Held by who exchanges; what follows is its.
  std::timed_mutex turn;
  uint64_t round = 0;
  std::mutex namesMutex;
  std::vector<std::string> names;
};

} // namespace moert

#endif // MOERT_NET_CALLBACKMEMBER_H

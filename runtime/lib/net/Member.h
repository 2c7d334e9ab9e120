// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank among those of its job.

#ifndef MOERT_NET_MEMBER_H
#define MOERT_NET_MEMBER_H

#include "core/Wait.h"
#include "cpu/Failure.h"
#include <memory>
#include <string>

namespace moert {

/// What processes of a job know of each other beside their collectives: they
/// tell each other bytes, and that the job is over. `TcpMember` is connected to
/// a hub, which sees more than each rank; `CallbackMember` has what the
/// caller's job brings. Thread safe.
class Member {
public:
  /// Joins the job as the configuration says: by its `all_gather`, or at its
  /// address.
  static Status join(const moert_config &config, Deadline deadline,
                     std::unique_ptr<Member> &member);
  /// Leaves it.
  virtual ~Member() = default;

  /// Meets the ranks of a group under a name; gives everyone's data, 256 bytes
  /// of each at most, in group order and a number for `call`. A
  /// `CallbackMember` meets all ranks of the job, each in a group of its own.
  virtual Status meet(const std::string &name,
                      const std::vector<int32_t> &ranks, int32_t position,
                      const std::string &data, Deadline deadline,
                      std::vector<std::string> &all, uint64_t &group) = 0;

  /// All ranks of the job tell each other something.
  virtual Status exchange(const std::string &name, const std::string &data,
                          Deadline deadline, std::vector<std::string> &all) = 0;

  /// Says what collective `number` of a group is here, and of a ragged one how
  /// many rows go to each member and are expected from each. Does not wait:
  /// when others call something else, the job fails, if somebody compares.
  void call(uint64_t group, int32_t position, uint64_t number,
            const std::string &words, const std::vector<int64_t> &sizes = {}) {
    addCall(group, position, number, words, sizes);
    flush();
  }
  /// The same, to go out with the next other message or by `flush`.
  virtual void addCall(uint64_t group, int32_t position, uint64_t number,
                       const std::string &words,
                       const std::vector<int64_t> &sizes) = 0;
  virtual void flush() = 0;
  /// Says that a collective's deadline has passed, which ends the job.
  virtual void reportStuck(uint64_t group, uint64_t number,
                           const std::string &words) = 0;

  /// Ends the job for all, as far as they can be told.
  virtual void fail(const Status &status,
                    const std::vector<int32_t> &concerned) = 0;
  virtual const Failure &getFailure() const = 0;
  /// Calls nothing of the caller's any more; the job is over here.
  virtual void release() {}
};

} // namespace moert

#endif // MOERT_NET_MEMBER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections of ranks to their job.

#ifndef MOERT_NET_MEMBER_H
#define MOERT_NET_MEMBER_H

#include "core/Wait.h"
#include "cpu/Failure.h"
#include <memory>
#include <string>

namespace moert {

/// The connection of this process to the others of its job, outside of
/// collectives: processes exchange bytes and learn that the job has ended. A
/// `TcpMember` is connected to a hub, which sees all ranks; a `CallbackMember`
/// uses the functions of the caller. Thread-safe.
class Member {
public:
  /// Joins the job with the configuration's `all_gather`, or at its address.
  static Status join(const moert_config &config, Deadline deadline,
                     std::unique_ptr<Member> &member);
  /// Leaves the job.
  virtual ~Member() = default;

  /// Meets the ranks of a group under a name. `all` receives the data of all
  /// members, at most 256 bytes each, in group order, and `group` a number for
  /// `call`. A `CallbackMember` meets all ranks of the job, each in its own
  /// group.
  virtual Status meet(const std::string &name,
                      const std::vector<int32_t> &ranks, int32_t position,
                      const std::string &data, Deadline deadline,
                      std::vector<std::string> &all, uint64_t &group) = 0;

  /// Exchanges data among all ranks of the job.
  virtual Status exchange(const std::string &name, const std::string &data,
                          Deadline deadline, std::vector<std::string> &all) = 0;

  /// Reports collective `number` of a group and, if it is ragged, the number of
  /// rows to and from each member. Only a digest of the sizes is sent; the hub
  /// requests the sizes if the digests do not match. Does not wait. If other
  /// ranks call another collective, the hub finds the difference and the job
  /// fails.
  void call(uint64_t group, int32_t position, uint64_t number,
            const std::string &words, const std::vector<int64_t> &sizes = {}) {
    addCall(group, position, number, words, sizes);
    flush();
  }
  /// Like `call`, but sends the message with the next one or with `flush`.
  virtual void addCall(uint64_t group, int32_t position, uint64_t number,
                       const std::string &words,
                       const std::vector<int64_t> &sizes) = 0;
  virtual void flush() = 0;
  /// Reports that the deadline of a collective has passed, which ends the job.
  virtual void reportStuck(uint64_t group, uint64_t number,
                           const std::string &words) = 0;

  /// Ends the job for all ranks that can be notified.
  virtual void fail(const Status &status,
                    const std::vector<int32_t> &concerned) = 0;
  virtual const Failure &getFailure() const = 0;
  /// Stops calling functions of the caller; the job has ended on this rank.
  virtual void release() {}
};

} // namespace moert

#endif // MOERT_NET_MEMBER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between threads.

#ifndef MOERT_HOST_HOSTCOMM_H
#define MOERT_HOST_HOSTCOMM_H

#include "cpu/CpuContext.h"
#include "host/CollectiveSlots.h"
#include "host/HostJob.h"

namespace moert {

/// One member of a communicator between host ranks. Members copy or reduce
/// directly from the others' buffers into their own.
class HostComm : public CpuComm {
public:
  HostComm(std::shared_ptr<HostJob> job, std::shared_ptr<CollectiveSlots> board)
      : job(std::move(job)), board(std::move(board)) {}

  Status run(std::span<const Collective *const> batch) override;
  size_t getMostAhead() const override { return CollectiveSlots::kDepth; }
  std::string describeWait() override;

private:
  using Time = Deadline::Clock::time_point;

  // Steps of collective `at`, which all members have posted.
  Status verifySignatures(uint64_t at);
  Status verifySizes(size_t member, uint64_t at);
  size_t countBytes(uint64_t at) const;
  void move(size_t member, uint64_t at);
  void reduceInTwo(uint64_t at);
  void reduceForAll(uint64_t at);
  Status runForAll(uint64_t at);
  Time bookLinks(uint64_t at);

  void advance();
  Status lead(bool &moved);
  void takePart(uint64_t at);
  bool giveUp(uint64_t seenDone, uint64_t seenOpen);
  /// Explains why not all members arrived; ends the job if that has not
  /// happened.
  Status explain();
  const Collective &getCollective(size_t member, uint64_t at) const {
    return *board->getSlot(member, at).collective;
  }
  int32_t getRank() const { return ranks[position]; }

  std::shared_ptr<HostJob> job;
  std::shared_ptr<CollectiveSlots> board;
  /// Numbers of the next collective, and of the next meeting in an all_reduce.
  uint64_t number = 0, meeting = 0;
  /// One more than the number of the last collective that this member took part
  /// in after it was opened.
  uint64_t moved = 0;
};

} // namespace moert

#endif // MOERT_HOST_HOSTCOMM_H

//===- HostComm.h - Collectives between threads -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_HOST_HOSTCOMM_H
#define MOERT_HOST_HOSTCOMM_H

#include "cpu/CpuContext.h"
#include "host/Board.h"
#include "host/HostJob.h"

namespace moert {

/// One member of a communicator between host ranks. Every member copies or
/// reduces straight from the others' buffers into its own.
class HostComm : public CpuComm {
public:
  HostComm(std::shared_ptr<HostJob> job, std::shared_ptr<Board> board)
      : job(std::move(job)), board(std::move(board)) {}

  Status run(const Collective &collective, bool mayDefer) override;
  void settle() override;
  std::string describeWait() override;

private:
  using Time = Deadline::Clock::time_point;

  Status verifyAgreement(const Collective &collective);
  void move(const Collective &collective);
  void reduceInTwo(const Collective &collective);
  Time bookLinks(const Collective &collective);
  /// When not all arrived: why. Ends the job when nobody has.
  Status explain();
  const Collective &getCollective(size_t member) const {
    return *board->getSlot(member, number).collective;
  }
  int32_t getRank() const { return ranks[position]; }

  std::shared_ptr<HostJob> job;
  std::shared_ptr<Board> board;
  /// Of the next collective, and of the next meeting in an all_reduce.
  uint64_t number = 0, meeting = 0;
  /// What was posted last: others may read it until all have departed. Two,
  /// because the end of a collective may be left to the start of the next.
  Collective posted[2];
};

} // namespace moert

#endif // MOERT_HOST_HOSTCOMM_H

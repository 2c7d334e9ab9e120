// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of jobs that fail on purpose.

#ifndef MOERT_TEST_CONFORMANCE_FAULTYJOB_H
#define MOERT_TEST_CONFORMANCE_FAULTYJOB_H

#include "Rank.h"
#include "moert_extend.h"
#include <numeric>

namespace conformance {

/// A job that will fail: a stream with two buffers, and communicators of all
/// ranks.
struct FaultyJob {
  explicit FaultyJob(Rank &rank) : rank(rank) {
    ranks.resize(rank.worldSize());
    std::iota(ranks.begin(), ranks.end(), 0);
    REQUIRE(rank, moert_stream_create(rank.context, "first", 0, &stream));
    REQUIRE(rank, moert_buffer_create(rank.context, kBytes, MOERT_MEMORY_DEVICE,
                                      &from));
    REQUIRE(rank, moert_buffer_create(rank.context, kBytes, MOERT_MEMORY_DEVICE,
                                      &to));
  }
  moert_comm *createComm(uint64_t key) {
    moert_comm *comm = nullptr;
    REQUIRE(rank, moert_comm_create(stream, ranks.data(),
                                    static_cast<int32_t>(ranks.size()), key,
                                    MOERT_DEADLINE_DEFAULT, &comm));
    return comm;
  }
  bool isLast() const { return rank.number() == rank.worldSize() - 1; }
  void *source() const { return moert_buffer_data(from); }
  void *target() const { return moert_buffer_data(to); }

  /// Waits for the stream. The job must have failed with one of these codes and
  /// a message that contains all of `parts`.
  void expectFailure(std::vector<moert_status> codes,
                     std::vector<std::string> parts) {
    moert_status status =
        moert_stream_synchronize(stream, 2 * moert_deadline_us(rank.context));
    std::string text = moert_last_error(rank.context);
    verify(status, text, codes, parts);
    // Later calls must fail as well.
    if (moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT) == MOERT_OK)
      rank.fail("the job works again after a failure");
  }
  void verify(moert_status status, const std::string &text,
              const std::vector<moert_status> &codes,
              const std::vector<std::string> &parts) {
    ++rank.numCases;
    bool known = false;
    for (moert_status code : codes)
      known |= code == status;
    if (!known)
      rank.fail(std::string("unexpected status ") + moert_status_name(status) +
                ": " + text);
    for (const std::string &part : parts)
      if (text.find(part) == std::string::npos)
        rank.fail("expected '" + part + "' in the error, got: " + text);
  }

  static constexpr size_t kBytes = 1 << 16;
  Rank &rank;
  std::vector<int32_t> ranks;
  moert_stream *stream = nullptr;
  moert_buffer *from = nullptr, *to = nullptr;
};

inline std::string lastRank(const Rank &rank) {
  return std::to_string(rank.worldSize() - 1);
}

/// Runs ten correct rounds, so that the fault occurs during normal work, when
/// all ranks have their communicators. On a slow rank, any of these calls may
/// already report the fault; only the final wait counts.
inline void warmUp(FaultyJob &job, moert_comm *comm) {
  for (int i = 0; i < 10; ++i)
    (void)moert_all_to_all(comm, job.source(), job.target(), 10, MOERT_I32);
  (void)moert_stream_synchronize(job.stream, MOERT_DEADLINE_DEFAULT);
}

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_FAULTYJOB_H

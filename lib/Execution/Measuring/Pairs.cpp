// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures messages between two ranks.

#include "MachineMeasurer.h"

#include <limits>

using namespace moe;
using cost::Failure;
using cost::Result;
using dispatch::Links;
using platform::Sample;

namespace {

/// A communicator of two ranks; null on all other ranks.
struct PairComm {
  moert_comm *comm = nullptr;
  ~PairComm() { moert_comm_destroy(comm); }
};

} // namespace

std::optional<Failure> MachineMeasurer::measureLink(moert_comm *comm,
                                                    bool isSender,
                                                    platform::LinkFit &fit) {
  // Ranks outside of the pair only take part in the synchronization.
  auto send = [&](int64_t bytes) {
    if (!comm)
      return MOERT_OK;
    int64_t to = 1 - moert_comm_rank(comm), rows = bytes / 4;
    int64_t offsets[2] = {0, 0}, sent[2] = {0, 0}, received[2] = {0, 0};
    (isSender ? sent : received)[to] = rows;
    return moert_ragged_all_to_all(comm, moert_buffer_data(source), rows,
                                   moert_buffer_data(target), rows, /*row=*/1,
                                   offsets, sent, offsets, received, MOERT_F32);
  };
  Samples samples;
  Result<platform::LinkFit> found = Failure{"no message was sent"};
  auto measure = [&](Sample &sample) -> std::optional<Failure> {
    Result<double> us =
        time(stream, [&] { return send(int64_t(sample.size.value())); });
    if (!us)
      return us.getFailure();
    sample.time = std::min(sample.time, cost::Microseconds(*us));
    return std::nullopt;
  };
  // Increases the message size until the messages exceed the amount that a link
  // accepts at once. All ranks use the same times, so they send the same sizes.
  constexpr int64_t kShortest = 4096, kStep = 4;
  constexpr size_t kLeastSizes = 5;
  const cost::Microseconds unknown(std::numeric_limits<double>::infinity());
  for (int64_t bytes = kShortest; bytes <= options.maxBytes; bytes *= kStep) {
    samples.push_back({cost::Bytes(double(bytes)), unknown});
    if (auto failure = measure(samples.back()))
      return failure;
    takeLargerAsBound(samples);
    found = platform::fitLink(samples);
    if (samples.size() >= kLeastSizes &&
        ((found && found->isSettled) ||
         samples.back().time.value() * kStep > options.secondsPerSize * 1e7))
      break;
  }
  for (int round = 1; !found && round < getMostRounds(samples.size());
       ++round) {
    for (Sample &sample : samples)
      if (auto failure = measure(sample))
        return failure;
    takeLargerAsBound(samples);
    found = platform::fitLink(samples);
  }
  if (!found)
    return found.getFailure();
  fit = *found;
  return std::nullopt;
}

std::optional<Failure>
MachineMeasurer::measurePairs(platform::Measurements &all) {
  Result<platform::LineFit> local = platform::fitLine(all.copies);
  if (!local)
    return Failure{"copies: " + local.getError()};
  Links &pairs = all.pairs.emplace(nodes.numRanks);
  auto own = static_cast<int64_t>(job.getRank());
  // Ids must be unique per rank, but different ranks may use the same ids.
  constexpr uint64_t kFirstId = 1000;
  for (int64_t i = 0; i < nodes.numRanks; ++i) {
    pairs.at(i, i) = {local->alpha.value(), local->beta.value()};
    for (int64_t j = 0; j < i; ++j) {
      PairComm pair;
      bool isMember = own == i || own == j;
      int32_t ranks[2] = {static_cast<int32_t>(j), static_cast<int32_t>(i)};
      if (isMember)
        if (auto failure = check(moert_comm_create(
                stream, ranks, 2, kFirstId + uint64_t(i * nodes.numRanks + j),
                MOERT_DEADLINE_DEFAULT, &pair.comm)))
          return failure;
      for (auto [from, to] : {std::pair(i, j), std::pair(j, i)}) {
        platform::LinkFit fit;
        if (auto failure = measureLink(pair.comm, own == from, fit))
          return Failure{"from rank " + std::to_string(from) + " to rank " +
                         std::to_string(to) + ": " + failure->message};
        pairs.at(from, to) = fit.link;
        all.unsettledPairs += !fit.isSettled;
      }
    }
  }
  return std::nullopt;
}

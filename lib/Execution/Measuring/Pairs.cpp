//===- Pairs.cpp - What messages between two ranks take -------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineMeasurer.h"

using namespace moe;
using cost::Failure;
using cost::Result;
using dispatch::Link;
using dispatch::Links;
using platform::Sample;

namespace {

/// A group of two ranks, on these only.
struct PairComm {
  moert_comm *comm = nullptr;
  ~PairComm() { moert_comm_destroy(comm); }
};

} // namespace

std::optional<Failure> MachineMeasurer::measureLink(moert_comm *comm,
                                                    bool isSender, Link &link) {
  // Where one rank of the pair sends and the other receives, all others only
  // meet them.
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
  std::vector<Sample> samples;
  constexpr int kMostRounds = 5;
  for (int round = 0; round < kMostRounds; ++round) {
    for (size_t i = 0; i < kPairSizes.size(); ++i) {
      int64_t bytes = std::min(kPairSizes[i], options.maxBytes);
      Result<double> us = time(stream, [&] { return send(bytes); });
      if (!us)
        return us.getFailure();
      if (round == 0)
        samples.push_back(
            {cost::Bytes(double(bytes)), cost::Microseconds(*us)});
      samples[i].time = std::min(samples[i].time, cost::Microseconds(*us));
    }
    // All ranks have the same times.
    takeLargerAsBound(samples);
    Result<platform::LineFit> line = platform::fitLine(samples);
    if (line) {
      link = {line->alpha.value(), line->beta.value()};
      return std::nullopt;
    }
    if (round + 1 == kMostRounds)
      return Failure{line.getError()};
  }
  return std::nullopt;
}

std::optional<Failure>
MachineMeasurer::measurePairs(const std::vector<Sample> &copies,
                              std::optional<Links> &pairs) {
  Result<platform::LineFit> local = platform::fitLine(copies);
  if (!local)
    return Failure{"copies: " + local.getError()};
  pairs.emplace(nodes.numRanks);
  auto own = static_cast<int64_t>(job.getRank());
  // Communicators of other ranks may have the same ids; those of one rank
  // have different ones.
  constexpr uint64_t kFirstId = 1000;
  for (int64_t i = 0; i < nodes.numRanks; ++i) {
    pairs->at(i, i) = {local->alpha.value(), local->beta.value()};
    for (int64_t j = 0; j < i; ++j) {
      PairComm pair;
      bool isMember = own == i || own == j;
      int32_t ranks[2] = {static_cast<int32_t>(j), static_cast<int32_t>(i)};
      if (isMember)
        if (auto failure = check(moert_comm_create(
                stream, ranks, 2, kFirstId + uint64_t(i * nodes.numRanks + j),
                MOERT_DEADLINE_DEFAULT, &pair.comm)))
          return failure;
      for (auto [from, to] : {std::pair(i, j), std::pair(j, i)})
        if (auto failure =
                measureLink(pair.comm, own == from, pairs->at(from, to)))
          return Failure{"from rank " + std::to_string(from) + " to rank " +
                         std::to_string(to) + ": " + failure->message};
    }
  }
  return std::nullopt;
}

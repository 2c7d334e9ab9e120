// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests ragged all-to-alls with random counts.

#include "Rank.h"
#include <algorithm>
#include <numeric>

using namespace conformance;

namespace {

/// The rows that ranks send each other, and their offsets.
struct Traffic {
  /// sizes[i][j]: rows from position i to position j.
  std::vector<std::vector<int64_t>> sizes, sendOffsets, receiveOffsets;
  std::vector<int64_t> sendRows, receiveRows;
};

} // namespace

/// Kinds of counts: random with zeros, one busy receiver, no rows at all, and
/// only rows to the rank itself.
static const char *const kinds[] = {"random", "one receiver", "nothing",
                                    "own rows"};

static Traffic drawTraffic(size_t n, size_t kind, uint64_t seed) {
  Traffic traffic;
  auto grid = std::vector<std::vector<int64_t>>(n, std::vector<int64_t>(n, 0));
  traffic.sizes = traffic.sendOffsets = traffic.receiveOffsets = grid;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      uint64_t hash = mix({seed, i, j});
      int64_t random = hash % 3 == 0 ? 0 : static_cast<int64_t>(hash >> 8) % 40;
      random = std::abs(random);
      bool used =
          kind == 0 || (kind == 1 && j == seed % n) || (kind == 3 && i == j);
      traffic.sizes[i][j] = used ? random : 0;
    }
  // Runs in any order, with gaps between them. A row may be sent twice, but
  // received runs must not overlap.
  auto place = [&](size_t rank, bool sends, std::vector<int64_t> &offsets) {
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return mix({seed, rank, sends, a}) < mix({seed, rank, sends, b});
    });
    int64_t next = 0;
    for (size_t peer : order) {
      next += static_cast<int64_t>(mix({seed, rank, sends, peer, 1}) % 3);
      offsets[peer] = next;
      next += sends ? traffic.sizes[rank][peer] : traffic.sizes[peer][rank];
    }
    return next + 1;
  };
  for (size_t i = 0; i < n; ++i) {
    traffic.sendRows.push_back(place(i, true, traffic.sendOffsets[i]));
    traffic.receiveRows.push_back(place(i, false, traffic.receiveOffsets[i]));
  }
  return traffic;
}

static void testOne(Rank &rank, Stream &stream, Comm &comm, moert_type type,
                    size_t row, size_t kind, uint64_t seed,
                    const std::string &where) {
  size_t n = comm.size(), me = comm.position();
  size_t unit = row * moert_type_size(type);
  Traffic traffic = drawTraffic(n, kind, seed);
  std::vector<Bytes> inputs;
  for (size_t i = 0; i < n; ++i)
    inputs.push_back(
        randomBits(type, traffic.sendRows[i] * row, mix({seed, i, 99})));
  Bytes before = randomBits(type, traffic.receiveRows[me] * row, seed + 5);
  Bytes expected = before;
  std::vector<int64_t> receiveSizes(n);
  for (size_t i = 0; i < n; ++i) {
    receiveSizes[i] = traffic.sizes[i][me];
    std::copy_n(inputs[i].begin() + traffic.sendOffsets[i][me] * unit,
                receiveSizes[i] * unit,
                expected.begin() + traffic.receiveOffsets[me][i] * unit);
  }
  Array send(rank, stream, inputs[me].size());
  Array receive(rank, stream, expected.size());
  send.write(inputs[me]);
  receive.write(before);
  std::vector<int64_t> sendOffsets = traffic.sendOffsets[me];
  std::vector<int64_t> receiveOffsets = traffic.receiveOffsets[me];
  REQUIRE(rank, moert_ragged_all_to_all(
                    comm, send.data(), traffic.sendRows[me], receive.data(),
                    traffic.receiveRows[me], row, sendOffsets.data(),
                    traffic.sizes[me].data(), receiveOffsets.data(),
                    receiveSizes.data(), type));
  // The call must have read the arrays.
  std::fill(sendOffsets.begin(), sendOffsets.end(), -1);
  std::fill(receiveOffsets.begin(), receiveOffsets.end(), -1);
  std::fill(receiveSizes.begin(), receiveSizes.end(), -1);
  rank.check(std::string("ragged_all_to_all, ") + kinds[kind] +
                 ", of rows of " + std::to_string(row) + " " + nameOf(type) +
                 " on " + where,
             type, expected, receive.read());
}

void conformance::testRagged(Rank &rank) {
  Stream stream(rank, "ragged");
  uint64_t key = 200, seed = 0;
  for (const Partition &partition : makePartitions(rank.worldSize())) {
    Comm comm(rank, stream, partition, ++key);
    seed = key * 1000;
    if (!comm)
      continue;
    for (moert_type type : allTypes())
      for (size_t kind = 0; kind < 4; ++kind)
        for (size_t row : {0, 1, 33, 700})
          testOne(rank, stream, comm, type, row, kind, ++seed, partition.name);
  }
}

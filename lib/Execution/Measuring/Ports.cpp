// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the rate of a single endpoint.

#include "MachineMeasurer.h"

#include <limits>

using namespace moe;
using cost::Failure;
using cost::Result;

namespace {

/// Runs of elements, by position in the group.
struct Runs {
  explicit Runs(size_t size) : offsets(size), sizes(size) {}
  std::vector<int64_t> offsets, sizes;
  int64_t all = 0;

  void set(size_t position, int64_t elements) {
    offsets[position] = all;
    sizes[position] = elements;
    all += elements;
  }
};

} // namespace

Result<double> MachineMeasurer::measurePort(moert_comm *comm,
                                            int64_t endpointRanks,
                                            bool isReceiving) {
  int64_t size = moert_comm_size(comm), own = moert_comm_rank(comm);
  bool isOfEndpoint = own < endpointRanks;
  int64_t messages = endpointRanks * (size - endpointRanks);
  constexpr int64_t kElementBytes = 4;
  // Sends between each rank of the endpoint and each other rank, in one
  // direction.
  auto send = [&](int64_t bytes) {
    int64_t elements = std::max<int64_t>(1, bytes / messages / kElementBytes);
    Runs sent{size_t(size)}, received{size_t(size)};
    for (int64_t other = 0; other < size; ++other)
      if ((other < endpointRanks) != isOfEndpoint)
        (isOfEndpoint == isReceiving ? received : sent)
            .set(size_t(other), elements);
    return moert_ragged_all_to_all(
        comm, moert_buffer_data(source), sent.all, moert_buffer_data(target),
        received.all, /*row=*/1, sent.offsets.data(), sent.sizes.data(),
        received.offsets.data(), received.sizes.data(), MOERT_F32);
  };
  int64_t large =
      std::min<int64_t>(options.maxBytes, (options.onDevices ? 64 : 4) << 20);
  int64_t small = large / 4;
  // The difference of two sizes contains neither the latency nor the amount
  // that links accept at once.
  double smallUs = std::numeric_limits<double>::infinity(), largeUs = smallUs;
  for (int round = 0; round < getMostRounds(2); ++round) {
    for (auto [bytes, best] :
         {std::pair(small, &smallUs), std::pair(large, &largeUs)}) {
      Result<double> us = timeAlone(stream, [&] { return send(bytes); });
      if (!us)
        return us;
      *best = std::min(*best, *us);
    }
    // All ranks use the same times, so they take the same branch.
    if (largeUs > smallUs)
      return (largeUs - smallUs) / double(large - small);
  }
  return 0.0;
}

std::optional<Failure>
MachineMeasurer::measurePorts(std::vector<double> &usPerByte) {
  for (size_t level = 0; level < comms.size(); ++level) {
    // The ranks of a node share its link to other nodes.
    bool isNetwork = nodes.numNodes > 1 && level + 1 == comms.size();
    int64_t endpointRanks = isNetwork ? nodes.getRanksPerNode() : 1;
    std::array<double, 2> ways;
    for (bool isReceiving : {false, true}) {
      Result<double> us = measurePort(comms[level], endpointRanks, isReceiving);
      if (!us)
        return us.getFailure();
      ways[isReceiving] = *us;
    }
    bool areKnown = ways[0] > 0 && ways[1] > 0;
    usPerByte.push_back(areKnown ? std::max(ways[0], ways[1]) : 0);
  }
  return std::nullopt;
}

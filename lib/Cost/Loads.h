// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a machine's links.

#ifndef MOE_LIB_COST_LOADS_H
#define MOE_LIB_COST_LOADS_H

#include "moe/Cost/Collectives.h"

#include <algorithm>

namespace moe::cost {

/// Bytes that each endpoint of each level sends and receives. They are counted
/// per rank, and `getBusiest` adds the ranks of a NIC.
class Loads {
public:
  Loads(const std::vector<Level> &levels, int64_t numRanks)
      : levels(levels), numRanks(numRanks),
        egress(levels.size() * size_t(numRanks)), ingress(egress.size()) {}

  void add(size_t level, int64_t rank, double sent, double received) {
    egress[level * size_t(numRanks) + size_t(rank)] += sent;
    ingress[level * size_t(numRanks) + size_t(rank)] += received;
  }

  struct Busiest {
    double rankBytes = 0, endpointBytes = 0;
    int64_t endpoint = 0;
    /// The mean of all endpoints.
    double meanBytes = 0;
  };

  /// Returns the most bytes per rank and per endpoint of a level in one
  /// direction. The mean is the same for both directions because all sent bytes
  /// are received.
  Busiest getBusiest(size_t level) const {
    Busiest busiest;
    int64_t perNic = levels[level].ranksPerNic;
    const double *out = egress.data() + level * size_t(numRanks);
    const double *in = ingress.data() + level * size_t(numRanks);
    for (int64_t first = 0; first < numRanks; first += perNic) {
      double sent = 0, received = 0;
      for (int64_t r = first; r < std::min(first + perNic, numRanks); ++r) {
        sent += out[r];
        received += in[r];
        busiest.rankBytes = std::max({busiest.rankBytes, out[r], in[r]});
      }
      if (double most = std::max(sent, received);
          most > busiest.endpointBytes) {
        busiest.endpointBytes = most;
        busiest.endpoint = first / perNic;
      }
      busiest.meanBytes += sent;
    }
    busiest.meanBytes /= double((numRanks + perNic - 1) / perNic);
    return busiest;
  }

private:
  const std::vector<Level> &levels;
  int64_t numRanks;
  std::vector<double> egress, ingress;
};

/// Returns the ratio of the bytes sent per rank (SPEC CC-2) to the buffer, up
/// to a constant of each kind.
inline double getSentFraction(int64_t groupSize) {
  return double(groupSize - 1) / double(groupSize);
}

/// The measured lines with the group sizes nearest to `groupSize` from below
/// and from above. Both are the same line if the size itself was measured; null
/// means that no line is on that side.
struct NearestLines {
  int64_t groupSize;
  const CollectiveFit *below = nullptr, *above = nullptr;

  void look(const CollectiveFit &line) {
    int64_t ranks = *line.groupRanks;
    if (ranks <= groupSize && (!below || ranks > *below->groupRanks))
      below = &line;
    if (ranks >= groupSize && (!above || ranks < *above->groupRanks))
      above = &line;
  }
};

/// Fails if the machine's levels are invalid or have fewer than `numRanks`
/// ranks.
std::optional<Failure> checkMachine(const Machine &machine, int64_t numRanks);

/// Returns the fraction of its bandwidth that an endpoint reaches. It is below
/// the first point's fraction for buffers smaller than the first point of the
/// curve.
double getReached(const EfficiencyCurve &curve, Bytes buffer, Bytes moved,
                  GBps bandwidth, Microseconds time);

} // namespace moe::cost

#endif // MOE_LIB_COST_LOADS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What links carry.

#ifndef MOE_LIB_COST_LOADS_H
#define MOE_LIB_COST_LOADS_H

#include "moe/Cost/Collectives.h"

#include <algorithm>

namespace moe::cost {

/// Bytes that each endpoint of each level sends and receives. A rank stands
/// for the endpoint of its own at level granularity; NICs are added up last.
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
    /// What endpoints carry on average.
    double meanBytes = 0;
  };

  /// The most that a rank and an endpoint of a level carry, in one direction;
  /// what is sent in all is received in all.
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

/// The part of the buffer a rank sends to others (SPEC CC-2) is in proportion
/// to this, for every kind.
inline double getSentFraction(int64_t groupSize) {
  return double(groupSize - 1) / double(groupSize);
}

/// Of measured lines those of the nearest group sizes on both sides of one: the
/// same where that was measured, null where nothing was on a side.
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

/// What is wrong with the levels of a machine, or that it has fewer ranks.
std::optional<Failure> checkMachine(const Machine &machine, int64_t numRanks);

/// The part of its bandwidth that an endpoint reaches: below the first point
/// of a curve, less than that point's.
double getReached(const EfficiencyCurve &curve, Bytes buffer, Bytes moved,
                  GBps bandwidth, Microseconds time);

} // namespace moe::cost

#endif // MOE_LIB_COST_LOADS_H

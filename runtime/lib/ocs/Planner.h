// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits of a region, planned.

#ifndef MOERT_OCS_PLANNER_H
#define MOERT_OCS_PLANNER_H

#include "moert_ocs.h"
#include "ocs/Circuits.h"

namespace moert {

/// A circuit of a region by its NICs; `server` is below `peer`.
struct RegionLink {
  int32_t server, nic, peer, peerNic;

  friend auto operator<=>(const RegionLink &, const RegionLink &) = default;
};

/// What a region's members say, owned.
struct RegionOptions {
  int32_t numServers = 0, opticalDegree = 0, epsNics = 0, numaNodes = 1;
  bool isExclusive = false;
  double nicBytesPerUs = 1, baseUs = 0, perPairUs = 0, uncertainty = 0;
  /// Of NIC k of server i at [i * opticalDegree + k]; 0 for one not used.
  std::vector<int32_t> ports;
  /// By server and NIC, optical ones first.
  std::vector<bool> failed;

  /// Whether what was configured is the same; NICs may have failed since.
  bool isLike(const RegionOptions &other) const;
  int32_t getNics() const { return opticalDegree + epsNics; }
  int32_t getPort(int32_t server, int32_t nic) const {
    return ports[static_cast<size_t>(server * opticalDegree + nic)];
  }
  Circuit getCircuit(const RegionLink &link) const {
    return {getPort(link.server, link.nic), getPort(link.peer, link.peerNic)};
  }
};

/// What the controlling rank decides; times in microseconds of one exchange.
struct RegionPlan {
  moert_ocs_action action = MOERT_OCS_KEEP;
  /// The links after it.
  std::vector<RegionLink> links;
  double timeUs = 0, keptUs = 0, changeUs = 0;
  int32_t changed = 0;
};

/// Whether this library holds planners.
bool hasPlanners();

/// Plans for bytes between servers where `up` is up, and decides whether a
/// change pays. `up` may have links of NICs that have failed: they do not count
/// as up, and are left out.
Status planRegion(const RegionOptions &options,
                  const std::vector<double> &bytes,
                  const std::vector<RegionLink> &up, double exchanges,
                  double slackUs, double linkUpUs, RegionPlan &plan);

/// Places the circuits [servers, servers] that a caller wants, where `up` is
/// up: what of them is up stays, and what NICs that have failed leave no place
/// for is left out. Fails where they are no circuits of the
/// region.
Status placeRegion(const RegionOptions &options, const int32_t *circuits,
                   const std::vector<RegionLink> &up, double linkUpUs,
                   RegionPlan &plan);

/// What servers received of two demands, one after the other, as shares.
struct ShareSample {
  std::vector<double> before, after;
};

/// The shares behind `now`, by the matrix that turns samples' into each other
/// best (SPEC MF-11). A matter of a millisecond for 8 servers, of ten for 64.
Status fitShares(const std::vector<ShareSample> &samples,
                 const std::vector<double> &now, std::vector<double> &next);

/// What rows go through delegates: `moert_ocs_delegates` without its results.
struct DelegateRequest {
  int32_t numServers = 0, places = 0, opticalDegree = 0, epsNics = 0,
          numaNodes = 1;
  bool isExclusive = false;
  int64_t turns = 0, position = 0;
  /// [ranks, experts].
  std::vector<int64_t> counts;
};

/// Writes offsets and sizes of all exchanges, as of `moert_ocs_delegates`.
Status planDelegates(const DelegateRequest &request, int64_t *gather,
                     int64_t *between, int64_t *scatter, int64_t *own);

} // namespace moert

#endif // MOERT_OCS_PLANNER_H

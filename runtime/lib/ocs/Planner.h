// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning of a region's circuits.

#ifndef MOERT_OCS_PLANNER_H
#define MOERT_OCS_PLANNER_H

#include "moert_ocs.h"
#include "ocs/Circuits.h"

namespace moert {

/// A circuit of a region by its NICs, where `server` < `peer`.
struct RegionLink {
  int32_t server, nic, peer, peerNic;

  friend auto operator<=>(const RegionLink &, const RegionLink &) = default;
};

/// The configuration of a region.
struct RegionOptions {
  int32_t numServers = 0, opticalDegree = 0, epsNics = 0, numaNodes = 1;
  bool isExclusive = false;
  double nicBytesPerUs = 1, baseUs = 0, perPairUs = 0, uncertainty = 0;
  /// The port of NIC k of server i is at [i * opticalDegree + k]; 0 for an
  /// unused NIC.
  std::vector<int32_t> ports;
  /// By server and NIC, optical NICs first.
  std::vector<bool> failed;

  /// Compares the configuration, but not failed NICs.
  bool isLike(const RegionOptions &other) const;
  int32_t getNics() const { return opticalDegree + epsNics; }
  int32_t getPort(int32_t server, int32_t nic) const {
    return ports[static_cast<size_t>(server * opticalDegree + nic)];
  }
  Circuit getCircuit(const RegionLink &link) const {
    return {getPort(link.server, link.nic), getPort(link.peer, link.peerNic)};
  }
};

/// The decision of the controlling rank. Times are microseconds per exchange.
struct RegionPlan {
  moert_ocs_action action = MOERT_OCS_KEEP;
  /// The links after the decision.
  std::vector<RegionLink> links;
  double timeUs = 0, keptUs = 0, changeUs = 0;
  int32_t changed = 0;
};

/// Returns true if this library contains planners.
bool hasPlanners();

/// Plans circuits for bytes between servers, given the present links `up`, and
/// decides whether a change pays. Links of failed NICs in `up` do not count and
/// are left out.
Status planRegion(const RegionOptions &options,
                  const std::vector<double> &bytes,
                  const std::vector<RegionLink> &up, double exchanges,
                  double slackUs, double linkUpUs, RegionPlan &plan);

/// Assigns the requested circuits [servers, servers] to NICs, given the present
/// links `up`. Present circuits keep their NICs, and circuits that do not fit
/// because of failed NICs are left out. Fails if the region cannot have these
/// circuits.
Status placeRegion(const RegionOptions &options, const int32_t *circuits,
                   const std::vector<RegionLink> &up, double linkUpUs,
                   RegionPlan &plan);

/// The shares that servers received in two consecutive demands.
struct ShareSample {
  std::vector<double> before, after;
};

/// Predicts the shares after `now` with the matrix that best maps the samples
/// (SPEC MF-11). Takes about 1 ms for 8 servers and 10 ms for 64.
Status fitShares(const std::vector<ShareSample> &samples,
                 const std::vector<double> &now, std::vector<double> &next);

/// The arguments of `moert_ocs_delegates` without its results.
struct DelegateRequest {
  int32_t numServers = 0, places = 0, opticalDegree = 0, epsNics = 0,
          numaNodes = 1;
  bool isExclusive = false;
  int64_t turns = 0, position = 0;
  /// [ranks, experts].
  std::vector<int64_t> counts;
};

/// Writes offsets and sizes of all exchanges, as `moert_ocs_delegates`
/// describes.
Status planDelegates(const DelegateRequest &request, int64_t *gather,
                     int64_t *between, int64_t *scatter, int64_t *own);

} // namespace moert

#endif // MOERT_OCS_PLANNER_H

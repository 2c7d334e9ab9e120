// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fabrics on the command line.

#ifndef MOE_TOOLS_FABRICOPTION_H
#define MOE_TOOLS_FABRICOPTION_H

#include "moe/Fabric/Failures.h"
#include "moe/Tools/NumberOptions.h"

namespace moe {

/// What has failed, in words with commas between: see `kFailedHelp`. The
/// failure is one line and names `--failed`.
cost::Result<fabric::Failures> parseFailures(llvm::StringRef list);
inline constexpr const char *kFailedHelp =
    "Failed parts, separated by commas: SERVER:NIC (mfabric numbers the NICs "
    "on the circuit switch first), server:S (a spare server takes over its "
    "ranks), leaf:K, spines:N (N spines), ocs:R (the circuit switch of region "
    "R) or ocs (all circuit switches)";

/// `--fabric` and what else is said of a cluster's fabric.
class FabricOption {
public:
  /// Options of a subcommand (`where` is `cl::sub` of it), or of a category.
  template <typename Place, typename Where>
  FabricOption(Place &place, Where where,
               const char *ranksHelp = "Ranks per server (default: 8)")
      : kind("fabric",
             llvm::cl::desc("Network fabric: fat-tree, rail, topoopt, mfabric, "
                            "torus or ring"),
             llvm::cl::value_desc("KIND"), where),
        servers("servers",
                "Servers in the cluster (default: as few as hold the ranks)",
                place),
        rate("rate-gbps", "Rate per NIC in Gb/s (default: 400)", place),
        oversubscription(
            "oversubscription",
            "NIC bandwidth over uplink bandwidth per leaf switch (default: 1)",
            place),
        nics("nics", "NICs per server (default: 8)", place),
        serverRanks("ranks-per-server", ranksHelp, place),
        switchPorts("switch-ports", "Ports per switch (default: 64)", place),
        tiers("tiers", "Switch tiers (default: as few as connect the servers)",
              place),
        path("path",
             llvm::cl::desc(
                 "multi: flows are spread over all equal-cost paths (default); "
                 "single: each flow is hashed to one path"),
             llvm::cl::value_desc("WAY"), llvm::cl::init("multi"), where),
        nicUse("nic-use",
               llvm::cl::desc(
                   "shared: ranks use all NICs of their server (default); own: "
                   "each rank uses one NIC, by its position in the server"),
               llvm::cl::value_desc("USE"), llvm::cl::init("shared"), where),
        opticalNics("optical-nics",
                    "mfabric: NICs per server on the optical circuit switch "
                    "(default: 6)",
                    place, {/*min=*/0}),
        opticalPorts(
            "ocs-ports",
            "mfabric: ports per regional circuit switch (default: 576)", place),
        latency("latency-us", "Latency per link in microseconds (default: 1)",
                place, {/*mayBeZero=*/true}),
        packet(
            "packet",
            llvm::cl::desc("Bytes per packet: payload, header and "
                           "acknowledgement (default: count the payload only)"),
            llvm::cl::value_desc("PAYLOAD:HEADER:ACK"), where),
        torus("torus",
              llvm::cl::desc("torus: servers per dimension, as AxBxC (default: "
                             "three nearly equal sizes)"),
              llvm::cl::value_desc("SIDES"), where),
        failed("failed", llvm::cl::desc(kFailedHelp),
               llvm::cl::value_desc("LIST"), where) {}

  bool isSet() const { return kind.getNumOccurrences() > 0; }
  /// The name of an option that is given though `--fabric` is not; empty when
  /// none is.
  std::string findLonely() const;

  /// The fabric of a cluster of `ranks`, or of `--servers`, so many ranks a
  /// server unless an option says otherwise. The failure is one line and names
  /// the option.
  cost::Result<fabric::FabricOptions> read(int64_t ranks,
                                           int64_t ranksDefault = 8) const;
  /// The ranks of a server.
  cost::Result<int64_t> readServerRanks() const { return serverRanks.read(8); }
  bool hasServers() const { return servers.isSet(); }
  bool hasFailures() const { return failed.getNumOccurrences() > 0; }
  /// The fabric with what has failed. The failure is one line and names the
  /// option.
  cost::Result<fabric::FabricOptions>
  applyFailures(const fabric::FabricOptions &whole) const;
  double getRateGbps(const fabric::FabricOptions &options) const {
    return options.network.nicRate / 125;
  }

private:
  llvm::cl::opt<std::string> kind;
  IntegerOption servers;
  NumberOption rate, oversubscription;
  IntegerOption nics, serverRanks, switchPorts, tiers;
  llvm::cl::opt<std::string> path, nicUse;
  IntegerOption opticalNics, opticalPorts;
  NumberOption latency;
  llvm::cl::opt<std::string> packet, torus, failed;
};

} // namespace moe

#endif // MOE_TOOLS_FABRICOPTION_H

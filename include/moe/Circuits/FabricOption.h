// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that describe a fabric.

#ifndef MOE_CIRCUITS_FABRICOPTION_H
#define MOE_CIRCUITS_FABRICOPTION_H

#include "moe/Fabric/Failures.h"
#include "moe/Options/Option.h"

namespace moe {

/// Parses a comma-separated list of failures; see `kFailedHelp`. A failure is
/// one line and names `--failed`.
cost::Result<fabric::Failures> parseFailures(llvm::StringRef list);
inline constexpr const char *kFailedHelp =
    "Failed parts, separated by commas: SERVER:NIC (mfabric numbers the NICs "
    "on the circuit switch first), server:S (a spare server takes over its "
    "ranks), leaf:K, spines:N (N spines), ocs:R (the circuit switch of region "
    "R) or ocs (all circuit switches)";

/// `--fabric` and the other options that describe a cluster's fabric.
class FabricOption {
public:
  explicit FabricOption(OptionTable &table,
                        const char *ranksHelp = "Ranks per server (default: 8)")
      : kind(table, "fabric",
             "Network fabric: fat-tree, rail, topoopt, mfabric, torus or ring",
             "KIND"),
        servers(table, "servers",
                "Servers in the cluster (default: as few as hold the ranks)",
                {.unit = "servers"}),
        rate(table, "rate-gbps", "Rate per NIC in Gb/s (default: 400)",
             {.unit = "Gb/s"}),
        oversubscription(
            table, "oversubscription",
            "NIC bandwidth over uplink bandwidth per leaf switch (default: 1)"),
        nics(table, "nics", "NICs per server (default: 8)", {.unit = "NICs"}),
        serverRanks(table, "ranks-per-server", ranksHelp, {.unit = "ranks"}),
        switchPorts(table, "switch-ports", "Ports per switch (default: 64)",
                    {.unit = "ports"}),
        tiers(table, "tiers",
              "Switch tiers (default: as few as connect the servers)",
              {.unit = "tiers"}),
        path(table, "path",
             "multi: flows are spread over all equal-cost paths (default); "
             "single: each flow is hashed to one path",
             "WAY", "multi"),
        nicUse(table, "nic-use",
               "shared: ranks use all NICs of their server (default); own: "
               "each rank uses one NIC, by its position in the server",
               "USE", "shared"),
        opticalNics(table, "optical-nics",
                    "mfabric: NICs per server on the optical circuit switch "
                    "(default: 6)",
                    {/*min=*/0, IntegerRange::kMaxSize, "NICs"}),
        opticalPorts(
            table, "ocs-ports",
            "mfabric: ports per regional circuit switch (default: 576)",
            {.unit = "ports"}),
        latency(table, "latency-us",
                "Latency per link in microseconds (default: 1)",
                {/*mayBeZero=*/true, "us"}),
        packet(table, "packet",
               "Bytes per packet: payload, header and acknowledgement "
               "(default: count the payload only)",
               "PAYLOAD:HEADER:ACK"),
        torus(table, "torus",
              "torus: servers per dimension, as AxBxC (default: three nearly "
              "equal sizes)",
              "SIDES"),
        failed(table, "failed", kFailedHelp, "LIST") {}

  bool isSet() const { return kind.isSet(); }
  /// Returns the name of an option that is given without `--fabric`; empty if
  /// none.
  std::string findLonely() const;

  /// Reads the fabric of a cluster with `ranks` ranks, or with `--servers`;
  /// there are `ranksDefault` ranks per server unless an option overrides that.
  /// A failure is one line and names the option.
  cost::Result<fabric::FabricOptions> read(int64_t ranks,
                                           int64_t ranksDefault = 8) const;
  cost::Result<int64_t> readServerRanks() const { return serverRanks.read(8); }
  bool hasServers() const { return servers.isSet(); }
  bool hasFailures() const { return failed.isSet(); }
  /// Returns the fabric with failures. A failure is one line and names the
  /// option.
  cost::Result<fabric::FabricOptions>
  applyFailures(const fabric::FabricOptions &whole) const;
  double getRateGbps(const fabric::FabricOptions &options) const {
    return options.network.nicRate / 125;
  }

private:
  TextOption kind;
  IntegerOption servers;
  NumberOption rate, oversubscription;
  IntegerOption nics, serverRanks, switchPorts, tiers;
  TextOption path, nicUse;
  IntegerOption opticalNics, opticalPorts;
  NumberOption latency;
  TextOption packet, torus, failed;
};

} // namespace moe

#endif // MOE_CIRCUITS_FABRICOPTION_H

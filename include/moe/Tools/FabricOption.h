//===- FabricOption.h - Fabrics on the command line ----------- -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_FABRICOPTION_H
#define MOE_TOOLS_FABRICOPTION_H

#include "moe/Fabric/Failures.h"
#include "moe/Tools/NumberOptions.h"

namespace moe {

/// What has failed, in words with commas between: see `kFailedHelp`. The
/// failure is one line and names `--failed`.
cost::Result<fabric::Failures> parseFailures(llvm::StringRef list);
inline constexpr const char *kFailedHelp =
    "what does not work, with commas between: SERVER:NIC (of mfabric those on "
    "the circuit switch first), server:S, whose ranks a spare one takes, "
    "leaf:K, spines:N, ocs:R for the circuit switch of a region, ocs for all";

/// `--fabric` and what else is said of a cluster's fabric.
class FabricOption {
public:
  /// Options of a subcommand (`where` is `cl::sub` of it), or of a category.
  template <typename Place, typename Where>
  FabricOption(Place &place, Where where,
               const char *ranksHelp = "ranks of a server (default: 8)")
      : kind("fabric",
             llvm::cl::desc("fat-tree, rail, topoopt, mfabric, torus or ring"),
             llvm::cl::value_desc("KIND"), where),
        servers("servers", "servers of the cluster (default: as few as do)",
                place),
        rate("rate-gbps", "rate of a NIC in Gb/s (default: 400)", place),
        oversubscription("oversubscription",
                         "of leaves: what their NICs can send over what leads "
                         "up (default: 1)",
                         place),
        nics("nics", "NICs of a server (default: 8)", place),
        serverRanks("ranks-per-server", ranksHelp, place),
        switchPorts("switch-ports", "ports of a switch (default: 64)", place),
        tiers("tiers", "tiers of switches (default: as few as do)", place),
        path("path",
             llvm::cl::desc("multi: flows over all equal ways (default); "
                            "single: each over one that it is hashed to"),
             llvm::cl::value_desc("WAY"), llvm::cl::init("multi"), where),
        nicUse("nic-use",
               llvm::cl::desc("shared: ranks use all NICs of their server "
                              "(default); own: each that of its place"),
               llvm::cl::value_desc("USE"), llvm::cl::init("shared"), where),
        opticalNics("optical-nics",
                    "mfabric: NICs on the circuit switch (default: 6)", place,
                    {/*min=*/0}),
        opticalPorts("ocs-ports",
                     "mfabric: ports of a region's switch (default: 576)",
                     place),
        latency("latency-us", "of each link that is crossed (default: 1)",
                place, {/*mayBeZero=*/true}),
        packet("packet",
               llvm::cl::desc("bytes of a packet's data, of its header, and of "
                              "what answers it on the way back (default: data "
                              "alone)"),
               llvm::cl::value_desc("DATA:HEADER:ANSWER"), where),
        torus("torus",
              llvm::cl::desc("torus: servers along each direction, AxBxC "
                             "(default: three that are nearly equal)"),
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fabrics as graphs of links.
//
// The connections between the servers of a cluster (SPEC MF-12, MF-16): links
// in one direction each, and the paths over them. Parallel links that every
// flow uses evenly are represented by one link with their total capacity, which
// is exact for fair rates.

#ifndef MOE_FABRIC_NETWORK_H
#define MOE_FABRIC_NETWORK_H

#include "moe/Fabric/FairRates.h"
#include "moe/Fabric/NicAssignment.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace moe::fabric {

enum class FabricKind : uint8_t {
  /// Tiers of switches, with all NICs of a server at one leaf.
  FatTree,
  /// The same, with NIC k of each server at leaf k of a group of servers.
  Rail,
  /// All NICs on a patch panel that is set before the job; servers forward.
  TopoOpt,
  /// Some NICs on a fat tree (EPS), the others on the circuit switch of a
  /// region, which changes during steps.
  MFabric,
  /// Servers in a grid with closed rows, and NICs spread over its directions.
  Torus,
  Ring
};
/// Returns "fat-tree", "rail", "topoopt", "mfabric", "torus" or "ring".
std::string_view getName(FabricKind kind);
std::optional<FabricKind> parseFabricKind(std::string_view name);

struct NetworkOptions {
  FabricKind kind = FabricKind::FatTree;
  int64_t servers = 1;
  int64_t nics = 8;
  /// Rate of a NIC in bytes per microsecond and direction: Gb/s times 125.
  double nicRate = 50000;
  /// Trees: rate of the NICs at a leaf relative to its trunk; above 0.
  double oversubscription = 1;
  /// Trees: ports per switch; below the top tier, half of them lead down.
  int64_t switchPorts = 64;
  /// Trees: number of tiers of switches, 1 to 3; the minimum if unset.
  std::optional<int64_t> tiers = {};
  /// Trees: if set, every flow uses all equal paths; otherwise, a hash selects
  /// one.
  bool isMultiPath = true;
  /// If set, all ranks of a server use all of its NICs evenly (SPEC MF-9);
  /// otherwise, each rank uses the NIC at its place, in trees only.
  bool sharesNics = true;
  /// mFabric: number of NICs on the circuit switch, which are the first ones.
  int64_t opticalNics = 6;
  /// mFabric: rate of each other NIC relative to these; above 0.
  double packetRate = 1;
  /// mFabric: ports of a region's switch; each server uses `opticalNics` of
  /// them.
  int64_t opticalPorts = 576;
  /// mFabric: number of consecutive servers with whole groups of expert
  /// parallelism, which regions do not divide if a switch has ports for one of
  /// them (mFabric, 7.1: it only needs to connect the GPUs of one group); 1 to
  /// permit dividing them.
  int64_t groupServers = 1;
  /// Torus: number of servers along each direction, with product `servers`; if
  /// empty, three directions that are as equal as possible.
  std::vector<int64_t> torus = {};
  /// Latency of each crossed link in microseconds.
  double latency = 1;
  /// Additional traffic relative to data: headers, and answers on the way back
  /// (acknowledgements, credits).
  double headerShare = 0, answerShare = 0;
  /// Failed NICs, including failures of their port or cable.
  std::vector<Nic> failed = {};
  /// Trees of two or three tiers: number of failed switches above a leaf, fewer
  /// than there are. In trees of three tiers, the number applies to each pod,
  /// and to the cores above these switches.
  int64_t failedSpines = 0;

  /// mFabric: returns the number of servers per circuit switch, which are
  /// consecutive.
  int64_t getRegionServers() const {
    int64_t all = opticalPorts / std::max<int64_t>(1, opticalNics);
    return all < groupServers ? all : all - all % groupServers;
  }
};

/// Returns why options are invalid, with the name of the field; empty if valid.
/// At most 65536 servers are supported.
std::string checkNetwork(const NetworkOptions &options);

struct CircuitPair {
  int64_t first = 0, second = 0;
  int32_t count = 1;
};

/// Links of one kind with numbers [first, first + count).
struct LinkClass {
  std::string name;
  int64_t first = 0, count = 0;
};

/// An end of a flow.
struct NetworkEnd {
  int64_t server = 0;
  /// The NIC, if ranks do not share NICs.
  int64_t nic = 0;
};

/// Links of a flow with their shares, and the number of links in sequence.
struct Way {
  std::vector<LinkUse> uses;
  int64_t hops = 0;
};

class Network {
public:
  /// Creates the network, with circuits for TopoOpt and mFabric. Fails like
  /// `checkNetwork`, and for circuits of servers that it lacks.
  static cost::Result<Network>
  create(const NetworkOptions &options,
         const std::vector<CircuitPair> &circuits = {});

  const NetworkOptions &getOptions() const { return options; }
  const std::vector<FairLink> &getLinks() const { return links; }
  /// Returns the classes in ascending order of their links.
  const std::vector<LinkClass> &getClasses() const { return classes; }
  const LinkClass &getClass(int64_t link) const;
  /// Returns the name of a link: "server 3 up", "leaf 2 down 5", "circuit 3 to
  /// 5".
  std::string getName(int64_t link) const;

  /// For trees, returns the bottom switches, numbered like in `Failures`; the
  /// NICs at one of them; and the number of switches above each leaf. Other
  /// fabrics have none, and there is none above a single tier.
  int64_t getNumLeafSwitches() const;
  std::vector<Nic> listLeafNics(int64_t leaf) const;
  int64_t getNumSpines() const { return spines; }

  /// Returns the path between two servers, without mFabric's circuits. `flow`
  /// selects one of several equal paths if flows use a single one. Fails if
  /// there is no path, and for failed NICs.
  cost::Result<Way> getWay(NetworkEnd from, NetworkEnd to,
                           uint64_t flow = 0) const;
  /// Returns the path over the circuits between two servers, which must exist.
  Way getCircuitWay(int64_t from, int64_t to) const;
  /// Returns the path over circuits of other servers, which forward. Fails if
  /// there is none.
  cost::Result<Way> getForwardedWay(int64_t from, int64_t to) const;
  /// For mFabric, returns the path over packets. If all of an end's packet NICs
  /// have failed, the path includes circuits to the nearest server with a
  /// working one. Fails if there is none.
  cost::Result<Way> getRelayedWay(int64_t from, int64_t to,
                                  uint64_t flow) const;

private:
  explicit Network(const NetworkOptions &options) : options(options) {}

  /// Returns the number of a server's working NICs on the packet network; if
  /// they are shared as one, whether one works.
  double countWorking(int64_t server) const;
  /// Returns the nearest server over circuits, possibly itself, that reaches
  /// the packet network.
  cost::Result<int64_t> findRelay(int64_t server) const;
  void addTree();
  void addTorus();
  cost::Result<bool> addCircuits(const std::vector<CircuitPair> &circuits);
  int64_t addClass(std::string name, int64_t count);
  int64_t getLeaf(NetworkEnd end) const;
  int64_t getEnd(NetworkEnd end) const;
  Way getTreeWay(NetworkEnd from, NetworkEnd to, uint64_t flow) const;
  Way getTorusWay(int64_t from, int64_t to) const;

  NetworkOptions options;
  std::vector<FairLink> links;
  std::vector<LinkClass> classes;

  /// Trees.
  int64_t tiers = 0, treeNics = 0, leafServers = 1, leaves = 0;
  int64_t podLeaves = 1, pods = 0, spines = 0;
  /// Trees with single paths: uplinks of each leaf and of each of a pod's
  /// spines; 1 if these are one link.
  int64_t uplinks = 1, coreLinks = 1;
  int64_t hostUp = 0, hostDown = 0, leafUp = 0, leafDown = 0;
  int64_t podUp = 0, podDown = 0;

  std::vector<int64_t> sides;
  int64_t gridLinks = 0;

  /// By server: the destination of circuits, their link, and their number.
  struct Circuit {
    int64_t to, link;
    int32_t count;
  };
  std::vector<std::vector<Circuit>> circuitsOf;
  std::vector<std::pair<int64_t, int64_t>> circuitEnds;
  int64_t firstCircuit = 0;
};

} // namespace moe::fabric

#endif // MOE_FABRIC_NETWORK_H

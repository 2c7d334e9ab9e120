// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fabrics as graphs of links.

//
// What joins the servers of a cluster (SPEC MF-12, MF-16): links in one
// direction each, and the ways over them. Parallel links over which every flow
// is spread evenly are one link of their sum, which is exact for fair rates.
//
//===----------------------------------------------------------------------===//

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
  /// Switches in tiers; all NICs of a server at one leaf.
  FatTree,
  /// The same, with NIC k of each server at leaf k of a group of servers.
  Rail,
  /// All NICs on a patch panel that is set before the job; servers forward.
  TopoOpt,
  /// Some NICs on a fat tree (EPS), the others on the circuit switch of a
  /// region, which changes during a step.
  MFabric,
  /// Servers in a grid whose rows close, NICs spread over its directions.
  Torus,
  /// Servers in one circle.
  Ring
};
/// "fat-tree", "rail", "topoopt", "mfabric", "torus", "ring".
std::string_view getName(FabricKind kind);
std::optional<FabricKind> parseFabricKind(std::string_view name);

struct NetworkOptions {
  FabricKind kind = FabricKind::FatTree;
  int64_t servers = 1;
  int64_t nics = 8;
  /// Of a NIC in bytes a microsecond, each direction: Gb/s times 125.
  double nicRate = 50000;
  /// Trees: what NICs of a leaf can send over what its trunk carries; above 0.
  double oversubscription = 1;
  /// Trees: ports of a switch, half of which lead down where there is an up.
  int64_t switchPorts = 64;
  /// Trees: tiers of switches, 1 to 3; none for as few as do.
  std::optional<int64_t> tiers = {};
  /// Trees: every flow over all equal ways, or each over the one that it is
  /// hashed to.
  bool isMultiPath = true;
  /// All ranks of a server use all of its NICs evenly (SPEC MF-9), or each rank
  /// the one at its place: trees only.
  bool sharesNics = true;
  /// mFabric: how many of the NICs are on the circuit switch, the first ones.
  int64_t opticalNics = 6;
  /// mFabric: what each of the other NICs carries over what these do; above 0.
  double packetRate = 1;
  /// mFabric: ports of a region's switch, of which servers take `opticalNics`
  /// each.
  int64_t opticalPorts = 576;
  /// mFabric: consecutive servers with whole groups of expert parallelism, which
  /// no two regions share where a switch has ports for one of them (mFabric,
  /// 7.1: it only needs to join the GPUs of one group); 1 to share them.
  int64_t groupServers = 1;
  /// Torus: servers along each direction, whose product is `servers`; empty for
  /// three that are as equal as can be.
  std::vector<int64_t> torus = {};
  /// Of each link that is crossed, in microseconds.
  double latency = 1;
  /// What packets take beside their data, over these: headers, and on the way
  /// back what answers them (acknowledgements, credits).
  double headerShare = 0, answerShare = 0;
  /// NICs that do not work, or whose port or cable does not.
  std::vector<Nic> failed = {};
  /// Trees of two or three tiers: switches above a leaf that do not work, fewer
  /// than there are. Of three tiers in each pod, and of the cores behind them.
  int64_t failedSpines = 0;

  /// mFabric: servers of a circuit switch, which are consecutive.
  int64_t getRegionServers() const {
    int64_t all = opticalPorts / std::max<int64_t>(1, opticalNics);
    return all < groupServers ? all : all - all % groupServers;
  }
};

/// What is wrong with options, naming the field in words; empty when nothing
/// is. At most 65536 servers.
std::string checkNetwork(const NetworkOptions &options);

/// Circuits between two servers.
struct CircuitPair {
  int64_t first = 0, second = 0;
  int32_t count = 1;
};

/// Links of one sort, numbers [first, first + count).
struct LinkClass {
  std::string name;
  int64_t first = 0, count = 0;
};

/// Where a flow begins or ends.
struct NetworkEnd {
  int64_t server = 0;
  /// The NIC, where ranks do not share them.
  int64_t nic = 0;
};

/// Links of a flow in shares, and how many it crosses one after the other.
struct Way {
  std::vector<LinkUse> uses;
  int64_t hops = 0;
};

class Network {
public:
  /// The network, with circuits for TopoOpt and mFabric. Fails as
  /// `checkNetwork` does, and for circuits of servers that it lacks.
  static cost::Result<Network>
  create(const NetworkOptions &options,
         const std::vector<CircuitPair> &circuits = {});

  const NetworkOptions &getOptions() const { return options; }
  const std::vector<FairLink> &getLinks() const { return links; }
  /// In ascending order of their links.
  const std::vector<LinkClass> &getClasses() const { return classes; }
  const LinkClass &getClass(int64_t link) const;
  /// "server 3 up", "leaf 2 down 5", "circuit 3 to 5".
  std::string getName(int64_t link) const;

  /// Trees: switches at the bottom, counted as `Failures` says, and the NICs at
  /// one; switches that a leaf leads to. None of other fabrics, nor above a
  /// single tier.
  int64_t getNumLeafSwitches() const;
  std::vector<Nic> listLeafNics(int64_t leaf) const;
  int64_t getNumSpines() const { return spines; }

  /// The way between two servers, `flow` choosing one of equal ways where a
  /// flow takes one only. Not over mFabric's circuits. Fails where none leads
  /// there, and for NICs that do not work.
  cost::Result<Way> getWay(NetworkEnd from, NetworkEnd to,
                           uint64_t flow = 0) const;
  /// Over the circuits of two servers that have some.
  Way getCircuitWay(int64_t from, int64_t to) const;
  /// Over circuits of others, which forward. Fails where they give no way.
  cost::Result<Way> getForwardedWay(int64_t from, int64_t to) const;
  /// mFabric: over packets, where the NICs on these of either have failed from
  /// or to the nearest server over circuits that has some. Fails where none has.
  cost::Result<Way> getRelayedWay(int64_t from, int64_t to,
                                  uint64_t flow) const;

private:
  explicit Network(const NetworkOptions &options) : options(options) {}

  /// NICs of a server on the packet network that work, or whether one does.
  double countWorking(int64_t server) const;
  /// The nearest over circuits, itself included, that reaches packets.
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
  /// Trees, single path: uplinks of a leaf and of each of a pod's spines; 1
  /// where they are one link.
  int64_t uplinks = 1, coreLinks = 1;
  int64_t hostUp = 0, hostDown = 0, leafUp = 0, leafDown = 0;
  int64_t podUp = 0, podDown = 0;

  std::vector<int64_t> sides;
  int64_t gridLinks = 0;

  /// By server: whom circuits lead to, the link there, and how many.
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

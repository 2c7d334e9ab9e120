// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of the links of a fabric.

#ifndef MOE_FABRIC_LINKLOADS_H
#define MOE_FABRIC_LINKLOADS_H

#include "moe/Fabric/NetworkExchange.h"

#include <map>
#include <string>
#include <vector>

namespace moe::fabric {

/// Bytes that a link carried in exchanges, and the maximum it could have
/// carried during them.
struct LinkLoad {
  std::string name, className;
  /// Index among the links of its class.
  int64_t place = 0;
  double bytes = 0, most = 0;

  double getUtilisation() const { return most > 0 ? bytes / most : 0; }
};

struct ClassLoad {
  std::string name;
  int64_t links = 0;
  double bytes = 0, most = 0;
  /// The utilization of the busiest link.
  double busiest = 0;

  double getUtilisation() const { return most > 0 ? bytes / most : 0; }
};

struct LinkLoads {
  /// Links with a load, the busiest first.
  std::vector<LinkLoad> links;
  /// Classes in the order of the network.
  std::vector<ClassLoad> classes;
};

/// Sums the loads of links over exchanges on networks of the same servers.
/// Different circuits are different links, distinguished by name.
class LinkLoadSum {
public:
  /// Adds an exchange that ran `times` times.
  void add(const FabricExchange &exchange, double times = 1);
  LinkLoads get() const;

private:
  std::map<std::string, LinkLoad> links;
  std::map<std::string, ClassLoad> classes;
  std::vector<std::string> order;
};

} // namespace moe::fabric

#endif // MOE_FABRIC_LINKLOADS_H

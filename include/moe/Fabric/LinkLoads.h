// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What links of a fabric carry.

#ifndef MOE_FABRIC_LINKLOADS_H
#define MOE_FABRIC_LINKLOADS_H

#include "moe/Fabric/NetworkExchange.h"

#include <map>
#include <string>
#include <vector>

namespace moe::fabric {

/// What a link carried in exchanges, and could have while they ran.
struct LinkLoad {
  std::string name, className;
  /// Among the links of its class.
  int64_t place = 0;
  double bytes = 0, most = 0;

  double getUtilisation() const { return most > 0 ? bytes / most : 0; }
};

/// Links of one sort.
struct ClassLoad {
  std::string name;
  int64_t links = 0;
  double bytes = 0, most = 0;
  /// The utilisation of the busiest.
  double busiest = 0;

  double getUtilisation() const { return most > 0 ? bytes / most : 0; }
};

struct LinkLoads {
  /// Those that carried something, the busiest first.
  std::vector<LinkLoad> links;
  /// In the order of the network.
  std::vector<ClassLoad> classes;
};

/// Adds up what links carried in exchanges over networks of the same servers;
/// those with other circuits have other links, which names tell apart.
class LinkLoadSum {
public:
  /// An exchange that ran so many times.
  void add(const FabricExchange &exchange, double times = 1);
  LinkLoads get() const;

private:
  std::map<std::string, LinkLoad> links;
  std::map<std::string, ClassLoad> classes;
  std::vector<std::string> order;
};

} // namespace moe::fabric

#endif // MOE_FABRIC_LINKLOADS_H

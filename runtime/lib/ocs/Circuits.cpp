// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-connects and their differences.

#include "ocs/Circuits.h"
#include <algorithm>
#include <iterator>

using namespace moert;

Status moert::verifyCircuits(const std::vector<Circuit> &circuits,
                             const OwnedPorts &owned) {
  std::set<int32_t> seen;
  for (const Circuit &circuit : circuits)
    for (int32_t port : {circuit.in, circuit.out}) {
      if (port < 1)
        return error(MOERT_INVALID_ARGUMENT,
                     "circuit %d,%d: expected ports from 1 on, got %d",
                     circuit.in, circuit.out, port);
      if (!owned.listed.empty() && !owned.listed.count(port))
        return error(MOERT_INVALID_ARGUMENT,
                     "circuit %d,%d: expected ports that the configuration "
                     "lists, got %d",
                     circuit.in, circuit.out, port);
      if (!seen.insert(port).second)
        return error(MOERT_INVALID_ARGUMENT,
                     "circuit %d,%d: expected each port in one circuit, got "
                     "port %d a second time",
                     circuit.in, circuit.out, port);
    }
  return {};
}

Status moert::computeDifference(const std::vector<Circuit> &present,
                                const std::vector<Circuit> &wanted,
                                const OwnedPorts &owned,
                                CircuitDifference &difference) {
  std::set<Circuit> is(present.begin(), present.end());
  std::set<Circuit> shall(wanted.begin(), wanted.end());
  difference = {};
  for (const Circuit &circuit : is) {
    if (shall.count(circuit))
      continue;
    if (!owned.all && owned.listed.empty())
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the ports that circuits may be taken down at, a "
                   "list or all of them, before circuit %d,%d goes, which the "
                   "switch has and nobody asks for; got none",
                   circuit.in, circuit.out);
    size_t mine = owned.all ? 2
                            : owned.listed.count(circuit.in) +
                                  owned.listed.count(circuit.out);
    if (mine == 1)
      return error(MOERT_BACKEND_ERROR,
                   "expected circuits between ports that the configuration "
                   "lists or between others, found %d,%d, one of each",
                   circuit.in, circuit.out);
    if (mine == 2)
      difference.removed.push_back(circuit);
  }
  std::set_difference(shall.begin(), shall.end(), is.begin(), is.end(),
                      std::back_inserter(difference.added));
  return {};
}

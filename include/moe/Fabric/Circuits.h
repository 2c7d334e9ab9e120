// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits between servers.
//
// The servers of a region have NICs on a packet-switched network (EPS), and
// other NICs with ports that an optical circuit switch connects in pairs
// (mFabric; SPEC section 4). Demand may have any unit, and times are in this
// unit divided by the rate of one NIC: divide bytes by a NIC's bytes per
// microsecond for microseconds.

#ifndef MOE_FABRIC_CIRCUITS_H
#define MOE_FABRIC_CIRCUITS_H

#include "moe/Cost/Matrix.h"
#include "moe/Cost/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace moe::fabric {

/// The demand from server i to server j at [i, j], a square matrix over the
/// servers of a region; finite and at least 0. The diagonal stays inside
/// servers and does not count (SPEC MF-1).
using Demand = cost::Matrix<double>;

/// Number of circuits between servers i and j at [i, j]; symmetric with an
/// empty diagonal. Each is full duplex.
using Circuits = cost::Matrix<int32_t>;

/// The networks that a pair with circuits may use (SPEC MF-4).
enum class Routing : uint8_t {
  /// Circuits and EPS concurrently, in the shares that end first.
  Split,
  /// Only circuits; pairs without circuits use EPS.
  Exclusive
};

/// The ports of each server of a region.
struct Ports {
  /// Number of NICs on the circuit switch, alpha; at least 0.
  int64_t opticalDegree = 0;
  /// Number of NICs on EPS; at least 0.
  int64_t epsNics = 0;
  Routing routing = Routing::Split;
  /// Numbers of failed NICs by server; empty if none.
  std::vector<int64_t> failedOptical = {}, failedEps = {};
  /// Rate of an EPS NIC relative to an optical one; above 0.
  double epsRate = 1;

  /// Return the numbers of a server's working NICs.
  int64_t getOptical(int64_t server) const {
    return opticalDegree - get(failedOptical, server);
  }
  int64_t getEps(int64_t server) const {
    return epsNics - get(failedEps, server);
  }
  /// Returns the rate of the working EPS NICs, in optical NICs.
  double getEpsRate(int64_t server) const {
    return static_cast<double>(getEps(server)) * epsRate;
  }

private:
  static int64_t get(const std::vector<int64_t> &failed, int64_t server) {
    return failed.empty() ? 0 : failed[static_cast<size_t>(server)];
  }
};

/// Return why demand, ports or circuits for them are invalid, with expected and
/// actual values; empty if valid. Circuits must have the demand's size, and
/// each server at most as many circuits as working optical NICs.
std::string checkDemand(const Demand &demand, const Ports &ports);
std::string checkCircuits(const Circuits &circuits, const Demand &demand,
                          const Ports &ports);

/// Removes circuits that lack working NICs. If a server has too many, circuits
/// with the least demand are removed first.
Circuits trimCircuits(const Circuits &circuits, const Demand &demand,
                      const Ports &ports);

/// Returns the least time for server `i` to send and receive its demand over
/// its circuits and its EPS NICs, regardless of other servers; infinity if it
/// cannot.
double getServerTime(const Demand &demand, const Circuits &circuits,
                     const Ports &ports, int64_t i);

/// Returns true if server `i` ends by `time` >= 0 in the same sense; cheaper
/// than `getServerTime`. Exactly at its end, the answer depends on rounding.
bool endsBy(const Demand &demand, const Circuits &circuits, const Ports &ports,
            int64_t i, double time);

/// Returns the time of an exchange, which is the time of the slowest server
/// (SPEC MF-4). With split routing, a time T suffices for a pair that leaves
/// max(0, D_ij - C_ij * T) to EPS, and for a server if its EPS NICs carry the
/// amounts that its pairs leave.
double getTime(const Demand &demand, const Circuits &circuits,
               const Ports &ports);

/// Returns a lower bound for all circuits: the most that any server sends or
/// receives, divided by all of its NICs; infinity if there is demand without
/// NICs.
double getPortBound(const Demand &demand, const Ports &ports);

} // namespace moe::fabric

#endif // MOE_FABRIC_CIRCUITS_H

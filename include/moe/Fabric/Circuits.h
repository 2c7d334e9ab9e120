// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Servers that circuits join.
//
// The servers of a region have NICs on a packet-switched network (EPS) and
// others whose ports an optical circuit switch joins in pairs (mFabric; SPEC
// section 4). Demand is in any unit, and times are in that unit over what one
// NIC carries: divide bytes by a NIC's bytes per microsecond for microseconds.

#ifndef MOE_FABRIC_CIRCUITS_H
#define MOE_FABRIC_CIRCUITS_H

#include "moe/Cost/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace moe::fabric {

/// A square matrix over the servers of a region, row-major.
template <typename T> class ServerMatrix {
public:
  explicit ServerMatrix(int64_t size = 0, T value = T())
      : size(size), values(static_cast<size_t>(size * size), value) {}

  int64_t getSize() const { return size; }
  T &at(int64_t i, int64_t j) {
    return values[static_cast<size_t>(i * size + j)];
  }
  const T &at(int64_t i, int64_t j) const {
    return values[static_cast<size_t>(i * size + j)];
  }
  bool operator==(const ServerMatrix &other) const {
    return size == other.size && values == other.values;
  }

private:
  int64_t size;
  std::vector<T> values;
};

/// What server i sends to server j at [i, j]; at least 0 and finite. The
/// diagonal stays inside of servers and does not count (SPEC MF-1).
using Demand = ServerMatrix<double>;

/// Circuits between servers i and j at [i, j], symmetric, none on the diagonal.
/// Each is full duplex.
using Circuits = ServerMatrix<int32_t>;

/// Which way a pair with circuits may send (SPEC MF-4).
enum class Routing : uint8_t {
  /// Over circuits and EPS at once, in the shares that end first.
  Split,
  /// Over circuits only; pairs without any over EPS.
  Exclusive
};

/// What a server of the region has.
struct Ports {
  /// NICs on the circuit switch, alpha; at least 0.
  int64_t opticalDegree = 0;
  /// NICs on EPS; at least 0.
  int64_t epsNics = 0;
  Routing routing = Routing::Split;
  /// How many of each that servers have do not work, by server; empty where all
  /// do.
  std::vector<int64_t> failedOptical = {}, failedEps = {};
  /// What an EPS NIC carries over what an optical one does; above 0.
  double epsRate = 1;

  /// Those of a server that work.
  int64_t getOptical(int64_t server) const {
    return opticalDegree - get(failedOptical, server);
  }
  int64_t getEps(int64_t server) const {
    return epsNics - get(failedEps, server);
  }
  /// What the latter carry, in optical NICs.
  double getEpsRate(int64_t server) const {
    return static_cast<double>(getEps(server)) * epsRate;
  }

private:
  static int64_t get(const std::vector<int64_t> &failed, int64_t server) {
    return failed.empty() ? 0 : failed[static_cast<size_t>(server)];
  }
};

/// What is wrong with demand, ports or circuits for them, empty when nothing
/// is: named with what was expected and found. Circuits have the demand's size
/// and at most as many at each server as optical NICs of it work.
std::string checkDemand(const Demand &demand, const Ports &ports);
std::string checkCircuits(const Circuits &circuits, const Demand &demand,
                          const Ports &ports);

/// Circuits without those that servers have no working NICs for: of a server
/// with too many, those of the least demand go first.
Circuits trimCircuits(const Circuits &circuits, const Demand &demand,
                      const Ports &ports);

/// The least time in which server `i` sends and receives its demand over its
/// circuits and its EPS NICs, others being no limit; infinity if it cannot.
double getServerTime(const Demand &demand, const Circuits &circuits,
                     const Ports &ports, int64_t i);

/// Whether server `i` ends by a time, at least 0, so: cheaper than to ask when
/// it does. At the very time it ends the answer is one of rounding.
bool endsBy(const Demand &demand, const Circuits &circuits, const Ports &ports,
            int64_t i, double time);

/// Time of an exchange: that of the slowest server (SPEC MF-4). With split
/// routing a time T is enough for a pair that leaves max(0, D_ij - C_ij * T) to
/// EPS, and for a server whose EPS NICs carry what its pairs leave.
double getTime(const Demand &demand, const Circuits &circuits,
               const Ports &ports);

/// What no circuits are faster than: the most that a server sends or receives,
/// over all of its NICs; infinity where there is demand and no NIC.
double getPortBound(const Demand &demand, const Ports &ports);

} // namespace moe::fabric

#endif // MOE_FABRIC_CIRCUITS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Least time over all circuits.

#ifndef MOE_UNITTESTS_FABRIC_JOINTOPTIMUM_H
#define MOE_UNITTESTS_FABRIC_JOINTOPTIMUM_H

#include "moe/Fabric/Circuits.h"
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace moe::fabric {

/// Searches for circuits with which all servers end by a time, with split
/// routing. Decides the pairs one after the other, starting with the server
/// that has the fewest spare ports. A branch ends at a server whose open ports
/// cannot carry enough, whatever the others do.
class TimeTest {
public:
  enum class Answer { Yes, No, Unknown };

  TimeTest(const Demand &demand, const Ports &ports)
      : demand(demand), ports(ports), n(demand.getSize()) {}

  /// Gives up after `mostBranches` branches.
  Answer run(double target, int64_t mostBranches) {
    time = target;
    left = mostBranches;
    circuits = Circuits(n);
    isDecided = cost::Matrix<uint8_t>(n);
    open.assign(n, 0);
    for (int64_t i = 0; i < n; ++i)
      open[i] = ports.getOptical(i);
    return extend();
  }
  const Circuits &getCircuits() const { return circuits; }

private:
  double getLoad(int64_t i, int64_t j, bool sends) const {
    return sends ? demand.at(i, j) : demand.at(j, i);
  }

  /// Returns the fewest circuits to undecided peers with which a server ends in
  /// time in one direction; nothing if its ports and its peers' ports do not
  /// suffice.
  std::optional<int64_t> getNeed(int64_t i, bool sends) {
    double rest = -time * double(ports.getEps(i));
    pieces.clear();
    for (int64_t j = 0; j < n; ++j) {
      if (j == i)
        continue;
      double own = getLoad(i, j, sends) - time * circuits.at(i, j);
      if (own <= 0)
        continue;
      rest += own;
      if (isDecided.at(i, j))
        continue;
      for (int64_t k = 0; k < open[j] && own > 0; ++k, own -= time)
        pieces.push_back(std::min(own, time));
    }
    // Rounding must not end a branch.
    const double enough = 1e-9 * time;
    std::sort(pieces.begin(), pieces.end(), std::greater<>());
    int64_t need = 0;
    for (; rest > enough; ++need) {
      if (need >= open[i] || need >= int64_t(pieces.size()))
        return std::nullopt;
      rest -= pieces[need];
    }
    return need;
  }

  Answer extend() {
    if (--left < 0)
      return Answer::Unknown;
    // Picks the server with the fewest spare ports among the servers that need
    // some.
    int64_t server = -1, spare = 0;
    bool needsAny = false;
    for (int64_t i = 0; i < n; ++i) {
      auto sent = getNeed(i, true), received = getNeed(i, false);
      if (!sent || !received)
        return Answer::No;
      int64_t need = std::max(*sent, *received);
      if (need == 0)
        continue;
      needsAny = true;
      if (server < 0 || open[i] - need < spare) {
        server = i;
        spare = open[i] - need;
      }
    }
    if (!needsAny)
      return Answer::Yes;
    int64_t peer = -1;
    double most = 0;
    for (int64_t j = 0; j < n; ++j) {
      if (j == server || isDecided.at(server, j))
        continue;
      double load = std::max(demand.at(server, j), demand.at(j, server));
      if (load > most) {
        most = load;
        peer = j;
      }
    }
    // The server has undecided peers, because otherwise it could not end in
    // time.
    int64_t useful = 0;
    while (double(useful) * time < most)
      ++useful;
    useful = std::min({useful, open[server], open[peer]});
    isDecided.at(server, peer) = isDecided.at(peer, server) = 1;
    Answer answer = Answer::No;
    for (int64_t count = useful; count >= 0; --count) {
      set(server, peer, int32_t(count));
      answer = extend();
      if (answer != Answer::No)
        return answer;
      set(server, peer, 0);
    }
    isDecided.at(server, peer) = isDecided.at(peer, server) = 0;
    return answer;
  }

  void set(int64_t i, int64_t j, int32_t count) {
    int32_t change = count - circuits.at(i, j);
    circuits.at(i, j) = circuits.at(j, i) = count;
    open[i] -= change;
    open[j] -= change;
  }

  const Demand &demand;
  const Ports &ports;
  int64_t n, left = 0;
  double time = 0;
  Circuits circuits;
  cost::Matrix<uint8_t> isDecided;
  std::vector<int64_t> open;
  std::vector<double> pieces;
};

/// Bounds of the least time over all circuits.
struct JointOptimum {
  double least = 0, found = 0;
};

/// Narrows the bounds to a thousandth from a time that is reached, as far as
/// `mostBranches` branches per time decide.
inline JointOptimum findJointOptimum(const Demand &demand, const Ports &ports,
                                     double reached, int64_t mostBranches) {
  TimeTest test(demand, ports);
  JointOptimum optimum{getPortBound(demand, ports), reached};
  double from = optimum.least;
  while (optimum.found > 1.001 * from) {
    double target = (from + optimum.found) / 2;
    switch (test.run(target, mostBranches)) {
    case TimeTest::Answer::Yes:
      optimum.found =
          std::min(target, getTime(demand, test.getCircuits(), ports));
      break;
    case TimeTest::Answer::No:
      optimum.least = target;
      [[fallthrough]];
    case TimeTest::Answer::Unknown:
      from = target;
      break;
    }
  }
  return optimum;
}

} // namespace moe::fabric

#endif // MOE_UNITTESTS_FABRIC_JOINTOPTIMUM_H

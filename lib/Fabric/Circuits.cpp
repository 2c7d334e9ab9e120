// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits between servers.

#include "moe/Fabric/Circuits.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace moe;
using namespace moe::fabric;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

static std::string at(int64_t i, int64_t j) {
  return "[" + std::to_string(i) + ", " + std::to_string(j) + "]";
}

std::string moe::fabric::checkDemand(const Demand &demand, const Ports &ports) {
  if (ports.opticalDegree < 0 || ports.epsNics < 0)
    return "expected at least 0 optical ports and EPS NICs of a server, got " +
           std::to_string(ports.opticalDegree) + " and " +
           std::to_string(ports.epsNics);
  if (!(ports.epsRate > 0) || !std::isfinite(ports.epsRate))
    return "expected a rate of EPS NICs above 0, got " +
           std::to_string(ports.epsRate);
  struct {
    const std::vector<int64_t> &failed;
    int64_t most;
    const char *what;
  } kinds[] = {{ports.failedOptical, ports.opticalDegree, "optical"},
               {ports.failedEps, ports.epsNics, "EPS"}};
  for (auto &[failed, most, what] : kinds) {
    if (!failed.empty() &&
        static_cast<int64_t>(failed.size()) != demand.getSize())
      return "expected failed " + std::string(what) + " NICs of " +
             std::to_string(demand.getSize()) + " servers, got such of " +
             std::to_string(failed.size());
    for (int64_t count : failed)
      if (count < 0 || count > most)
        return "expected 0 to " + std::to_string(most) + " failed " + what +
               " NICs of a server, got " + std::to_string(count);
  }
  for (int64_t i = 0; i < demand.getSize(); ++i)
    for (int64_t j = 0; j < demand.getSize(); ++j)
      if (!(demand.at(i, j) >= 0 && std::isfinite(demand.at(i, j))))
        return "expected a finite demand of at least 0 at " + at(i, j) +
               ", got " + std::to_string(demand.at(i, j));
  return "";
}

std::string moe::fabric::checkCircuits(const Circuits &circuits,
                                       const Demand &demand,
                                       const Ports &ports) {
  int64_t n = demand.getSize();
  if (circuits.getSize() != n)
    return "expected circuits of " + std::to_string(n) + " servers, got such " +
           "of " + std::to_string(circuits.getSize());
  for (int64_t i = 0; i < n; ++i) {
    int64_t used = 0;
    for (int64_t j = 0; j < n; ++j) {
      if (circuits.at(i, j) < 0 || (i == j && circuits.at(i, j) != 0))
        return "expected " +
               std::string(i == j ? "no circuit" : "at least 0 circuits") +
               " at " + at(i, j) + ", got " + std::to_string(circuits.at(i, j));
      if (circuits.at(i, j) != circuits.at(j, i))
        return "expected as many circuits at " + at(i, j) + " as at " +
               at(j, i) + ", got " + std::to_string(circuits.at(i, j)) +
               " and " + std::to_string(circuits.at(j, i));
      used += circuits.at(i, j);
    }
    if (used > ports.getOptical(i))
      return "expected at most " + std::to_string(ports.getOptical(i)) +
             " circuits at server " + std::to_string(i) + ", got " +
             std::to_string(used);
  }
  return "";
}

Circuits moe::fabric::trimCircuits(const Circuits &circuits,
                                   const Demand &demand, const Ports &ports) {
  Circuits trimmed = circuits;
  int64_t n = trimmed.getSize();
  for (int64_t i = 0; i < n; ++i) {
    int64_t over = -ports.getOptical(i);
    for (int64_t j = 0; j < n; ++j)
      over += trimmed.at(i, j);
    for (; over > 0; --over) {
      int64_t least = -1;
      double leastLoad = kInfinity;
      for (int64_t j = 0; j < n; ++j) {
        double load = std::max(demand.at(i, j), demand.at(j, i));
        if (trimmed.at(i, j) > 0 && load / trimmed.at(i, j) < leastLoad) {
          least = j;
          leastLoad = load / trimmed.at(i, j);
        }
      }
      --trimmed.at(i, least);
      --trimmed.at(least, i);
    }
  }
  return trimmed;
}

/// Returns the amount that server `i` sends to `j`, or receives from it.
static double getLoad(const Demand &demand, int64_t i, int64_t j, bool sends) {
  return sends ? demand.at(i, j) : demand.at(j, i);
}

/// Returns the least T with sum over j of max(0, D_j - C_j T) <= eps T. The sum
/// minus the right side is convex and decreasing, so Newton's method from below
/// reaches the root after finitely many steps.
static double getSplitTime(const Demand &demand, const Circuits &circuits,
                           double eps, int64_t i, bool sends) {
  const int64_t n = demand.getSize(), stride = sends ? 1 : n;
  const double *loads = &demand.at(sends ? i : 0, sends ? 0 : i);
  const int32_t *links = &circuits.at(i, 0);
  double time = 0;
  while (true) {
    // Sums over pairs that leave a remainder to EPS at this time; branch-free,
    // because the outcome is unpredictable.
    double load = 0, nics = eps;
    for (int64_t j = 0; j < n; ++j) {
      double own = j == i ? 0 : loads[j * stride];
      double link = links[j];
      bool leaves = own > link * time;
      load += leaves ? own : 0;
      nics += leaves ? link : 0;
    }
    if (load == 0)
      return time;
    if (nics == 0)
      return kInfinity;
    double next = load / nics;
    if (!(next > time))
      return time;
    time = next;
  }
}

static double getExclusiveTime(const Demand &demand, const Circuits &circuits,
                               double eps, int64_t i, bool sends) {
  double time = 0, left = 0;
  for (int64_t j = 0; j < demand.getSize(); ++j) {
    double own = getLoad(demand, i, j, sends);
    if (j == i)
      continue;
    if (circuits.at(i, j) > 0)
      time = std::max(time, own / circuits.at(i, j));
    else
      left += own;
  }
  if (left == 0)
    return time;
  return eps == 0 ? kInfinity : std::max(time, left / eps);
}

double moe::fabric::getServerTime(const Demand &demand,
                                  const Circuits &circuits, const Ports &ports,
                                  int64_t i) {
  double eps = ports.getEpsRate(i);
  auto get = ports.routing == Routing::Split ? getSplitTime : getExclusiveTime;
  return std::max(get(demand, circuits, eps, i, /*sends=*/true),
                  get(demand, circuits, eps, i, /*sends=*/false));
}

bool moe::fabric::endsBy(const Demand &demand, const Circuits &circuits,
                         const Ports &ports, int64_t i, double time) {
  if (ports.routing == Routing::Exclusive)
    return getServerTime(demand, circuits, ports, i) <= time;
  // Remainders that pairs leave to EPS.
  double sent = 0, received = 0;
  for (int64_t j = 0; j < demand.getSize(); ++j) {
    if (j == i)
      continue;
    double carried = circuits.at(i, j) * time;
    sent += std::max(demand.at(i, j) - carried, 0.0);
    received += std::max(demand.at(j, i) - carried, 0.0);
  }
  return std::max(sent, received) <= ports.getEpsRate(i) * time;
}

double moe::fabric::getTime(const Demand &demand, const Circuits &circuits,
                            const Ports &ports) {
  double time = 0;
  for (int64_t i = 0; i < demand.getSize(); ++i)
    time = std::max(time, getServerTime(demand, circuits, ports, i));
  return time;
}

double moe::fabric::getPortBound(const Demand &demand, const Ports &ports) {
  int64_t n = demand.getSize();
  double bound = 0;
  for (int64_t i = 0; i < n; ++i)
    for (bool sends : {true, false}) {
      double load = 0;
      for (int64_t j = 0; j < n; ++j)
        load += j == i ? 0 : getLoad(demand, i, j, sends);
      double nics =
          static_cast<double>(ports.getOptical(i)) + ports.getEpsRate(i);
      if (load > 0)
        bound = std::max(bound, nics == 0 ? kInfinity : load / nics);
    }
  return bound;
}

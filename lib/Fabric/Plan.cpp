// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning of circuits between servers.

#include "CircuitLocalSearch.h"
#include <limits>
#include <string>

using namespace moe;
using namespace moe::fabric;

namespace {

/// xorshift64*, which gives the same numbers on all platforms.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 0x9e3779b97f4a7c15) {}
  /// Returns a number in [0, bound).
  int64_t draw(int64_t bound) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<int64_t>(((state * 0x2545f4914f6cdd1d) >> 33) %
                                static_cast<uint64_t>(bound));
  }

private:
  uint64_t state;
};

/// Sums all demands for starts that need a single one.
Demand sum(const std::vector<WeightedDemand> &demands) {
  Demand all(demands.front().demand.getSize());
  for (const WeightedDemand &weighted : demands)
    for (int64_t i = 0; i < all.getSize(); ++i)
      for (int64_t j = 0; j < all.getSize(); ++j)
        all.at(i, j) += weighted.weight * weighted.demand.at(i, j);
  return all;
}

class Planner {
public:
  Planner(const std::vector<WeightedDemand> &demands, const Ports &ports,
          const PlanOptions &options)
      : demands(demands), ports(ports), options(options), all(sum(demands)),
        random(options.seed) {}

  CircuitPlan run() {
    int64_t n = all.getSize();
    bool isFast = options.effort == Effort::Fast;
    CircuitPlan plan;
    for (const WeightedDemand &weighted : demands)
      plan.bound += weighted.weight * getPortBound(weighted.demand, ports);
    State greedy(demands, ports, planGreedily(all, ports));
    plan.greedyTime = greedy.getScore().time;
    if (options.effort == Effort::Greedy)
      return finish(plan, greedy);
    State best = greedy, other = greedy;
    // If the greedy plan is nearly optimal, a cover cannot improve it.
    constexpr double kClose = 1.01, kFar = 1.1;
    if (plan.greedyTime > kClose * plan.bound) {
      other = State(demands, ports, findCover(plan.bound, plan.greedyTime));
      if (other.getScore().isBetterThan(best.getScore()))
        std::swap(best, other);
    }
    // Number of attempted moves; more do not help in large regions.
    const int64_t mostMoves = isFast ? 100 : 4000;
    improve(demands, best, mostMoves);
    if (!isFast || best.getScore().time > kFar * plan.bound) {
      improve(demands, other, mostMoves);
      if (other.getScore().isBetterThan(best.getScore()))
        best = other;
    }
    if (!isFast) {
      // Random jumps leave local optima; there are fewer if each takes longer.
      constexpr int64_t kWork = 3000000;
      int64_t jumps = std::min<int64_t>(60, kWork / (n * n * n + 1));
      State current = best;
      for (int64_t jump = 0; jump < jumps; ++jump) {
        State other = jump % 8 == 7 ? best : current;
        shake(other);
        improve(demands, other, 400);
        if (!current.getScore().isBetterThan(other.getScore()))
          current = other;
        if (current.getScore().isBetterThan(best.getScore()))
          best = current;
      }
    }
    if (options.keep)
      keepWhatIsUp(best, mostMoves);
    return finish(plan, best);
  }

private:
  CircuitPlan finish(CircuitPlan &plan, const State &best) const {
    plan.circuits = best.getCircuits();
    plan.time = best.getScore().time;
    plan.changedPorts = countChangedPorts(
        options.keep ? *options.keep : Circuits(all.getSize()), plan.circuits);
    return std::move(plan);
  }

  /// Replaces `best` by the plan with the fewest changed ports among the known
  /// plans with a time within the uncertainty.
  void keepWhatIsUp(State &best, int64_t mostMoves) {
    double mostTime = best.getScore().time * (1 + options.uncertainty);
    State kept(demands, ports, trimCircuits(*options.keep, all, ports));
    improve(demands, kept, mostMoves, mostTime);
    for (State *state : {&best, &kept})
      if (state->getScore().time <= mostTime)
        restore(*state, *options.keep, mostTime);
    auto count = [&](const State &state) {
      return countChangedPorts(*options.keep, state.getCircuits());
    };
    if (kept.getScore().time <= mostTime && count(kept) < count(best))
      best = kept;
  }

  /// Returns the best cover for times between the bound and a known time.
  Circuits findCover(double bound, double reached) {
    constexpr int kSteps = 3;
    double least = bound, most = std::isfinite(reached) ? reached : 8 * bound;
    Circuits best(all.getSize());
    double bestTime = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kSteps; ++step) {
      double target = least + (most - least) / 2;
      Circuits circuits = coverUntil(all, ports, target);
      double time = getTime(all, circuits, ports);
      if (time < bestTime) {
        bestTime = time;
        best = std::move(circuits);
      }
      (time <= target ? most : least) = target;
    }
    return best;
  }

  void shake(State &state) {
    int64_t n = state.getSize();
    for (int64_t turns = 1 + random.draw(3); turns > 0; --turns) {
      // Two circuits exchange their ends.
      std::array<std::pair<int64_t, int64_t>, 2> picked;
      size_t count = 0;
      for (int tries = 0; tries < 64 && count < 2; ++tries) {
        int64_t i = random.draw(n), j = random.draw(n);
        bool isNew =
            count == 0 || (i != picked[0].first && i != picked[0].second &&
                           j != picked[0].first && j != picked[0].second);
        if (i != j && isNew && state.getCircuits().at(i, j) > 0)
          picked[count++] = {i, j};
      }
      if (count < 2)
        return;
      auto [a, b] = picked[0];
      auto [c, d] = picked[1];
      State::Move move;
      move.add(a, b, -1);
      move.add(c, d, -1);
      move.add(a, c, 1);
      move.add(b, d, 1);
      state.apply(move);
    }
  }

  const std::vector<WeightedDemand> &demands;
  const Ports &ports;
  const PlanOptions &options;
  Demand all;
  Random random;
};

} // namespace

cost::Result<CircuitPlan>
moe::fabric::planCircuits(const std::vector<WeightedDemand> &demands,
                          const Ports &ports, const PlanOptions &options) {
  if (demands.empty())
    return cost::Failure{"expected at least one demand, got none"};
  for (const WeightedDemand &weighted : demands) {
    if (weighted.demand.getSize() != demands.front().demand.getSize())
      return cost::Failure{"expected demands of " +
                           std::to_string(demands.front().demand.getSize()) +
                           " servers, got one of " +
                           std::to_string(weighted.demand.getSize())};
    if (std::string wrong = checkDemand(weighted.demand, ports); !wrong.empty())
      return cost::Failure{wrong};
    if (!(weighted.weight >= 0 && std::isfinite(weighted.weight)))
      return cost::Failure{"expected a finite weight of at least 0, got " +
                           std::to_string(weighted.weight)};
  }
  if (options.keep) {
    // The circuits may be from before NICs failed.
    Ports whole = ports;
    whole.failedOptical.clear();
    if (std::string wrong =
            checkCircuits(*options.keep, demands.front().demand, whole);
        !wrong.empty())
      return cost::Failure{"circuits that are up: " + wrong};
  }
  return Planner(demands, ports, options).run();
}

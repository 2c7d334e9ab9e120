//===- NetworkPart.cpp - Flows that share links ---------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// After an event, rates are found again of the flows that the event reaches
// over links that they share. A flow that ended had filled its links up to its
// level; flows that stopped rising below it did so on links that it left alone
// or had no part in filling, so that their rates stay.
//
//===----------------------------------------------------------------------===//

#include "NetworkPart.h"

#include <tuple>

using namespace moe;
using namespace moe::fabric;

static constexpr double kNever = std::numeric_limits<double>::infinity();
/// Ends that are closer, beside their time, are one event: equal flows end
/// together whatever rounding did to them.
static constexpr double kTogether = 1e-12;

namespace {

class PartSimulation {
public:
  PartSimulation(const NetworkPart &part);
  cost::Result<PartTimes> run(int64_t &stuck);

private:
  enum class State : uint8_t { Waiting, Paused, Active, Ended };

  struct Running {
    State state = State::Waiting;
    double left, rate = 0, level = 0;
    /// When `left` was so.
    double since = 0;
    uint32_t seen = 0;
    bool isRising = false;
  };

  /// A start, or an event of the part.
  struct Timed {
    double time;
    size_t event, flow;
  };

  void apply(const Timed &timed, double now);
  void activate(size_t flow, double now);
  void stop(size_t flow, State state, double now);
  /// The flow's links have changed, and with them what had at least this level.
  void touch(size_t flow, double level);
  void findRates(double now);
  void setRate(size_t flow, double rate, double now);
  double getCapacity(size_t link, int64_t counted) const;

  const NetworkPart &part;
  FlowTable table;
  Filling filling;
  std::vector<double> capacities;
  /// By link; flows that are not active are removed when they are met.
  std::vector<std::vector<int32_t>> flowsOf;
  std::vector<Running> running;
  /// By flow, when nothing of it is left at its rate; looked through at each
  /// event.
  std::vector<double> ends;
  std::vector<int32_t> active;
  std::vector<Timed> timed;
  /// Links that an event has changed, and from which level on.
  std::vector<int32_t> touched;
  std::vector<uint32_t> linkSeen;
  double threshold = kNever;
  uint32_t stamp = 0;
  PartTimes times;
};

} // namespace

static FlowTable makeTable(const NetworkPart &part) {
  FlowTable table;
  for (const Flow &flow : part.flows)
    table.add(flow.uses, flow.penalty);
  return table;
}

PartSimulation::PartSimulation(const NetworkPart &part)
    : part(part), table(makeTable(part)), filling(table, part.links.size()),
      flowsOf(part.links.size()), running(part.flows.size()),
      ends(part.flows.size(), kNever), linkSeen(part.links.size()) {
  for (const FairLink &link : part.links)
    capacities.push_back(link.capacity);
  for (size_t l = 0; l < part.links.size(); ++l)
    filling.links[l].isFatPipe = part.links[l].sharing == Sharing::FatPipe;
  times.ends.resize(part.flows.size());
  for (size_t f = 0; f < part.flows.size(); ++f) {
    running[f].left = part.flows[f].bytes;
    timed.push_back({part.flows[f].start, part.events.size(), f});
  }
  for (size_t e = 0; e < part.events.size(); ++e)
    timed.push_back({part.events[e].time, e, 0});
  // Of one time, events come first: a flow may be paused before it begins.
  std::sort(timed.begin(), timed.end(), [](const Timed &a, const Timed &b) {
    return std::tie(a.time, a.event, a.flow) <
           std::tie(b.time, b.event, b.flow);
  });
}

double PartSimulation::getCapacity(size_t link, int64_t counted) const {
  const FairLink &fair = part.links[link];
  if (!fair.degrade || counted == 0)
    return capacities[link];
  return std::max(0.0, fair.degrade(capacities[link], counted));
}

void PartSimulation::touch(size_t flow, double level) {
  threshold = std::min(threshold, level);
  for (const FlowTable::Use &use : table.getUses(flow))
    touched.push_back(use.link);
}

void PartSimulation::activate(size_t flow, double now) {
  Running &state = running[flow];
  state.state = State::Active;
  state.since = now;
  if (!(state.left > 0) || part.flows[flow].uses.empty()) {
    state.state = State::Ended;
    times.ends[flow] = now;
    return;
  }
  active.push_back(static_cast<int32_t>(flow));
  for (const FlowTable::Use &use : table.getUses(flow))
    flowsOf[static_cast<size_t>(use.link)].push_back(
        static_cast<int32_t>(flow));
  touch(flow, 0);
}

void PartSimulation::stop(size_t flow, State state, double now) {
  touch(flow, running[flow].level);
  setRate(flow, 0, now);
  running[flow].state = state;
  running[flow].level = 0;
  // At once, as it may come back before the next rates.
  for (const FlowTable::Use &use : table.getUses(flow))
    std::erase(flowsOf[static_cast<size_t>(use.link)],
               static_cast<int32_t>(flow));
}

void PartSimulation::setRate(size_t flow, double rate, double now) {
  Running &state = running[flow];
  if (rate == state.rate)
    return;
  if (state.rate > 0)
    state.left = std::max(0.0, state.left - state.rate * (now - state.since));
  state.since = now;
  state.rate = rate;
  ends[flow] = rate > 0 ? now + state.left / rate : kNever;
}

void PartSimulation::apply(const Timed &timed, double now) {
  if (timed.event == part.events.size()) {
    // One that was paused before its start waits for the end of that.
    if (running[timed.flow].state == State::Waiting)
      activate(timed.flow, now);
    return;
  }
  const FlowEvent &event = part.events[timed.event];
  auto target = static_cast<size_t>(event.target);
  switch (event.kind) {
  case FlowEvent::Kind::SetCapacity:
    if (capacities[target] == event.capacity)
      return;
    capacities[target] = event.capacity;
    touched.push_back(static_cast<int32_t>(target));
    threshold = 0;
    return;
  case FlowEvent::Kind::Pause:
    if (running[target].state == State::Active) {
      stop(target, State::Paused, now);
      std::erase(active, static_cast<int32_t>(target));
    } else if (running[target].state == State::Waiting) {
      running[target].state = State::Paused;
    }
    return;
  case FlowEvent::Kind::Resume:
    if (running[target].state != State::Paused)
      return;
    running[target].state = State::Waiting;
    if (part.flows[target].start <= now)
      activate(target, now);
    return;
  }
}

void PartSimulation::findRates(double now) {
  ++stamp;
  // What is left of the threshold after rounding.
  double least = threshold * (1 - kTogether);
  std::vector<int32_t> reached;
  std::vector<int32_t> &links = touched;
  size_t distinct = 0;
  for (size_t k = 0; k < links.size(); ++k) {
    auto l = static_cast<size_t>(links[k]);
    if (linkSeen[l] == stamp)
      continue;
    linkSeen[l] = stamp;
    links[distinct++] = links[k];
  }
  links.resize(distinct);
  for (size_t k = 0; k < links.size(); ++k) {
    auto l = static_cast<size_t>(links[k]);
    FillingLink &link = filling.links[l];
    link.left = link.shares = {};
    link.greatest = 0;
    link.numRising = 0;
    link.isStale = false;
    int64_t counted = 0;
    for (int32_t f : flowsOf[l]) {
      auto flow = static_cast<size_t>(f);
      Running &state = running[flow];
      bool isReached = state.level >= least || state.rate == 0;
      if (isReached && state.seen != stamp) {
        state.seen = stamp;
        state.isRising = true;
        reached.push_back(f);
        for (const FlowTable::Use &use : table.getUses(flow))
          if (linkSeen[static_cast<size_t>(use.link)] != stamp) {
            linkSeen[static_cast<size_t>(use.link)] = stamp;
            links.push_back(use.link);
          }
      }
      for (const FlowTable::Use &use : table.getUses(flow)) {
        if (use.link != links[k])
          continue;
        counted += use.weight > kSideTraffic;
        if (isReached) {
          ++link.numRising;
          link.addShare(use.share);
          link.greatest = std::max(link.greatest, use.share);
        } else if (!link.isFatPipe) {
          link.left.addProduct(-use.weight, state.rate);
        }
        break;
      }
    }
    link.left.add(getCapacity(l, counted));
  }
  times.ratesFound += static_cast<int64_t>(reached.size());
  filling.fill(
      links,
      [&](int32_t l) -> const std::vector<int32_t> & {
        return flowsOf[static_cast<size_t>(l)];
      },
      [&](int32_t f) { return running[static_cast<size_t>(f)].isRising; },
      [&](int32_t f, double level) {
        auto flow = static_cast<size_t>(f);
        running[flow].isRising = false;
        running[flow].level = level;
        setRate(flow, level / table.penalties[flow], now);
      });
  touched.clear();
  threshold = kNever;
}

cost::Result<PartTimes> PartSimulation::run(int64_t &stuck) {
  size_t next = 0;
  while (true) {
    double end = kNever;
    for (int32_t f : active)
      end = std::min(end, ends[static_cast<size_t>(f)]);
    double now = end;
    if (next < timed.size())
      now = std::min(now, timed[next].time);
    if (now == kNever)
      break;
    ++times.events;
    double until = now + std::abs(now) * kTogether;
    if (end <= until) {
      size_t kept = 0;
      for (int32_t f : active) {
        auto flow = static_cast<size_t>(f);
        if (ends[flow] > until) {
          active[kept++] = f;
          continue;
        }
        times.ends[flow] = ends[flow];
        stop(flow, State::Ended, now);
      }
      active.resize(kept);
    }
    while (next < timed.size() && timed[next].time <= now)
      apply(timed[next++], now);
    if (!touched.empty())
      findRates(now);
  }
  for (size_t f = 0; f < running.size(); ++f)
    if (running[f].state != State::Ended) {
      stuck = static_cast<int64_t>(f);
      return cost::Failure{
          running[f].state == State::Paused
              ? "expected an event that lets it go on, got a pause for good"
              : "expected capacity on all of its links, got none on one"};
    }
  return times;
}

cost::Result<PartTimes> moe::fabric::simulatePart(const NetworkPart &part,
                                                  int64_t &stuck) {
  return PartSimulation(part).run(stuck);
}

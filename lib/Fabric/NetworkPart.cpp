// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of flows that share links.
//
// After an event, rates are recomputed for the flows that the event reaches
// over shared links. A flow that ended had filled its links up to its level.
// Flows that stopped rising below this level did so on links that it did not
// use or did not help to fill, so their rates are unchanged.

#include "NetworkPart.h"

#include <tuple>
#include <utility>

using namespace moe;
using namespace moe::fabric;

static constexpr double kNever = std::numeric_limits<double>::infinity();
/// Ends that differ by less than this, relative to their time, are one event,
/// so that equal flows end together despite rounding.
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
    /// Remaining bytes while it is not active.
    double left;
    /// Its index in `active`.
    int32_t place = 0;
  };

  /// A start, or an event of the part.
  struct Timed {
    double time;
    size_t event, flow;
  };

  void apply(const Timed &timed, double now);
  void activate(size_t flow, double now);
  void stop(size_t flow, State state, double now);
  /// Marks the links of a flow as changed, for flows with at least this level.
  void touch(size_t flow, double level);
  void reach(int32_t link);
  template <bool isPlain> void findRates(double now);
  void carryOn(double now);
  double getCapacity(size_t link) const;
  std::span<const int32_t> getFlows(int32_t link) const {
    const Crossed &own = crossed[static_cast<size_t>(link)];
    return {flowsOf.data() + own.first, own.count};
  }

  /// A link with its active flows, which start at `first` in `flowsOf`;
  /// `counted` of them are more than side traffic.
  struct Crossed {
    double capacity;
    size_t first = 0, count = 0;
    int64_t counted = 0;
  };

  const NetworkPart &part;
  FlowTable table;
  bool isPlain;
  Filling filling;
  std::vector<Crossed> crossed;
  /// Active flows by link, and the positions of their uses in the table; and
  /// the positions in `flowsOf` by use.
  std::vector<int32_t> flowsOf, usesOf, placeOf;
  std::vector<Running> running;
  /// By flow. A stopped flow has an infinite level, because rates are
  /// recomputed for flows from some level on.
  std::vector<double> rates, levels;
  std::vector<int32_t> isRising;
  /// Active flows, and for each of them the remaining bytes at the last change
  /// of its rate, the time of that change, the rate, and the time when no bytes
  /// remain. Each event scans these arrays in parallel without branches.
  std::vector<int32_t> active;
  std::vector<double> left, since, flowing, ends;
  /// The rates from the current event on.
  std::vector<double> found;
  std::vector<Timed> timed;
  /// Links that an event has changed, for flows with a level of at least
  /// `threshold`.
  std::vector<int32_t> touched;
  std::vector<int32_t> isTouched;
  /// Flows that are reached first over the current link.
  std::vector<int32_t> reached;
  double threshold = kNever;
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
    : part(part), table(makeTable(part)), isPlain(table.isPlain),
      filling(table, part.links.size()), flowsOf(table.uses.size()),
      usesOf(table.uses.size()), placeOf(table.uses.size()),
      running(part.flows.size()), rates(part.flows.size()),
      levels(part.flows.size(), kNever), isRising(part.flows.size()),
      isTouched(part.links.size()), reached(part.flows.size()) {
  for (const FairLink &link : part.links)
    crossed.push_back({link.capacity});
  for (const FlowTable::Use &use : table.uses)
    ++crossed[static_cast<size_t>(use.link)].count;
  size_t first = 0;
  for (size_t l = 0; l < part.links.size(); ++l) {
    crossed[l].first = first;
    first += std::exchange(crossed[l].count, 0);
    filling.links[l].isFatPipe = part.links[l].sharing == Sharing::FatPipe;
    isPlain &= !filling.links[l].isFatPipe;
  }
  times.ends.resize(part.flows.size());
  for (size_t f = 0; f < part.flows.size(); ++f) {
    running[f].left = part.flows[f].bytes;
    timed.push_back({part.flows[f].start, part.events.size(), f});
  }
  for (size_t e = 0; e < part.events.size(); ++e)
    timed.push_back({part.events[e].time, e, 0});
  // At the same time, events precede starts: a flow may be paused before it
  // begins.
  std::sort(timed.begin(), timed.end(), [](const Timed &a, const Timed &b) {
    return std::tie(a.time, a.event, a.flow) <
           std::tie(b.time, b.event, b.flow);
  });
}

double PartSimulation::getCapacity(size_t link) const {
  const Crossed &own = crossed[link];
  const auto &degrade = part.links[link].degrade;
  if (!degrade || own.counted == 0)
    return own.capacity;
  return std::max(0.0, degrade(own.capacity, own.counted));
}

void PartSimulation::touch(size_t flow, double level) {
  threshold = std::min(threshold, level);
  for (const FlowTable::Use &use : table.getUses(flow))
    reach(use.link);
}

void PartSimulation::reach(int32_t link) {
  if (!std::exchange(isTouched[static_cast<size_t>(link)], true))
    touched.push_back(link);
}

void PartSimulation::activate(size_t flow, double now) {
  Running &state = running[flow];
  state.state = State::Active;
  if (!(state.left > 0) || part.flows[flow].uses.empty()) {
    state.state = State::Ended;
    times.ends[flow] = now;
    return;
  }
  state.place = static_cast<int32_t>(active.size());
  active.push_back(static_cast<int32_t>(flow));
  left.push_back(state.left);
  since.push_back(now);
  flowing.push_back(0);
  ends.push_back(kNever);
  for (size_t u = table.firstUse[flow]; u < table.firstUse[flow + 1]; ++u) {
    Crossed &own = crossed[static_cast<size_t>(table.uses[u].link)];
    size_t place = own.first + own.count++;
    flowsOf[place] = static_cast<int32_t>(flow);
    usesOf[place] = static_cast<int32_t>(u);
    placeOf[u] = static_cast<int32_t>(place);
    own.counted += table.uses[u].weight > kSideTraffic;
  }
  touch(flow, 0);
}

void PartSimulation::stop(size_t flow, State state, double now) {
  touch(flow, rates[flow] > 0 ? levels[flow] : 0);
  rates[flow] = 0;
  levels[flow] = kNever;
  auto at = static_cast<size_t>(running[flow].place);
  running[flow].left =
      std::max(0.0, left[at] - flowing[at] * (now - since[at]));
  running[flow].state = state;
  running[size_t(active.back())].place = static_cast<int32_t>(at);
  active[at] = active.back();
  active.pop_back();
  for (std::vector<double> *own : {&left, &since, &flowing, &ends}) {
    (*own)[at] = own->back();
    own->pop_back();
  }
  for (size_t u = table.firstUse[flow]; u < table.firstUse[flow + 1]; ++u) {
    const FlowTable::Use &use = table.uses[u];
    Crossed &own = crossed[static_cast<size_t>(use.link)];
    auto place = static_cast<size_t>(placeOf[u]);
    size_t last = own.first + --own.count;
    flowsOf[place] = flowsOf[last];
    usesOf[place] = usesOf[last];
    placeOf[static_cast<size_t>(usesOf[place])] = static_cast<int32_t>(place);
    own.counted -= use.weight > kSideTraffic;
  }
}

/// Updates the flows with changed rates.
void PartSimulation::carryOn(double now) {
  size_t count = active.size();
  found.resize(count);
  for (size_t k = 0; k < count; ++k)
    found[k] = rates[size_t(active[k])];
  const double *const rate = found.data();
  double *const bytes = left.data(), *const from = since.data(),
                *const before = flowing.data(), *const end = ends.data();
  for (size_t k = 0; k < count; ++k) {
    bool isSame = rate[k] == before[k];
    double rest = std::max(0.0, bytes[k] - before[k] * (now - from[k]));
    double until = rate[k] > 0 ? now + rest / rate[k] : kNever;
    bytes[k] = isSame ? bytes[k] : rest;
    from[k] = isSame ? from[k] : now;
    end[k] = isSame ? end[k] : until;
    before[k] = rate[k];
  }
}

void PartSimulation::apply(const Timed &timed, double now) {
  if (timed.event == part.events.size()) {
    // If the flow was paused before its start, it waits for the resume event.
    if (running[timed.flow].state == State::Waiting)
      activate(timed.flow, now);
    return;
  }
  const FlowEvent &event = part.events[timed.event];
  auto target = static_cast<size_t>(event.target);
  switch (event.kind) {
  case FlowEvent::Kind::SetCapacity:
    if (crossed[target].capacity == event.capacity)
      return;
    crossed[target].capacity = event.capacity;
    reach(static_cast<int32_t>(event.target));
    threshold = 0;
    return;
  case FlowEvent::Kind::Pause:
    if (running[target].state == State::Active) {
      stop(target, State::Paused, now);
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

template <bool isPlain> void PartSimulation::findRates(double now) {
  // Lowered to allow for rounding.
  const double least = threshold * (1 - kTogether);
  const double *const levelOf = levels.data(), *const rateOf = rates.data();
  const FlowTable::Use *const uses = table.uses.data();
  int32_t *const rising = isRising.data();
  for (size_t k = 0; k < touched.size(); ++k) {
    auto l = static_cast<size_t>(touched[k]);
    FillingLink &link = filling.links[l];
    link.clear(getCapacity(l));
    DoubleDouble left = link.left;
    int32_t numRising = 0;
    const int32_t *ofUse = usesOf.data() + crossed[l].first;
    int32_t *const begun = reached.data();
    size_t numBegun = 0;
    for (int32_t flow : getFlows(touched[k])) {
      const int32_t place = *ofUse++;
      const bool stays = levelOf[flow] < least;
      numRising += !stays;
      if constexpr (isPlain)
        left.add(stays ? -rateOf[flow] : 0.0);
      else if (!stays)
        link.addShare(uses[place].share);
      else if (!link.isFatPipe)
        left.addProduct(-uses[place].weight, rateOf[flow]);
      begun[numBegun] = flow;
      numBegun += !stays & !rising[flow];
      rising[flow] |= !stays;
    }
    for (size_t r = 0; r < numBegun; ++r)
      for (const FlowTable::Use &its : table.getUses(size_t(begun[r])))
        reach(its.link);
    link.left = left;
    link.numRising = numRising;
  }
  filling.fill<isPlain>(
      touched, [&](int32_t l) { return getFlows(l); },
      [&](int32_t f) { return rising[f]; },
      [&](int32_t f, double level, double rate) {
        rising[f] = false;
        ++times.ratesFound;
        levels[static_cast<size_t>(f)] = level > 0 ? level : kNever;
        rates[static_cast<size_t>(f)] = rate;
      });
  carryOn(now);
  for (int32_t l : touched)
    isTouched[static_cast<size_t>(l)] = false;
  touched.clear();
  threshold = kNever;
}

cost::Result<PartTimes> PartSimulation::run(int64_t &stuck) {
  size_t next = 0;
  while (true) {
    double now = findLeast(ends);
    if (next < timed.size())
      now = std::min(now, timed[next].time);
    if (now == kNever)
      break;
    ++times.events;
    double until = now + std::abs(now) * kTogether;
    auto isOver = [&](double own) { return own <= until; };
    // The last flow, which was already visited, takes the place of an ended
    // one.
    for (size_t at = ends.size(); at-- > 0;)
      if (isOver(ends[at])) {
        auto flow = static_cast<size_t>(active[at]);
        times.ends[flow] = ends[at];
        stop(flow, State::Ended, now);
      }
    while (next < timed.size() && timed[next].time <= now)
      apply(timed[next++], now);
    if (!touched.empty() && isPlain)
      findRates<true>(now);
    else if (!touched.empty())
      findRates<false>(now);
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

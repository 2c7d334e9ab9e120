// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of flows.

#include "moe/Fabric/FlowSimulation.h"
#include "NetworkPart.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

using namespace moe;
using namespace moe::fabric;

static bool isTime(double time) { return time >= 0 && std::isfinite(time); }

static std::string check(const std::vector<FairLink> &links,
                         const std::vector<Flow> &flows,
                         const std::vector<FlowEvent> &events) {
  if (std::string wrong = checkLinks(links); !wrong.empty())
    return wrong;
  for (size_t f = 0; f < flows.size(); ++f) {
    const Flow &flow = flows[f];
    std::string wrong = checkUses(links, flow.uses);
    if (wrong.empty() && !isTime(flow.bytes))
      wrong = "expected a finite number of bytes of at least 0, got " +
              cost::toText(flow.bytes);
    if (wrong.empty() && (!(flow.penalty > 0) || !std::isfinite(flow.penalty)))
      wrong = "expected a finite penalty above 0, got " +
              cost::toText(flow.penalty);
    if (wrong.empty() && !isTime(flow.start))
      wrong = "expected a finite start of at least 0, got " +
              cost::toText(flow.start);
    if (!wrong.empty())
      return "flow " + cost::toText(f) + ": " + wrong;
  }
  for (size_t e = 0; e < events.size(); ++e) {
    const FlowEvent &event = events[e];
    bool isOfLink = event.kind == FlowEvent::Kind::SetCapacity;
    size_t count = isOfLink ? links.size() : flows.size();
    std::string wrong;
    if (!isTime(event.time))
      wrong = "expected a finite time of at least 0, got " +
              cost::toText(event.time);
    else if (event.target < 0 || event.target >= int64_t(count))
      wrong = std::string("expected a ") + (isOfLink ? "link" : "flow") +
              " in [0, " + cost::toText(count) + "), got " +
              cost::toText(event.target);
    else if (isOfLink && !isTime(event.capacity))
      wrong = "expected a finite capacity of at least 0, got " +
              cost::toText(event.capacity);
    if (!wrong.empty())
      return "event " + cost::toText(e) + ": " + wrong;
  }
  return "";
}

/// Finds links that cannot become full, because the first or second links of
/// their flows carry no more in total, for example trunks of trees without
/// oversubscription. Ignoring these links divides a network into parts.
static std::vector<char> findNeverFull(const std::vector<FairLink> &links,
                                       const std::vector<Flow> &flows) {
  std::vector<char> isNeverFull(links.size(), true);
  for (size_t l = 0; l < links.size(); ++l)
    isNeverFull[l] = links[l].sharing == Sharing::Shared && !links[l].degrade;
  for (const Flow &flow : flows)
    for (size_t k = 0; k < std::min<size_t>(2, flow.uses.size()); ++k)
      isNeverFull[size_t(flow.uses[k].link)] = false;
  std::vector<char> isBounded(links.size(), false);
  for (size_t place : {0, 1}) {
    // Flows by the link at `place`, which bounds them.
    std::vector<size_t> first(links.size() + 1);
    for (const Flow &flow : flows)
      if (flow.uses.size() > 2)
        ++first[size_t(flow.uses[place].link) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<const Flow *> bounded(first.back());
    std::vector<size_t> next(first.begin(), first.end() - 1);
    for (const Flow &flow : flows)
      if (flow.uses.size() > 2)
        bounded[next[size_t(flow.uses[place].link)]++] = &flow;
    // The maximum load of a link, and the part of it that arrives over the last
    // anchor.
    struct Most {
      double all = 0, ratio = 0;
      size_t anchor = SIZE_MAX;
    };
    std::vector<Most> most(links.size());
    for (size_t anchor = 0; anchor < links.size(); ++anchor)
      for (size_t f = first[anchor]; f < first[anchor + 1]; ++f)
        for (size_t k = 2; k < bounded[f]->uses.size(); ++k) {
          const LinkUse &use = bounded[f]->uses[k];
          auto l = static_cast<size_t>(use.link);
          if (links[anchor].sharing != Sharing::Shared || links[anchor].degrade)
            isNeverFull[l] = false;
          if (!isNeverFull[l])
            continue;
          Most &own = most[l];
          if (own.anchor != anchor)
            own = {own.all, 0, anchor};
          double ratio = use.weight / bounded[f]->uses[place].weight;
          if (ratio > own.ratio) {
            own.all += links[anchor].capacity * (ratio - own.ratio);
            own.ratio = ratio;
          }
        }
    for (size_t l = 0; l < links.size(); ++l)
      isBounded[l] |= most[l].anchor != SIZE_MAX &&
                      most[l].all <= links[l].capacity * (1 + 1e-12);
  }
  for (size_t l = 0; l < links.size(); ++l)
    isNeverFull[l] &= isBounded[l];
  return isNeverFull;
}

namespace {

/// Sets of links that are connected by flows.
class LinkSets {
public:
  explicit LinkSets(size_t numLinks) : parents(numLinks) {
    std::iota(parents.begin(), parents.end(), size_t(0));
  }
  size_t find(size_t link) {
    while (parents[link] != link)
      link = parents[link] = parents[parents[link]];
    return link;
  }
  void join(size_t a, size_t b) { parents[find(a)] = find(b); }

private:
  std::vector<size_t> parents;
};

/// A part, with the numbers of its flows and links in the network.
struct Placed {
  std::vector<size_t> flows;
  std::vector<size_t> events;
};

} // namespace

/// Makes a part with its own numbering: links are in the order of their first
/// use by flows, so that equal parts have equal numbers. Links that do not
/// count are left out.
static NetworkPart
makePart(const std::vector<FairLink> &links, const std::vector<char> &counts,
         const std::vector<Flow> &flows, const std::vector<FlowEvent> &events,
         const Placed &placed, std::vector<int64_t> &numberOf) {
  NetworkPart part;
  part.flows.reserve(placed.flows.size());
  std::vector<size_t> crossed;
  std::map<size_t, int64_t> flowNumbers;
  for (size_t f : placed.flows) {
    if (!placed.events.empty())
      flowNumbers[f] = static_cast<int64_t>(part.flows.size());
    const Flow &flow = flows[f];
    part.flows.push_back({flow.bytes, {}, flow.penalty, flow.start});
    std::vector<LinkUse> &uses = part.flows.back().uses;
    uses.reserve(flow.uses.size());
    for (const LinkUse &use : flow.uses) {
      auto l = static_cast<size_t>(use.link);
      if (!counts[l])
        continue;
      if (numberOf[l] < 0) {
        numberOf[l] = static_cast<int64_t>(crossed.size());
        crossed.push_back(l);
        part.links.push_back(links[l]);
      }
      uses.push_back({numberOf[l], use.weight});
    }
  }
  for (size_t e : placed.events) {
    part.events.push_back(events[e]);
    int64_t &target = part.events.back().target;
    target = events[e].kind == FlowEvent::Kind::SetCapacity
                 ? numberOf[static_cast<size_t>(target)]
                 : flowNumbers.at(static_cast<size_t>(target));
  }
  for (size_t l : crossed)
    numberOf[l] = -1;
  return part;
}

/// Returns a key that is equal for parts with equal times; empty for links with
/// functions, which cannot be compared.
static std::vector<uint64_t> describe(const NetworkPart &part) {
  std::vector<uint64_t> text{part.links.size(), part.flows.size()};
  auto add = [&](double value) {
    text.push_back(std::bit_cast<uint64_t>(value));
  };
  for (const FairLink &link : part.links) {
    if (link.degrade)
      return {};
    add(link.capacity);
    text.push_back(uint64_t(link.sharing));
  }
  for (const Flow &flow : part.flows) {
    add(flow.bytes);
    add(flow.penalty);
    add(flow.start);
    text.push_back(flow.uses.size());
    for (const LinkUse &use : flow.uses) {
      text.push_back(uint64_t(use.link));
      add(use.weight);
    }
  }
  for (const FlowEvent &event : part.events) {
    add(event.time);
    add(event.capacity);
    text.push_back(uint64_t(event.kind));
    text.push_back(uint64_t(event.target));
  }
  return text;
}

cost::Result<FlowTimes> moe::fabric::simulateFlows(
    const std::vector<FairLink> &links, const std::vector<Flow> &flows,
    const std::vector<FlowEvent> &events, const FlowProgress &progress) {
  if (std::string wrong = check(links, flows, events); !wrong.empty())
    return cost::Failure{wrong};
  FlowTimes times;
  times.ends.resize(flows.size());
  times.linkBytes.resize(links.size());
  for (const Flow &flow : flows)
    for (const LinkUse &use : flow.uses)
      times.linkBytes[size_t(use.link)] += use.weight * flow.bytes;
  // A link that is never full may become full if capacities change.
  std::vector<char> counts(links.size(), true);
  bool changes =
      std::any_of(events.begin(), events.end(), [](const FlowEvent &event) {
        return event.kind == FlowEvent::Kind::SetCapacity;
      });
  if (!changes) {
    counts = findNeverFull(links, flows);
    for (char &own : counts)
      own = !own;
  }
  // The first link of each flow always counts.
  LinkSets sets(links.size());
  for (const Flow &flow : flows)
    for (const LinkUse &use : flow.uses)
      if (counts[size_t(use.link)])
        sets.join(size_t(flow.uses.front().link), size_t(use.link));

  // Parts in the order of their first flows; a flow without links is a separate
  // part.
  std::vector<Placed> parts;
  std::vector<size_t> partOfSet(links.size(), SIZE_MAX);
  std::vector<size_t> partOf(flows.size());
  for (size_t f = 0; f < flows.size(); ++f) {
    size_t *part = nullptr;
    if (!flows[f].uses.empty())
      part = &partOfSet[sets.find(size_t(flows[f].uses.front().link))];
    partOf[f] = part && *part != SIZE_MAX ? *part : parts.size();
    if (part)
      *part = partOf[f];
    if (partOf[f] == parts.size())
      parts.emplace_back();
    parts[partOf[f]].flows.push_back(f);
  }
  for (size_t e = 0; e < events.size(); ++e) {
    auto target = static_cast<size_t>(events[e].target);
    size_t part = events[e].kind == FlowEvent::Kind::SetCapacity
                      ? partOfSet[sets.find(target)]
                      : partOf[target];
    // Changes of unused links have no effect.
    if (part != SIZE_MAX)
      parts[part].events.push_back(e);
  }

  std::vector<int64_t> numberOf(links.size(), -1);
  std::map<std::vector<uint64_t>, PartTimes> known;
  int64_t done = 0;
  times.parts = static_cast<int64_t>(parts.size());
  for (const Placed &placed : parts) {
    NetworkPart part = makePart(links, counts, flows, events, placed, numberOf);
    std::vector<uint64_t> text;
    if (parts.size() > 1)
      text = describe(part);
    auto found = text.empty() ? known.end() : known.find(text);
    PartTimes own;
    if (found == known.end()) {
      int64_t stuck = 0;
      auto simulated = simulatePart(part, stuck);
      if (!simulated)
        return cost::Failure{"flow " +
                             cost::toText(placed.flows[size_t(stuck)]) +
                             ": " + simulated.getError()};
      own = std::move(*simulated);
      ++times.simulated;
      times.events += own.events;
      times.ratesFound += own.ratesFound;
      if (!text.empty())
        found = known.emplace(std::move(text), own).first;
    } else {
      own = found->second;
    }
    for (size_t k = 0; k < placed.flows.size(); ++k) {
      times.ends[placed.flows[k]] = own.ends[k];
      times.makespan = std::max(times.makespan, own.ends[k]);
    }
    done += static_cast<int64_t>(placed.flows.size());
    if (progress)
      progress(done, static_cast<int64_t>(flows.size()));
  }
  return times;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fair sharing of links between flows.

#include "moe/Fabric/FairRates.h"
#include "MaxMinFairness.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>

using namespace moe;
using namespace moe::fabric;

void FlowTable::add(std::span<const LinkUse> way, double penalty) {
  for (const LinkUse &use : way)
    uses.push_back(
        {static_cast<int32_t>(use.link), use.weight, use.weight / penalty});
  firstUse.push_back(uses.size());
  penalties.push_back(penalty);
  isPlain &= penalty == 1 &&
             std::all_of(way.begin(), way.end(),
                         [](const LinkUse &use) { return use.weight == 1; });
}

std::string moe::fabric::checkLinks(const std::vector<FairLink> &links) {
  if (links.size() > size_t(std::numeric_limits<int32_t>::max()) / 4)
    return "expected at most 2^29 links, got " +
           cost::toText(links.size());
  for (size_t l = 0; l < links.size(); ++l)
    if (!(links[l].capacity >= 0) || !std::isfinite(links[l].capacity))
      return "link " + cost::toText(l) +
             ": expected a finite capacity of at least 0, got " +
             cost::toText(links[l].capacity);
  return "";
}

std::string moe::fabric::checkUses(const std::vector<FairLink> &links,
                                   const std::vector<LinkUse> &uses) {
  auto numLinks = static_cast<int64_t>(links.size());
  for (size_t k = 0; k < uses.size(); ++k) {
    if (uses[k].link < 0 || uses[k].link >= numLinks)
      return "expected a link in [0, " + cost::toText(numLinks) +
             "), got " + cost::toText(uses[k].link);
    if (!(uses[k].weight > 0) || !std::isfinite(uses[k].weight))
      return "expected a finite weight above 0, got " +
             cost::toText(uses[k].weight);
    for (size_t before = 0; before < k; ++before)
      if (uses[before].link == uses[k].link)
        return "expected each link once, got link " +
               cost::toText(uses[k].link) + " twice";
  }
  return "";
}

cost::Result<std::vector<double>>
moe::fabric::getFairRates(const std::vector<FairLink> &links,
                          const std::vector<FairFlow> &flows) {
  if (std::string wrong = checkLinks(links); !wrong.empty())
    return cost::Failure{wrong};
  FlowTable table;
  std::vector<size_t> numbers;
  std::vector<double> bounds;
  for (size_t f = 0; f < flows.size(); ++f) {
    const FairFlow &flow = flows[f];
    std::string wrong = checkUses(links, flow.uses);
    if (wrong.empty() && (!(flow.penalty >= 0) || !std::isfinite(flow.penalty)))
      wrong = "expected a finite penalty of at least 0, got " +
              cost::toText(flow.penalty);
    if (wrong.empty() && !(flow.bound >= 0))
      wrong = "expected a bound of at least 0, got " +
              cost::toText(flow.bound);
    bool isBound = std::isfinite(flow.bound);
    if (wrong.empty() && flow.uses.empty() && !isBound && flow.penalty > 0)
      wrong = "expected a link that it crosses, or a bound, got neither";
    if (!wrong.empty())
      return cost::Failure{"flow " + cost::toText(f) + ": " + wrong};
    if (flow.penalty == 0)
      continue;
    std::vector<LinkUse> way = flow.uses;
    if (isBound) {
      way.push_back({static_cast<int64_t>(links.size() + bounds.size()), 1});
      bounds.push_back(flow.bound);
    }
    table.add(way, flow.penalty);
    numbers.push_back(f);
  }

  size_t numLinks = links.size() + bounds.size();
  Filling filling(table, numLinks);
  for (size_t l = 0; l < links.size(); ++l)
    filling.links[l].isFatPipe = links[l].sharing == Sharing::FatPipe;
  std::vector<std::vector<int32_t>> flowsOf(numLinks);
  std::vector<int64_t> counted(numLinks);
  for (size_t f = 0; f < table.getNumFlows(); ++f)
    for (const FlowTable::Use &use : table.getUses(f)) {
      auto l = static_cast<size_t>(use.link);
      flowsOf[l].push_back(static_cast<int32_t>(f));
      filling.links[l].addRising(use.share);
      counted[l] += use.weight > kSideTraffic;
    }
  std::vector<int32_t> touched;
  for (size_t l = 0; l < numLinks; ++l) {
    FillingLink &link = filling.links[l];
    if (link.numRising == 0)
      continue;
    touched.push_back(static_cast<int32_t>(l));
    if (l >= links.size()) {
      link.left = {bounds[l - links.size()], 0};
      continue;
    }
    double capacity = links[l].capacity;
    if (links[l].degrade && counted[l] > 0)
      capacity = std::max(0.0, links[l].degrade(capacity, counted[l]));
    link.left = {capacity, 0};
  }

  std::vector<double> rates(flows.size(), 0.0);
  std::vector<char> isSettled(table.getNumFlows());
  filling.fill</*isPlain=*/false>(
      touched,
      [&](int32_t l) -> const std::vector<int32_t> & {
        return flowsOf[static_cast<size_t>(l)];
      },
      [&](int32_t f) { return !isSettled[static_cast<size_t>(f)]; },
      [&](int32_t f, double, double rate) {
        auto flow = static_cast<size_t>(f);
        isSettled[flow] = true;
        rates[numbers[flow]] = rate;
      });
  return rates;
}

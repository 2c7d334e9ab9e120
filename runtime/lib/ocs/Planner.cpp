// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning of a region's circuits.

#include "ocs/Planner.h"
#include "moe/Fabric/DelegatedRows.h"
#include "moe/Fabric/LoadPrediction.h"
#include "moe/Fabric/NicAssignment.h"
#include "moe/Fabric/Plan.h"
#include <algorithm>
#include <cmath>

using namespace moert;
namespace fabric = moe::fabric;

bool moert::hasPlanners() { return true; }

namespace {

class RegionPlanner {
public:
  RegionPlanner(const RegionOptions &options, const std::vector<double> &bytes)
      : options(options), n(options.numServers), demand(n) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        demand.at(i, j) = bytes[static_cast<size_t>(i * n + j)];
    ports.opticalDegree = options.opticalDegree;
    ports.epsNics = options.epsNics;
    ports.routing = options.isExclusive ? fabric::Routing::Exclusive
                                        : fabric::Routing::Split;
    layout.opticalDegree = options.opticalDegree;
    layout.numaNodes = options.numaNodes;
    ports.failedEps.assign(static_cast<size_t>(n), 0);
    for (int32_t server = 0; server < n; ++server)
      for (int32_t nic = 0; nic < options.getNics(); ++nic)
        if (!works(server, nic) && nic < options.opticalDegree)
          layout.failed.push_back({server, nic});
        else if (!works(server, nic))
          ++ports.failedEps[static_cast<size_t>(server)];
    ports.failedOptical = fabric::countFailed(layout, n);
  }

  Status run(const std::vector<RegionLink> &up, double exchanges,
             double slackUs, double linkUpUs, RegionPlan &plan) {
    std::vector<RegionLink> kept = findWorking(up);
    fabric::Circuits before = count(kept);
    fabric::PlanOptions planOptions;
    planOptions.effort = fabric::Effort::Fast;
    // If all ports are dark, keep nothing: otherwise the planner would choose
    // the plan with the fewest circuits among equally good ones, which leaves
    // none for later demand.
    if (!kept.empty())
      planOptions.keep = before;
    planOptions.uncertainty = options.uncertainty;
    auto planned = fabric::planCircuits({{demand, 1}}, ports, planOptions);
    if (!planned)
      return Status(MOERT_INVALID_ARGUMENT, planned.getError());

    std::vector<RegionLink> links;
    if (Status status = place(planned->circuits, kept, links); !status.ok())
      return status;
    plan.keptUs = getUs(fabric::getTime(demand, before, ports));
    plan.timeUs = getUs(planned->time);
    setChange(kept, links, linkUpUs, plan);
    double exposedUs = std::max(0.0, plan.changeUs - slackUs);
    double gainUs = exchanges * (plan.keptUs - plan.timeUs);
    // Some demand may have no path if there are no circuits; then any change
    // pays.
    bool pays =
        std::isinf(plan.keptUs)
            ? !std::isinf(plan.timeUs)
            : gainUs > exposedUs &&
                  gainUs > options.uncertainty * exchanges * plan.keptUs;
    if (pays && plan.changed > 0) {
      plan.action = MOERT_OCS_CHANGE;
      plan.links = std::move(links);
      return {};
    }
    plan.action = MOERT_OCS_KEEP;
    plan.links = std::move(kept);
    plan.timeUs = plan.keptUs;
    plan.changeUs = 0;
    plan.changed = 0;
    return {};
  }

  Status run(const int32_t *circuits, const std::vector<RegionLink> &up,
             double linkUpUs, RegionPlan &plan) {
    fabric::Circuits wanted(n);
    for (int64_t i = 0; i < n; ++i) {
      int64_t used = 0;
      for (int64_t j = 0; j < n; ++j) {
        int32_t count = circuits[i * n + j];
        wanted.at(i, j) = count;
        used += count;
        if (count < 0 || count != circuits[j * n + i] || (i == j && count != 0))
          return error(MOERT_INVALID_ARGUMENT,
                       "expected circuits that are symmetric, at least 0, and "
                       "none on the diagonal, got %d at [%d, %d] and %d at "
                       "[%d, %d]",
                       count, int(i), int(j), circuits[j * n + i], int(j),
                       int(i));
      }
      if (used > options.opticalDegree)
        return error(MOERT_INVALID_ARGUMENT,
                     "expected at most %d circuits at server %d, which has so "
                     "many optical NICs, got %lld",
                     options.opticalDegree, int(i),
                     static_cast<long long>(used));
    }
    std::vector<RegionLink> kept = findWorking(up);
    // Leave out circuits that end at failed NICs.
    wanted = fabric::trimCircuits(wanted, demand, ports);
    if (Status status = place(wanted, kept, plan.links); !status.ok())
      return status;
    setChange(kept, plan.links, linkUpUs, plan);
    plan.action = plan.changed > 0 ? MOERT_OCS_CHANGE : MOERT_OCS_KEEP;
    return {};
  }

private:
  std::vector<RegionLink> findWorking(const std::vector<RegionLink> &up) const {
    std::vector<RegionLink> working;
    for (const RegionLink &link : up)
      if (works(link.server, link.nic) && works(link.peer, link.peerNic))
        working.push_back(link);
    return working;
  }
  void setChange(const std::vector<RegionLink> &before,
                 const std::vector<RegionLink> &after, double linkUpUs,
                 RegionPlan &plan) const {
    plan.changed = countChanged(before, after);
    plan.changeUs =
        plan.changed == 0
            ? 0
            : options.baseUs + options.perPairUs * plan.changed + linkUpUs;
  }
  bool works(int32_t server, int32_t nic) const {
    return !options.failed[static_cast<size_t>(server * options.getNics() +
                                               nic)] &&
           (nic >= options.opticalDegree || options.getPort(server, nic) > 0);
  }
  double getUs(double demandTime) const {
    return demandTime / options.nicBytesPerUs;
  }
  fabric::Circuits count(const std::vector<RegionLink> &links) const {
    fabric::Circuits circuits(n);
    for (const RegionLink &link : links) {
      ++circuits.at(link.server, link.peer);
      ++circuits.at(link.peer, link.server);
    }
    return circuits;
  }
  static int32_t countChanged(const std::vector<RegionLink> &before,
                              const std::vector<RegionLink> &after) {
    auto countMissing = [](const auto &some, const auto &in) {
      return std::count_if(some.begin(), some.end(), [&](const auto &link) {
        return std::find(in.begin(), in.end(), link) == in.end();
      });
    };
    return static_cast<int32_t>(
        std::max(countMissing(after, before), countMissing(before, after)));
  }

  /// Assigns circuits to NICs; existing circuits keep their NICs.
  Status place(fabric::Circuits circuits, const std::vector<RegionLink> &kept,
               std::vector<RegionLink> &links) const {
    fabric::NicLayout left = layout;
    for (const RegionLink &link : kept) {
      if (circuits.at(link.server, link.peer) == 0)
        continue;
      --circuits.at(link.server, link.peer);
      --circuits.at(link.peer, link.server);
      left.failed.push_back({link.server, link.nic});
      left.failed.push_back({link.peer, link.peerNic});
      links.push_back(link);
    }
    auto mapping = fabric::mapNics(circuits, left);
    if (!mapping)
      return Status(MOERT_BACKEND_ERROR, mapping.getError());
    for (const auto &[first, second] : mapping->links)
      links.push_back({static_cast<int32_t>(first.server),
                       static_cast<int32_t>(first.nic),
                       static_cast<int32_t>(second.server),
                       static_cast<int32_t>(second.nic)});
    return {};
  }

  const RegionOptions &options;
  int64_t n;
  fabric::Demand demand;
  fabric::Ports ports;
  fabric::NicLayout layout;
};

} // namespace

Status moert::planRegion(const RegionOptions &options,
                         const std::vector<double> &bytes,
                         const std::vector<RegionLink> &up, double exchanges,
                         double slackUs, double linkUpUs, RegionPlan &plan) {
  return RegionPlanner(options, bytes)
      .run(up, exchanges, slackUs, linkUpUs, plan);
}

Status moert::placeRegion(const RegionOptions &options, const int32_t *circuits,
                          const std::vector<RegionLink> &up, double linkUpUs,
                          RegionPlan &plan) {
  auto n = static_cast<size_t>(options.numServers);
  return RegionPlanner(options, std::vector<double>(n * n))
      .run(circuits, up, linkUpUs, plan);
}

Status moert::fitShares(const std::vector<ShareSample> &samples,
                        const std::vector<double> &now,
                        std::vector<double> &next) {
  std::vector<fabric::LoadSample> loads;
  for (const ShareSample &sample : samples)
    loads.push_back({sample.before, sample.after});
  auto size = static_cast<int64_t>(now.size());
  fabric::FitOptions options;
  options.gap = 1e-6;
  options.rounds =
      std::clamp<int64_t>(4'000'000 / (size * size * size), 20, 2000);
  auto fit = fabric::fitTransition(loads, options);
  if (!fit)
    return Status(MOERT_INVALID_ARGUMENT, fit.getError());
  next = fabric::predictLoad(fit->matrix, now);
  return {};
}

Status moert::planDelegates(const DelegateRequest &request, int64_t *gather,
                            int64_t *between, int64_t *scatter, int64_t *own) {
  auto fail = [](const std::string &words) {
    return Status(MOERT_INVALID_ARGUMENT, words);
  };
  auto rows = fabric::RankRows::read(request.counts, request.numServers,
                                     request.places);
  if (!rows)
    return fail(rows.getError());
  fabric::Ports ports;
  ports.opticalDegree = request.opticalDegree;
  ports.epsNics = request.epsNics;
  ports.routing =
      request.isExclusive ? fabric::Routing::Exclusive : fabric::Routing::Split;
  auto map =
      fabric::planDelegates(*rows, ports, request.numaNodes, request.turns);
  if (!map)
    return fail(map.getError());
  fabric::DelegatedRuns runs =
      fabric::planDelegatedRuns(*rows, *map, request.turns, request.position);
  std::copy(runs.gather.begin(), runs.gather.end(), gather);
  std::copy(runs.between.begin(), runs.between.end(), between);
  std::copy(runs.scatter.begin(), runs.scatter.end(), scatter);
  std::copy(runs.own.begin(), runs.own.end(), own);
  return {};
}

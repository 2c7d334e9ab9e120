// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What systems do with what gates want.

#include "moe/Dispatch/Policies.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace moe;
using namespace moe::dispatch;

std::string_view moe::dispatch::getName(Policy policy) {
  switch (policy) {
  case Policy::Dropless:
    return "dropless";
  case Policy::Local:
    return "local";
  case Policy::Global:
    return "global";
  case Policy::FixedRatio:
    return "fixed-ratio";
  case Policy::Target:
    return "target";
  }
  return "";
}

namespace {

int64_t add(const std::vector<int64_t> &rows) {
  return std::accumulate(rows.begin(), rows.end(), int64_t(0));
}

class PolicyRun {
public:
  PolicyRun(const ExpertRows &wanted, const Demand &demand,
            const Topology &topology, const Links &links,
            const DispatchPlan &target, const PolicyOptions &options)
      : wanted(wanted), demand(demand), topology(topology), links(links),
        target(target), options(options), devices(links.getNumDevices()),
        experts(static_cast<int64_t>(wanted.front().size())),
        perDevice(experts / devices),
        capacity(options.capacityFactor *
                 static_cast<double>(demand.getRows()) *
                 static_cast<double>(devices) / static_cast<double>(experts)) {}

  PolicyOutcome run(Policy policy) const {
    PolicyOutcome outcome;
    outcome.kept = wanted;
    ExpertRows sent;
    int sizeExchanges = 0;
    switch (policy) {
    case Policy::Dropless:
      sizeExchanges = 1;
      break;
    case Policy::Local: {
      int64_t limit = round(capacity / static_cast<double>(devices));
      limitEach(outcome.kept, [&](int64_t, int64_t) { return limit; });
      sent.assign(static_cast<size_t>(devices),
                  std::vector<int64_t>(static_cast<size_t>(experts), limit));
      break;
    }
    case Policy::Global:
      limitTogether(outcome.kept);
      sizeExchanges = 2;
      break;
    case Policy::FixedRatio:
      outcome.kept = spread();
      sizeExchanges = 1;
      break;
    case Policy::Target:
      limitEach(outcome.kept, [&](int64_t i, int64_t e) {
        return round(options.capacityFactor *
                     target.target.at(i, e / perDevice) /
                     static_cast<double>(perDevice));
      });
      sizeExchanges = 1;
      break;
    }
    outcome.dispatchUs =
        getUs(sent.empty() ? outcome.kept : sent, demand.bytesPerToken);
    // Sizes are one number an expert from each device to each.
    constexpr double kSizeBytes = 4;
    outcome.sizesUs =
        sizeExchanges *
        getUs(ExpertRows(static_cast<size_t>(devices),
                         std::vector<int64_t>(static_cast<size_t>(experts), 1)),
              kSizeBytes);
    finish(outcome);
    return outcome;
  }

private:
  /// Capacities are whole rows, rounded up as frameworks do.
  static int64_t round(double rows) {
    constexpr double kRounding = 1e-9;
    return static_cast<int64_t>(std::ceil(rows - kRounding * rows));
  }

  template <typename GetLimit>
  void limitEach(ExpertRows &rows, GetLimit getLimit) const {
    for (int64_t i = 0; i < devices; ++i)
      for (int64_t e = 0; e < experts; ++e) {
        int64_t &value = rows[static_cast<size_t>(i)][static_cast<size_t>(e)];
        value = std::min(value, getLimit(i, e));
      }
  }

  void limitTogether(ExpertRows &rows) const {
    for (size_t e = 0; e < static_cast<size_t>(experts); ++e) {
      int64_t left = round(capacity);
      for (std::vector<int64_t> &row : rows) {
        row[e] = std::min(row[e], left);
        left -= row[e];
      }
    }
  }

  /// The fixed ratio's rows: even within the node, even elsewhere, in whole
  /// rows that keep a device's sum.
  ExpertRows spread() const {
    ExpertRows rows;
    auto all = static_cast<double>(demand.getRows());
    for (int64_t i = 0; i < devices; ++i) {
      int64_t inside = 0;
      for (int64_t j = 0; j < devices; ++j)
        inside += isInside(i, j);
      std::vector<int64_t> row;
      double exact = 0;
      int64_t given = 0;
      for (int64_t e = 0; e < experts; ++e) {
        bool isOwn = isInside(i, e / perDevice);
        double share = isOwn ? options.nodeShare : 1 - options.nodeShare;
        if (inside == devices)
          share = 1;
        exact += all * share /
                 static_cast<double>((isOwn ? inside : devices - inside) *
                                     perDevice);
        int64_t until = std::llround(exact);
        row.push_back(until - given);
        given = until;
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  bool isInside(int64_t i, int64_t j) const {
    return topology.isRing() || topology.getLevel(i, j) <= 1;
  }

  double getUs(const ExpertRows &rows, double bytes) const {
    Matrix<int64_t> byDevice(devices, 0);
    for (int64_t i = 0; i < devices; ++i)
      for (int64_t e = 0; e < experts; ++e)
        byDevice.at(i, e / perDevice) +=
            rows[static_cast<size_t>(i)][static_cast<size_t>(e)];
    return getDispatchUs(byDevice, links, bytes);
  }

  void finish(PolicyOutcome &outcome) const {
    std::vector<int64_t> byExpert(static_cast<size_t>(experts));
    for (size_t i = 0; i < wanted.size(); ++i) {
      int64_t missing = 0;
      for (size_t e = 0; e < byExpert.size(); ++e) {
        byExpert[e] += outcome.kept[i][e];
        missing += std::max<int64_t>(wanted[i][e] - outcome.kept[i][e], 0);
      }
      int64_t dropped = add(wanted[i]) - add(outcome.kept[i]);
      outcome.dropped += dropped;
      outcome.redirected += missing - dropped;
    }
    outcome.busiestExpert =
        static_cast<double>(
            *std::max_element(byExpert.begin(), byExpert.end())) *
        static_cast<double>(experts) /
        (static_cast<double>(demand.getRows()) * static_cast<double>(devices));
  }

  const ExpertRows &wanted;
  const Demand &demand;
  const Topology &topology;
  const Links &links;
  const DispatchPlan &target;
  const PolicyOptions &options;
  int64_t devices, experts, perDevice;
  /// Rows that an expert takes.
  double capacity;
};

} // namespace

cost::Result<PolicyOutcome>
moe::dispatch::applyPolicy(Policy policy, const ExpertRows &wanted,
                           const Demand &demand, const Topology &topology,
                           const Links &links, const DispatchPlan &target,
                           const PolicyOptions &options) {
  auto devices = static_cast<size_t>(links.getNumDevices());
  auto fail = [](std::string message) {
    return cost::Failure{std::move(message)};
  };
  if (wanted.size() != devices ||
      topology.getNumDevices() != links.getNumDevices() ||
      target.target.size != links.getNumDevices())
    return fail("expected rows of " + std::to_string(devices) +
                " devices, got such of " + std::to_string(wanted.size()));
  size_t experts = wanted.front().size();
  if (experts == 0 || experts % devices != 0)
    return fail("expected a multiple of " + std::to_string(devices) +
                " experts, got " + std::to_string(experts));
  for (size_t i = 0; i < devices; ++i) {
    const std::vector<int64_t> &row = wanted[i];
    if (row.size() != experts ||
        std::any_of(row.begin(), row.end(), [](int64_t v) { return v < 0; }))
      return fail("expected " + std::to_string(experts) +
                  " numbers of at least 0 for device " + std::to_string(i));
    if (add(row) != demand.getRows())
      return fail("expected " + std::to_string(demand.getRows()) +
                  " rows of device " + std::to_string(i) +
                  ", tokens times top-k, got " + std::to_string(add(row)));
  }
  if (!(std::isfinite(options.capacityFactor) && options.capacityFactor > 0))
    return fail("expected a capacity factor greater than 0, got " +
                std::to_string(options.capacityFactor));
  if (!(options.nodeShare >= 0 && options.nodeShare <= 1))
    return fail("expected a node's share in [0, 1], got " +
                std::to_string(options.nodeShare));
  return PolicyRun(wanted, demand, topology, links, target, options)
      .run(policy);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capacity policies of MoE systems.

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

int64_t add(std::span<const int64_t> rows) {
  return std::accumulate(rows.begin(), rows.end(), int64_t(0));
}

class PolicyRun {
public:
  PolicyRun(const ExpertRows &wanted, const Demand &demand,
            const Topology &topology, const Links &links,
            const DispatchPlan &target, const PolicyOptions &options)
      : wanted(wanted), demand(demand), topology(topology), links(links),
        target(target), options(options), devices(links.getNumDevices()),
        experts(wanted.getNumColumns()), perDevice(experts / devices),
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
      sent = ExpertRows::of(devices, experts, limit);
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
        getUs(sent.isEmpty() ? outcome.kept : sent, demand.bytesPerToken);
    // Each device sends one number per expert to each other device.
    constexpr double kSizeBytes = 4;
    outcome.sizesUs =
        sizeExchanges * getUs(ExpertRows::of(devices, experts, 1), kSizeBytes);
    finish(outcome);
    return outcome;
  }

private:
  /// Capacities are whole rows, rounded up like in frameworks.
  static int64_t round(double rows) {
    constexpr double kRounding = 1e-9;
    return static_cast<int64_t>(std::ceil(rows - kRounding * rows));
  }

  template <typename GetLimit>
  void limitEach(ExpertRows &rows, GetLimit getLimit) const {
    for (int64_t i = 0; i < devices; ++i)
      for (int64_t e = 0; e < experts; ++e) {
        rows.at(i, e) = std::min(rows.at(i, e), getLimit(i, e));
      }
  }

  void limitTogether(ExpertRows &rows) const {
    for (int64_t e = 0; e < experts; ++e) {
      int64_t left = round(capacity);
      for (int64_t i = 0; i < devices; ++i) {
        rows.at(i, e) = std::min(rows.at(i, e), left);
        left -= rows.at(i, e);
      }
    }
  }

  /// Returns the rows of the fixed ratio: even within the node and even
  /// elsewhere, in whole rows with the sums of the devices.
  ExpertRows spread() const {
    ExpertRows rows = ExpertRows::of(devices, experts);
    auto all = static_cast<double>(demand.getRows());
    for (int64_t i = 0; i < devices; ++i) {
      int64_t inside = 0;
      for (int64_t j = 0; j < devices; ++j)
        inside += isInside(i, j);
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
        rows.at(i, e) = until - given;
        given = until;
      }
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
        byDevice.at(i, e / perDevice) += rows.at(i, e);
    return getDispatchUs(byDevice, links, bytes);
  }

  void finish(PolicyOutcome &outcome) const {
    std::vector<int64_t> byExpert(static_cast<size_t>(experts));
    for (int64_t i = 0; i < devices; ++i) {
      int64_t missing = 0;
      for (int64_t e = 0; e < experts; ++e) {
        int64_t kept = outcome.kept.at(i, e);
        byExpert[static_cast<size_t>(e)] += kept;
        missing += std::max<int64_t>(wanted.at(i, e) - kept, 0);
      }
      int64_t dropped = add(wanted.getRow(i)) - add(outcome.kept.getRow(i));
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
  /// The capacity of each expert in rows.
  double capacity;
};

} // namespace

cost::Result<PolicyOutcome>
moe::dispatch::applyPolicy(Policy policy, const ExpertRows &wanted,
                           const Demand &demand, const Topology &topology,
                           const Links &links, const DispatchPlan &target,
                           const PolicyOptions &options) {
  int64_t devices = links.getNumDevices();
  auto fail = [](std::string message) {
    return cost::Failure{std::move(message)};
  };
  if (wanted.getNumRows() != devices ||
      topology.getNumDevices() != links.getNumDevices() ||
      target.target.getSize() != links.getNumDevices())
    return fail("expected rows of " + std::to_string(devices) +
                " devices, got such of " + std::to_string(wanted.getNumRows()));
  int64_t experts = wanted.getNumColumns();
  if (experts % devices != 0)
    return fail("expected a multiple of " + std::to_string(devices) +
                " experts, got " + std::to_string(experts));
  for (int64_t i = 0; i < devices; ++i) {
    std::span<const int64_t> row = wanted.getRow(i);
    if (std::any_of(row.begin(), row.end(), [](int64_t v) { return v < 0; }))
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

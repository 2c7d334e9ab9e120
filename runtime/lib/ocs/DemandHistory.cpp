// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demand of earlier exchanges.

#include "ocs/DemandHistory.h"
#include <cmath>
#include <numeric>

using namespace moert;

static double getDistance(const std::vector<double> &a,
                          const std::vector<double> &b) {
  return std::transform_reduce(
      a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
      [](double own, double other) { return std::abs(own - other); });
}

std::optional<DemandHistory::Shares>
DemandHistory::getShares(const std::vector<double> &demand) const {
  std::vector<double> received(numServers);
  for (size_t k = 0; k < demand.size(); ++k)
    received[k % numServers] += demand[k];
  double all = std::accumulate(received.begin(), received.end(), 0.0);
  if (!(all > 0))
    return std::nullopt;
  for (double &bytes : received)
    bytes /= all;
  return received;
}

void DemandHistory::note(const std::string &name, std::vector<double> demand) {
  Named &own = names[name];
  auto keep = [](auto &list, auto value) {
    list.push_back(std::move(value));
    if (list.size() > kMostSamples)
      list.erase(list.begin());
  };
  std::optional<Shares> now = getShares(demand);
  if (own.known && now) {
    if (auto last = getShares(own.last); own.fitted && last)
      keep(own.errors, Errors{getDistance(*last, *now),
                              getDistance(*own.fitted, *now)});
    keep(own.samples, ShareSample{std::move(*own.known), std::move(*now)});
  }
  own.known = own.fitted = std::nullopt;
  own.last = std::move(demand);
  nameOfLast = name;
}

std::optional<DemandHistory::Errors>
DemandHistory::getErrors(const std::string &name) const {
  auto it = names.find(name);
  if (it == names.end() || it->second.errors.size() < kLeastJudged)
    return std::nullopt;
  Errors mean;
  auto count = static_cast<double>(it->second.errors.size());
  for (const Errors &errors : it->second.errors) {
    mean.last += errors.last / count;
    mean.fitted += errors.fitted / count;
  }
  return mean;
}

std::optional<std::vector<double>>
DemandHistory::predict(const std::string &name) {
  auto it = names.find(name);
  if (it == names.end())
    return std::nullopt;
  Named &own = it->second;
  // Another layer precedes this one now, so earlier samples do not apply.
  if (own.nameBefore != nameOfLast) {
    own.samples.clear();
    own.errors.clear();
    own.nameBefore = nameOfLast;
  }
  own.known = getShares(names.at(nameOfLast).last);
  own.fitted = std::nullopt;
  // A fit requires at least two steps.
  Shares next;
  if (own.known && own.samples.size() >= 2 &&
      fitShares(own.samples, *own.known, next).ok())
    own.fitted = std::move(next);
  std::optional<Errors> errors = getErrors(name);
  if (!own.fitted || !errors || errors->fitted >= errors->last)
    return own.last;
  std::vector<double> demand = own.last;
  double total = 0;
  for (double bytes : demand)
    total += bytes;
  for (size_t to = 0; to < numServers; ++to) {
    double received = 0;
    for (size_t from = 0; from < numServers; ++from)
      received += own.last[from * numServers + to];
    double expected = (*own.fitted)[to] * total;
    // If no server has sent to a receiver, assume that all others send equally.
    for (size_t from = 0; from < numServers; ++from)
      demand[from * numServers + to] =
          received > 0 ? own.last[from * numServers + to] / received * expected
          : from != to ? expected / static_cast<double>(numServers - 1)
                       : 0;
  }
  return demand;
}

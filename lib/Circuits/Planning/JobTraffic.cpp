// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traffic of a job.

#include "JobTraffic.h"
#include "moe/Planning/Answers.h"
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;

/// Bytes per value or parameter: bf16.
static constexpr double kBytes = 2;

JobTraffic::JobTraffic(const ClusterJobOptions &options)
    : options(options), model(options.model),
      regions(options.gpus / model.getRegionRanks()),
      layers(model.layers / model.pp) {}

int64_t JobTraffic::place(int64_t rank) const {
  if (options.placement == JobPlacement::Dense)
    return rank;
  // A block has as many servers as a region has expert-parallel ranks, and each
  // of these ranks is on a separate server.
  int64_t perServer = options.fabric.serverRanks;
  int64_t block = model.ep * perServer, in = rank % block;
  int64_t region = in / model.getRegionRanks(),
          inRegion = in % model.getRegionRanks();
  return rank - in + inRegion / model.tp * perServer + region * model.tp +
         inRegion % model.tp;
}

std::vector<int64_t> JobTraffic::listServers(int64_t region) const {
  std::set<int64_t> servers;
  int64_t ranks = model.getRegionRanks();
  for (int64_t k = 0; k < ranks; ++k)
    servers.insert(getServer(region * ranks + k));
  return {servers.begin(), servers.end()};
}

/// Returns the shares of experts; all replicas of a stage share them unless
/// they draw their own.
std::vector<double> JobTraffic::findShares(int64_t layer, int64_t region,
                                           size_t step) const {
  int64_t stage = region % model.pp;
  if (!options.recorded.empty()) {
    const auto &ofLayers = options.recorded[step];
    return ofLayers[size_t(stage * layers + layer) % ofLayers.size()];
  }
  std::seed_seq seeds{options.seed, uint64_t(layer * model.pp + stage),
                      uint64_t(options.hasOwnDemands ? region / model.pp : 0)};
  std::mt19937_64 random(seeds);
  std::vector<double> shares;
  double sum = 0;
  for (int64_t e = 0; e < model.experts; ++e) {
    shares.push_back(std::pow(double(e + 1), -options.exponent));
    sum += shares.back();
  }
  // The algorithm of std::shuffle differs between libraries.
  for (size_t e = shares.size(); e > 1; --e)
    std::swap(shares[e - 1], shares[random() % e]);
  for (double &share : shares)
    share /= sum;
  return shares;
}

JobTraffic::Dispatch JobTraffic::makeDispatch(int64_t layer,
                                              size_t step) const {
  Dispatch dispatch;
  int64_t ranks = model.getRegionRanks(), own = model.experts / model.ep;
  int64_t perServer = options.fabric.serverRanks;
  bool isShared = options.fabric.network.sharesNics;
  double copies = double(countTokens() * model.topK * model.hidden) * kBytes /
                  double(model.tp);
  for (int64_t r = 0; r < regions; ++r) {
    std::vector<double> shares = findShares(layer, r, step),
                        ofRank(size_t(model.ep));
    double most = 0;
    for (int64_t e = 0; e < model.experts; ++e)
      ofRank[size_t(e / own)] += shares[size_t(e)];
    for (double share : ofRank)
      most = std::max(most, share * double(model.ep));
    dispatch.busiest.push_back(most);
    int64_t base = r * ranks;
    std::vector<int64_t> servers = listServers(r);
    auto n = isShared ? servers.size() : 0;
    auto find = [&](int64_t rank) {
      return size_t(
          std::lower_bound(servers.begin(), servers.end(), rank / perServer) -
          servers.begin());
    };
    std::vector<double> sums(n * n);
    for (int64_t i = 0; i < model.ep; ++i)
      for (int64_t j = 0; j < model.ep; ++j)
        for (int64_t t = 0; t < model.tp; ++t) {
          int64_t from = place(base + i * model.tp + t),
                  to = place(base + j * model.tp + t);
          double bytes = copies * ofRank[size_t(j)];
          if (i == j)
            continue;
          if (isShared)
            sums[find(from) * n + find(to)] += bytes;
          else
            dispatch.messages.push_back({from, to, bytes});
        }
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        if (double bytes = sums[i * n + j])
          dispatch.messages.push_back(
              {servers[i] * perServer, servers[j] * perServer, bytes});
  }
  return dispatch;
}

JobTraffic::Messages JobTraffic::makeSends() const {
  Messages messages;
  int64_t ranks = model.getRegionRanks();
  double bytes =
      double(countTokens() * model.hidden) * kBytes / double(model.tp);
  for (int64_t r = 0; r < regions; ++r)
    if ((r + 1) % model.pp)
      for (int64_t k = 0; k < ranks; ++k)
        messages.push_back(
            {place(r * ranks + k), place((r + 1) * ranks + k), bytes});
  return messages;
}

JobTraffic::Messages JobTraffic::makeGradients() const {
  Messages messages;
  int64_t ranks = model.getRegionRanks(),
          perServer = options.fabric.serverRanks;
  int64_t replicas = regions / model.pp;
  double h = double(model.hidden), ofStage = double(layers) * kBytes;
  double experts = ofStage * double(model.experts / model.ep) * 3 * h *
                   double(model.expertHidden) / double(model.tp);
  double dense = ofStage * (4 * h * h + 3 * h * double(model.sharedHidden)) *
                 double(std::min(model.tp, perServer)) / double(model.tp);
  for (int64_t stage = 0; stage < model.pp; ++stage) {
    std::set<int64_t> holders;
    for (int64_t d = 0; d < replicas; ++d) {
      int64_t base = (d * model.pp + stage) * ranks;
      int64_t next = (((d + 1) % replicas) * model.pp + stage) * ranks;
      for (int64_t k = 0; k < ranks; ++k) {
        if (replicas > 1)
          messages.push_back(
              {place(base + k), place(next + k),
               2 * double(replicas - 1) / double(replicas) * experts});
        holders.insert(getServer(base + k));
      }
    }
    std::vector<int64_t> servers(holders.begin(), holders.end());
    double n = double(servers.size());
    for (size_t k = 0; servers.size() > 1 && k < servers.size(); ++k)
      messages.push_back({servers[k] * perServer,
                          servers[(k + 1) % servers.size()] * perServer,
                          2 * (n - 1) / n * dense});
  }
  return messages;
}

JobTraffic::Messages moe::planning::turn(JobTraffic::Messages messages) {
  for (RankMessage &own : messages)
    std::swap(own.from, own.to);
  return messages;
}

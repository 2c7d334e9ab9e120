// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ranks of a job send.
//
// The messages of a training step of a `ClusterJob`: a layer's dispatch, what
// stages send each other, and sums of gradients.

#ifndef MOE_LIB_CIRCUITS_PLANNING_JOBTRAFFIC_H
#define MOE_LIB_CIRCUITS_PLANNING_JOBTRAFFIC_H

#include "moe/Circuits/Planning/ClusterJob.h"

namespace moe::planning {

class JobTraffic {
public:
  using Messages = std::vector<fabric::RankMessage>;

  /// `options` must outlive it.
  explicit JobTraffic(const ClusterJobOptions &options);

  int64_t getNumRegions() const { return regions; }
  /// Layers of a stage.
  int64_t getNumLayers() const { return layers; }
  /// Tokens of a micro-batch.
  int64_t countTokens() const {
    return options.model.microBatch * options.model.tokens;
  }
  /// The servers that hold a region's ranks, ascending.
  std::vector<int64_t> listServers(int64_t region) const;

  /// All regions' dispatch of a layer of each stage at a step, with how much
  /// more than an even share the busiest rank of each region computes. Where
  /// ranks share NICs, messages are those of servers.
  struct Dispatch {
    Messages messages;
    std::vector<double> busiest;
  };
  Dispatch makeDispatch(int64_t layer, size_t step) const;
  /// What all stages send the next, at once.
  Messages makeSends() const;
  /// Rings over servers behind sums inside of these (SPEC MF-10): of experts'
  /// gradients over replicas, of others' over all servers of a stage.
  Messages makeGradients() const;

private:
  /// A rank of the job as one of the cluster (SPEC MF-18).
  int64_t place(int64_t rank) const;
  int64_t getServer(int64_t rank) const {
    return place(rank) / options.fabric.serverRanks;
  }
  std::vector<double> findShares(int64_t layer, int64_t region,
                                 size_t step) const;

  const ClusterJobOptions &options;
  const JobModel &model;
  int64_t regions, layers;
};

/// The same the other way round.
JobTraffic::Messages turn(JobTraffic::Messages messages);

} // namespace moe::planning

#endif // MOE_LIB_CIRCUITS_PLANNING_JOBTRAFFIC_H

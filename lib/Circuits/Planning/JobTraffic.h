// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traffic of a job.
//
// The messages of a training step of a `ClusterJob`: a layer's dispatch, sends
// between stages, and gradient all-reduces.

#ifndef MOE_LIB_CIRCUITS_PLANNING_JOBTRAFFIC_H
#define MOE_LIB_CIRCUITS_PLANNING_JOBTRAFFIC_H

#include "moe/Circuits/Planning/ClusterJob.h"

namespace moe::planning {

class JobTraffic {
public:
  using Messages = std::vector<fabric::RankMessage>;

  /// `options` must outlive this object.
  explicit JobTraffic(const ClusterJobOptions &options);

  int64_t getNumRegions() const { return regions; }
  /// Returns the number of layers per stage.
  int64_t getNumLayers() const { return layers; }
  /// Returns the number of tokens per micro-batch.
  int64_t countTokens() const {
    return options.model.microBatch * options.model.tokens;
  }
  /// Lists the servers with a region's ranks, ascending.
  std::vector<int64_t> listServers(int64_t region) const;

  /// The dispatch of one layer per stage in all regions, and the load of the
  /// busiest rank of each region relative to an even share. If ranks share
  /// NICs, messages are between servers.
  struct Dispatch {
    Messages messages;
    std::vector<double> busiest;
  };
  Dispatch makeDispatch(int64_t layer, size_t step) const;
  /// Returns the sends of all stages to the next ones, at once.
  Messages makeSends() const;
  /// Returns rings over servers that follow sums inside these (SPEC MF-10):
  /// experts' gradients over replicas, other gradients over all servers of a
  /// stage.
  Messages makeGradients() const;

private:
  /// Converts the job's rank to the cluster's rank (SPEC MF-18).
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

/// Reverses all messages.
JobTraffic::Messages turn(JobTraffic::Messages messages);

} // namespace moe::planning

#endif // MOE_LIB_CIRCUITS_PLANNING_JOBTRAFFIC_H

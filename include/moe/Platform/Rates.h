// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured rates of a platform's kernels, dispatchers and hosts.

#ifndef MOE_PLATFORM_RATES_H
#define MOE_PLATFORM_RATES_H

#include "moe/Cost/Dispatchers.h"
#include "moe/Cost/Kernels.h"

#include <optional>
#include <string>
#include <vector>

namespace moe::platform {

/// Time that a training framework's host adds to a job: launches and
/// synchronizations that no kernel hides.
struct HostCost {
  /// Time per layer and micro-batch, forward and backward together.
  struct OfLayer {
    int64_t tp = 1;
    cost::Microseconds layer;
  };

  /// The name that --parallelism uses.
  std::string framework;
  /// True if the device replays parts of a layer as CUDA graphs.
  bool cudaGraphs = false;
  /// Sorted by increasing number of tensor-parallel ranks.
  std::vector<OfLayer> layers;
  /// Time per step.
  cost::Microseconds step;
  std::string origin;

  /// Interpolates in the logarithm of the number of ranks; constant outside the
  /// stated numbers.
  cost::Microseconds getLayer(int64_t tp) const;
};

struct MeasuredRates {
  std::optional<cost::Kernels> kernels;
  std::vector<cost::Dispatcher> dispatchers;
  std::vector<HostCost> hosts;
  /// The fraction, 0 to 1, of expert-parallel exchanges hidden by compute when
  /// a framework overlaps them with another micro-batch.
  std::optional<cost::Stated<double>> hiddenExchanges;

  bool isEmpty() const {
    return !kernels && dispatchers.empty() && hosts.empty() && !hiddenExchanges;
  }
  /// Return null if the platform has no such entry.
  const cost::Dispatcher *findDispatcher(std::string_view name) const;
  const HostCost *findHost(std::string_view framework, bool cudaGraphs) const;
};

} // namespace moe::platform

#endif // MOE_PLATFORM_RATES_H

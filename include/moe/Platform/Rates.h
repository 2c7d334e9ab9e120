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
/// synchronisations that no kernel hides.
struct HostCost {
  /// What a layer takes for each micro-batch, forward and backward together.
  struct OfLayer {
    int64_t tp = 1;
    cost::Microseconds layer;
  };

  /// As --parallelism names it.
  std::string framework;
  /// Whether the device replays parts of a layer as CUDA graphs.
  bool cudaGraphs = false;
  /// By the tensor-parallel ranks, which grow.
  std::vector<OfLayer> layers;
  /// Time per step.
  cost::Microseconds step;
  std::string origin;

  /// By the logarithm of the ranks between those stated, flat outside.
  cost::Microseconds getLayer(int64_t tp) const;
};

struct MeasuredRates {
  std::optional<cost::Kernels> kernels;
  std::vector<cost::Dispatcher> dispatchers;
  std::vector<HostCost> hosts;
  /// The share of exchanges between ranks of experts that computing hides where
  /// a framework overlaps them with another micro-batch, 0 to 1.
  std::optional<cost::Stated<double>> hiddenExchanges;

  bool isEmpty() const {
    return !kernels && dispatchers.empty() && hosts.empty() && !hiddenExchanges;
  }
  /// Null if the platform states no such entry.
  const cost::Dispatcher *findDispatcher(std::string_view name) const;
  const HostCost *findHost(std::string_view framework, bool cudaGraphs) const;
};

} // namespace moe::platform

#endif // MOE_PLATFORM_RATES_H

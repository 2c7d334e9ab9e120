// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of a job's operations on a platform.

#ifndef MOE_LIB_ESTIMATE_PRICER_H
#define MOE_LIB_ESTIMATE_PRICER_H

#include "moe/Cost/Collectives.h"
#include "moe/Estimate/Step.h"

namespace moe::estimate {

/// Bytes per element of tokens and weights.
constexpr double kElement = 2;

/// Ranks of a job that act together.
enum class Group : uint8_t {
  /// Ranks that exchange tokens with experts.
  Experts,
  /// Ranks that share one expert.
  ExpertShards,
  Tensor,
  Context,
  /// Ranks with the same experts, and ranks with the same other parameters.
  ExpertCopies,
  OtherCopies
};

/// Prices kernels and collectives of a job. `failure` keeps the first
/// collective that cannot be priced, so that callers can continue.
class Pricer {
public:
  Pricer(const Job &job, const platform::Platform &platform,
         cost::Kernels kernels);

  const Job &job;
  const platform::Platform &platform;
  /// Measured kernels, or kernels at the platform's data-sheet rates.
  cost::Kernels kernels;
  std::optional<cost::Failure> failure;

  /// The products of linear layers and experts; null for 16 bits.
  const cost::QuantizedProducts *quantized = nullptr;

  /// Times in us.
  double getProductUs(double m, double n, double k) const {
    return kernels.getProductTime(m, n, k).value();
  }
  /// Returns the time of `kernelsOfIt` kernels that read and write `bytes`
  /// bytes in total.
  double getMemoryUs(double bytes, int64_t kernelsOfIt = 1) const {
    return double(kernelsOfIt) * kernels.memoryStart.value() +
           (cost::Bytes(bytes) / kernels.memory).value();
  }
  /// Returns the time of a linear layer's product in the job's precision.
  double getLinearUs(double m, double n, double k) const {
    return quantized
               ? quantized->products.getTime(1, m, n, k, kernels.sms).value()
               : getProductUs(m, n, k);
  }
  double getExpertsUs(double experts, double rows, double n, double k) const {
    if (!quantized)
      return kernels.getGroupedTime(experts, rows, n, k).value();
    return experts > 1 ? quantized->groupedProducts
                             .getTime(experts, rows, n, k, kernels.sms)
                             .value()
                       : getLinearUs(rows, n, k);
  }
  /// Returns the time to quantize `values` values in `tensors` tensors, into
  /// all copies that products need; 0 for 16 bits.
  double getQuantizeUs(double values, double tensors = 1) const;
  /// Returns the time to quantize `weights` weights after the optimizer or a
  /// gather.
  double getQuantizeWeightsUs(double weights) const;
  /// Returns the bytes per weight that ranks gather from each other.
  double getGatheredBytes() const;
  /// Returns 0 for a group of one rank.
  double getCollectiveUs(cost::CollectiveKind kind, Group group, double bytes);
  /// Returns the time of a send to the next stage.
  double getSendUs(double bytes) const;
  /// Returns the times of a dispatch and a combine with the job's dispatcher,
  /// for `tokens` on each rank of the group of experts and the given bytes per
  /// token in each direction.
  cost::DispatcherTime getDispatcherTime(double tokens, double dispatchBytes,
                                         double combineBytes);

  int64_t getSize(Group group) const;
  /// Returns how many ranks of a group are in the same node.
  int64_t getRanksPerNode(Group group) const;

private:
  std::vector<unsigned> getAxes(Group group) const;
  cost::Result<cost::RankGroups> makeGroups(Group group) const;

  /// The mesh [dp, pp, cp, ep, tp / shards, shards], or with pp first.
  std::vector<int64_t> shape;
  unsigned dp = 0, pp = 1;
};

/// Price the parts of layers for one micro-batch.
PartList priceAttention(Pricer &pricer);
PartList priceDenseNetwork(Pricer &pricer);
PartList priceExperts(Pricer &pricer);

} // namespace moe::estimate

#endif // MOE_LIB_ESTIMATE_PRICER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operations of a job take on a platform.

#ifndef MOE_LIB_ESTIMATE_PRICER_H
#define MOE_LIB_ESTIMATE_PRICER_H

#include "moe/Cost/Collectives.h"
#include "moe/Estimate/Step.h"

namespace moe::estimate {

/// Bytes of an element of tokens and weights.
constexpr double kElement = 2;

/// Ranks of a job that act together.
enum class Group : uint8_t {
  /// Those that exchange tokens with experts.
  Experts,
  /// Those that an expert is split over.
  ExpertShards,
  Tensor,
  Context,
  /// Those that hold the same experts, and the same of all else.
  ExpertCopies,
  OtherCopies
};

/// Prices kernels and collectives of a job. A collective that cannot be priced
/// is kept in `failure`, so that callers read on.
class Pricer {
public:
  Pricer(const Job &job, const platform::Platform &platform,
         cost::Kernels kernels);

  const Job &job;
  const platform::Platform &platform;
  /// Measured, or at the lines of the platform.
  cost::Kernels kernels;
  std::optional<cost::Failure> failure;

  /// The products of linear layers and experts; null in 16 bits.
  const cost::QuantizedProducts *quantized = nullptr;

  /// Times in us.
  double getProductUs(double m, double n, double k) const {
    return kernels.getProductTime(m, n, k).value();
  }
  /// `kernelsOfIt` that read and write so many bytes together.
  double getMemoryUs(double bytes, int64_t kernelsOfIt = 1) const {
    return double(kernelsOfIt) * kernels.memoryStart.value() +
           (cost::Bytes(bytes) / kernels.memory).value();
  }
  /// The product of a linear layer, in the job's precision.
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
  /// Quantizes so many values of `tensors`, each in all copies that products
  /// need; 0 in 16 bits.
  double getQuantizeUs(double values, double tensors = 1) const;
  /// Quantizes so many weights, as they come from the optimizer or a gather.
  double getQuantizeWeightsUs(double weights) const;
  /// Bytes of a weight that ranks gather from each other.
  double getGatheredBytes() const;
  /// 0 of one rank.
  double getCollectiveUs(cost::CollectiveKind kind, Group group, double bytes);
  /// From a stage to the next.
  double getSendUs(double bytes) const;
  /// A dispatch and a combine of the job's dispatcher, with `tokens` on each
  /// rank of the group of experts and so many bytes per token each way.
  cost::DispatcherTime getDispatcherTime(double tokens, double dispatchBytes,
                                         double combineBytes);

  int64_t getSize(Group group) const;
  /// How many ranks of a group lie in a node.
  int64_t getRanksPerNode(Group group) const;

private:
  std::vector<unsigned> getAxes(Group group) const;
  cost::Result<cost::RankGroups> makeGroups(Group group) const;

  /// The mesh [dp, pp, cp, ep, tp / shards, shards], or with pp first.
  std::vector<int64_t> shape;
  unsigned dp = 0, pp = 1;
};

/// The parts of layers for one micro-batch.
PartList priceAttention(Pricer &pricer);
PartList priceDenseNetwork(Pricer &pricer);
PartList priceExperts(Pricer &pricer);

} // namespace moe::estimate

#endif // MOE_LIB_ESTIMATE_PRICER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traffic that is drawn.

#ifndef MOE_TRAFFIC_GENERATE_H
#define MOE_TRAFFIC_GENERATE_H

#include "moe/Traffic/Trace.h"

namespace moe::traffic {

/// How experts differ in what they get.
enum class Pattern : uint8_t {
  /// All alike.
  Even,
  /// The expert at place p of a layer's own order gets a weight of
  /// p^-exponent, p from 1 on.
  Zipf,
  /// The experts of one rank, which is another in each layer, get a share
  /// `share` of all weight, the others the rest evenly.
  Hot,
  /// Ranks and experts are in `communities` groups of neighbours; experts of a
  /// rank's own group get a share `share` of its weight.
  Communities,
  /// Zipf at the first step, from where each expert's logarithm of weight walks
  /// by a normal step of `drift` at every step.
  Drifting,
  /// The first expert gets `imbalance` times an even share of every rank, and
  /// all others the same; nothing is drawn. One step of one layer, which speaks
  /// of all.
  Busy
};

/// "even" and so on.
std::string_view getName(Pattern pattern);
std::optional<Pattern> parsePattern(std::string_view name);

struct GenerateOptions {
  Pattern pattern = Pattern::Even;
  int64_t numRanks = 1, numExperts = 1;
  /// Tokens of a rank at a step.
  int64_t tokens = 1;
  int64_t topK = 1;
  int64_t numLayers = 1, numSteps = 1;
  uint64_t seed = 0;
  /// Of Zipf and Drifting: at least 0 and finite.
  double exponent = 1;
  /// Of Hot and Communities: in [0, 1].
  double share = 0.75;
  /// Of Communities: divides ranks and experts.
  int64_t communities = 2;
  /// Of Drifting: at least 0 and finite.
  double drift = 0.1;
  /// Of Busy: from 1 to what a token can give an expert, experts / topK.
  double imbalance = 1;
};

/// Most tokens, times top-k, that are drawn in all.
constexpr int64_t kMostDrawn = int64_t(1) << 32;

/// Draws for each token `topK` different experts, one after the other, with the
/// chances that the weights of those left give. The same numbers everywhere for
/// one seed. Layers are named "0", "1" and so on. Fails, naming the option and
/// what was expected.
cost::Result<Trace> generate(const GenerateOptions &options);

} // namespace moe::traffic

#endif // MOE_TRAFFIC_GENERATE_H

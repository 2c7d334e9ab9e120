// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generation of random routing traces.

#ifndef MOE_TRAFFIC_GENERATE_H
#define MOE_TRAFFIC_GENERATE_H

#include "moe/Traffic/Trace.h"

namespace moe::traffic {

/// How the load of experts differs.
enum class Pattern : uint8_t {
  /// All experts are alike.
  Even,
  /// The expert at position p of the layer's own order has a weight of
  /// p^-exponent, where p starts at 1.
  Zipf,
  /// The experts of one rank, which differs between layers, have a fraction
  /// `share` of all weight, and the others share the rest evenly.
  Hot,
  /// Ranks and experts form `communities` groups of neighbors; the experts of
  /// the rank's own group have a fraction `share` of its weight.
  Communities,
  /// Zipf at the first step. At every later step, the logarithm of each
  /// expert's weight changes by a normal random amount with deviation `drift`.
  Drifting,
  /// The first expert receives `imbalance` times an even share from every rank,
  /// and all others receive the same amount; nothing is random. The trace has
  /// one step of one layer, which represents all layers.
  Busy
};

/// Returns "even" and so on.
std::string_view getName(Pattern pattern);
std::optional<Pattern> parsePattern(std::string_view name);

struct GenerateOptions {
  Pattern pattern = Pattern::Even;
  int64_t numRanks = 1, numExperts = 1;
  /// Tokens per rank and step.
  int64_t tokens = 1;
  int64_t topK = 1;
  int64_t numLayers = 1, numSteps = 1;
  uint64_t seed = 0;
  /// For Zipf and Drifting: at least 0 and finite.
  double exponent = 1;
  /// For Hot and Communities: in [0, 1].
  double share = 0.75;
  /// For Communities: divides ranks and experts.
  int64_t communities = 2;
  /// For Drifting: at least 0 and finite.
  double drift = 0.1;
  /// For Busy: from 1 to experts / topK, because each token is sent to the same
  /// expert at most once.
  double imbalance = 1;
};

/// Maximum number of random choices: tokens times top-k in total.
constexpr int64_t kMostDrawn = int64_t(1) << 32;

/// Draws `topK` different experts for each token, one after the other, with
/// probabilities proportional to the weights of the remaining experts. The same
/// seed gives the same numbers on all platforms. Layers are named "0", "1" and
/// so on. Fails if an option is invalid; the failure names the option and its
/// expected values.
cost::Result<Trace> generate(const GenerateOptions &options);

} // namespace moe::traffic

#endif // MOE_TRAFFIC_GENERATE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured links between pairs of ranks.

#ifndef MOE_PLATFORM_PAIRS_H
#define MOE_PLATFORM_PAIRS_H

#include "moe/Dispatch/Links.h"
#include "moe/Platform/Fit.h"

namespace moe::platform {

/// A topology and the measured links between all pairs of its devices. The
/// links of a level are the means over its pairs (`dispatch::Links::smooth`).
struct MeasuredPairs {
  std::string origin;
  dispatch::Topology topology;
  dispatch::Links links;
};

/// Reads the format that `printPairs` writes: {"origin": "...", "topology":
/// "[2,2]", "alpha_us": [[...], ...], "beta_us_per_byte": [[...], ...]}, with
/// one row per sender. A failure names the file, line and key, the expected
/// value and the value found.
cost::Result<MeasuredPairs> loadPairs(const std::string &path);
std::string printPairs(const MeasuredPairs &pairs);

/// A link fitted to messages of several lengths.
struct LinkFit {
  dispatch::Link link;
  /// True if the time per byte no longer changes at the longest messages.
  /// Otherwise it may be greater for even longer ones.
  bool isSettled = false;
};

/// Fits a link to the least times of one-way messages, which must be sorted by
/// length. Links pass a burst at once (for example from the tokens of a token
/// bucket or a sender's cache), so no line fits all messages. The time per byte
/// is the slope between the two longest messages, which neither latency nor
/// burst affects. The latency is the time of the shortest message minus its
/// bytes at the slope of the two shortest ones. Fails with fewer than three
/// lengths, or if the longest message took no longer than the next shorter one.
cost::Result<LinkFit> fitLink(std::span<const Sample> samples);

/// Returns the mean link of each level that has pairs, sorted by level number.
/// Level 0 is a device's link to itself.
std::vector<std::pair<int64_t, dispatch::Link>>
getLevelLinks(const MeasuredPairs &pairs);

} // namespace moe::platform

#endif // MOE_PLATFORM_PAIRS_H

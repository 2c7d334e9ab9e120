// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pairs of ranks take, as measured.

#ifndef MOE_PLATFORM_PAIRS_H
#define MOE_PLATFORM_PAIRS_H

#include "moe/Dispatch/Links.h"
#include "moe/Platform/Fit.h"

namespace moe::platform {

/// A topology and the links that were measured between all pairs of its
/// devices, of which levels are the means (`dispatch::Links::smooth`).
struct MeasuredPairs {
  std::string origin;
  dispatch::Topology topology;
  dispatch::Links links;
};

/// Reads what `printPairs` writes: {"origin": "...", "topology": "[2,2]",
/// "alpha_us": [[...], ...], "beta_us_per_byte": [[...], ...]}, a row a sender.
/// Fails, naming file and line, the key, what is allowed and what was found.
cost::Result<MeasuredPairs> loadPairs(const std::string &path);
std::string printPairs(const MeasuredPairs &pairs);

/// What messages of several lengths say of a link.
struct LinkFit {
  dispatch::Link link;
  /// Whether the longest messages take as much a byte as those before them:
  /// else longer ones may take more.
  bool isSettled = false;
};

/// A link by the least times of messages one way, shortest first. Links let a
/// burst through at once (a token bucket's tokens, a sender's cache), so that no
/// line goes through all: the time per byte is that between the two longest
/// messages, in which neither latency nor a burst is left, and the latency what
/// the shortest takes beside its own bytes, at what these take within a burst.
/// Fails with fewer than three lengths, or where the longest took no longer.
cost::Result<LinkFit> fitLink(std::span<const Sample> samples);

/// The mean over the pairs of each level that has some, by its number, in front
/// of them that of a device with itself, level 0.
std::vector<std::pair<int64_t, dispatch::Link>>
getLevelLinks(const MeasuredPairs &pairs);

} // namespace moe::platform

#endif // MOE_PLATFORM_PAIRS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a chain reaches.

#ifndef MOE_DIALECT_MOE_CHAINSCOPE_H
#define MOE_DIALECT_MOE_CHAINSCOPE_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// How far a chain reaches from the all-to-all it is built around.
enum class ChainScope {
  /// Collectives and data movement: the exchange with its drop, gather,
  /// reduce-scatter and transposes.
  Communication,
  /// Also experts and elementwise ops, and so the other all-to-all of the
  /// layer: dispatch, experts and combine in one chain.
  Layer
};

template <> struct EnumNames<ChainScope> {
  static constexpr EnumName<ChainScope> all[] = {
      {ChainScope::Communication, "communication",
       "the exchange and its data movement"},
      {ChainScope::Layer, "layer", "dispatch, experts and combine"}};
};

} // namespace moe

#endif // MOE_DIALECT_MOE_CHAINSCOPE_H

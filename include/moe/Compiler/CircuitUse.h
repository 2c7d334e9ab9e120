// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile option for optical circuits.

#ifndef MOE_COMPILER_CIRCUITUSE_H
#define MOE_COMPILER_CIRCUITUSE_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// Policies for optical circuits during compilation.
enum class CircuitUse {
  /// The fastest policy if the platform has circuits.
  Auto,
  /// No circuits.
  Off,
  /// The policy with the same name.
  Block,
  Keep,
  Predict,
  /// `Block`, and each run decides by its tokens per expert
  /// (`CircuitRule::Counts`).
  Counts
};

template <> struct EnumNames<CircuitUse> {
  static constexpr EnumName<CircuitUse> all[] = {
      {CircuitUse::Auto, "auto",
       "the fastest policy if the platform has optical circuits"},
      {CircuitUse::Off, "off", "no optical circuits"},
      {CircuitUse::Block, "block", "use policy block"},
      {CircuitUse::Keep, "keep", "use policy keep"},
      {CircuitUse::Predict, "predict", "use policy predict"},
      {CircuitUse::Counts, "counts",
       "use policy block, decided by the tokens per expert of each run"}};
};

} // namespace moe

#endif // MOE_COMPILER_CIRCUITUSE_H

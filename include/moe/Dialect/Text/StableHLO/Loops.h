// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops of StableHLO.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_LOOPS_H
#define MOE_DIALECT_TEXT_STABLEHLO_LOOPS_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// A `stablehlo.while` that counts from one constant to another in constant
/// steps, as in JAX's `fori_loop` and `scan`.
struct CountedLoop {
  /// The number of the carried value that counts.
  unsigned counter;
  /// The number of iterations.
  int64_t trips;
};

/// Returns nullopt for all other loops and ops.
std::optional<CountedLoop> findCountedLoop(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_LOOPS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops of StableHLO.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_LOOPS_H
#define MOE_DIALECT_TEXT_STABLEHLO_LOOPS_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// A `stablehlo.while` that counts from a constant up to another by a constant,
/// as JAX writes `fori_loop` and `scan`.
struct CountedLoop {
  /// The carried value that counts.
  unsigned counter;
  /// How often the body runs.
  int64_t trips;
};

/// Nullopt of loops that do not count so, and of all other ops.
std::optional<CountedLoop> findCountedLoop(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_LOOPS_H

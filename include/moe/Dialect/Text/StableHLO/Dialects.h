// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading StableHLO and Shardy as text.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_DIALECTS_H
#define MOE_DIALECT_TEXT_STABLEHLO_DIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Allows generic text of StableHLO to be read without StableHLO: registers
/// dialects named `sdy`, `stablehlo`, `chlo` and `mhlo` that know no op. Their
/// ops stay unregistered, their attributes and types are kept as text, and the
/// verifier checks their regions as it does for known dialects. Known effects
/// and dims of ops are in `moe/Dialect/Text/StableHLO/Ops.h`.
///
/// Pretty text, which only StableHLO can read, is an error that explains how to
/// get the generic text.
///
/// Skips names that are already registered, because two dialects with the same
/// name abort the process. For the same reason, only tools must call this, not
/// plugins.
void registerStableHLODialects(mlir::DialectRegistry &registry);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_DIALECTS_H

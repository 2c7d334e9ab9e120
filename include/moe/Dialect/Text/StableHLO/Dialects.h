// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO and Shardy, as text is read.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_DIALECTS_H
#define MOE_DIALECT_TEXT_STABLEHLO_DIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Lets generic text of StableHLO be read without StableHLO: registers dialects
/// of the names `sdy`, `stablehlo`, `chlo` and `mhlo`, which know no op. Their
/// ops stay unregistered, their attributes and types are kept as they are
/// written, and verification looks through their regions as it does through
/// those of known dialects. What is known of ops without side effects and of
/// their dims is in `moe/Dialect/Text/StableHLO/Ops.h`.
///
/// Pretty text, which only StableHLO can read, is an error that says how to
/// get the generic text.
///
/// A name that is taken is left to who has it: two dialects of one name end the
/// process. For the same reason this is for tools, not for plugins.
void registerStableHLODialects(mlir::DialectRegistry &registry);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_DIALECTS_H

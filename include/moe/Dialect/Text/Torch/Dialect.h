// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `torch` as text.

#ifndef MOE_DIALECT_TEXT_TORCH_DIALECT_H
#define MOE_DIALECT_TEXT_TORCH_DIALECT_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Registers a dialect that reads text of torch-mlir's dialect `torch` without
/// torch-mlir, as its importer of FX graphs writes it. It reads all ops in
/// generic form, and `torch.operator`, constants, lists, literals and ATen ops
/// also in pretty form. `moe/Dialect/Text/TextDialect.h` describes the
/// treatment of other text.
///
/// Does nothing if the name `torch` is already registered. For tools, not for
/// plugins.
void registerTorchDialect(mlir::DialectRegistry &registry);

} // namespace moe

#endif // MOE_DIALECT_TEXT_TORCH_DIALECT_H

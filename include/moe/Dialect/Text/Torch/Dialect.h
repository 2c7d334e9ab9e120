// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch, as text is read.

#ifndef MOE_DIALECT_TEXT_TORCH_DIALECT_H
#define MOE_DIALECT_TEXT_TORCH_DIALECT_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Lets text of torch-mlir's dialect `torch` be read without torch-mlir, as its
/// importer of FX graphs writes it: all of it in generic form, and in the
/// pretty form `torch.operator`, constants, lists, literals and the ops of
/// ATen. `moe/Dialect/Text/TextDialect.h` says what becomes of the rest.
///
/// A name that is taken is left to who has it. For tools, not for plugins.
void registerTorchDialect(mlir::DialectRegistry &registry);

} // namespace moe

#endif // MOE_DIALECT_TEXT_TORCH_DIALECT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the compiler's passes and dialects.

#ifndef MOE_COMPILER_REGISTER_H
#define MOE_COMPILER_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Registers the dialects of programs: ours, and the upstream ones with ops
/// that run on ranks. Both parsing and `compileTo` require them. Passes load
/// all other dialects themselves, with the required extensions.
void registerProgramDialects(mlir::DialectRegistry &registry);

/// Registers the passes of this project and `--moe-compile="from=P to=P
/// platform=F strategy=S degree=N schedule=S"`.
void registerCompilerPasses();

} // namespace moe

#endif // MOE_COMPILER_REGISTER_H

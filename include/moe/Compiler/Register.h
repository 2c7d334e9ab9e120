// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's passes and needs.

#ifndef MOE_COMPILER_REGISTER_H
#define MOE_COMPILER_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Registers the dialects that programs are written in, ours and the upstream
/// ones whose ops run on a rank: what parsing needs of a context, and all that
/// `compileTo` does. What the phases make is of dialects that their passes load
/// themselves, with the extensions that these need.
void registerProgramDialects(mlir::DialectRegistry &registry);

/// Registers the passes of this project and `--moe-compile="from=P to=P
/// platform=F strategy=S degree=N schedule=S"`.
void registerCompilerPasses();

} // namespace moe

#endif // MOE_COMPILER_REGISTER_H

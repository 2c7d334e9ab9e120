// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The platform of a module.

#ifndef MOE_TRANSFORMS_MODULEPLATFORM_H
#define MOE_TRANSFORMS_MODULEPLATFORM_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEAttrs.h"
#include "moe/Platform/Load.h"

namespace moe {

/// Returns the `moe.platform` of a module; null if it has none.
PlatformAttr getPlatformAttr(mlir::ModuleOp module);

/// Loads a platform by its path, or by the name of one that is installed.
/// Errors are emitted at `loc` and start with `user`, the name of the pass or
/// tool.
mlir::FailureOr<platform::Platform>
loadPlatform(mlir::Location loc, llvm::StringRef pathOrName,
             llvm::StringRef user, const platform::LoadOptions &options = {});

/// Returns the attribute that describes a platform. `file` is the path or name
/// as the user gave it, so that the output does not depend on the location of
/// the source tree.
PlatformAttr makePlatformAttr(mlir::MLIRContext *context,
                              const platform::Platform &platform,
                              llvm::StringRef file);

/// Attaches the description of a platform to a module: `moe.platform`, and
/// `moe.nccl`, which executions read without the file.
void attachPlatform(mlir::ModuleOp module, const platform::Platform &platform,
                    llvm::StringRef file);

/// Loads the platform of `module`: `given`, the value of the user's option, or,
/// if that is empty, the platform in `moe.platform`. In the second case, the
/// file must be the one that was attached. A missing file or another hash is an
/// error that names the file and both hashes. It is also an error if the
/// attribute and the file differ, or if the module has no attribute; `option`
/// is then the option to recommend.
mlir::FailureOr<platform::Platform>
loadPlatformOf(mlir::ModuleOp module, llvm::StringRef given,
               llvm::StringRef user, llvm::StringRef option = "platform=FILE",
               const platform::LoadOptions &options = {});

} // namespace moe

#endif // MOE_TRANSFORMS_MODULEPLATFORM_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which platform a module is for.

#ifndef MOE_TRANSFORMS_MODULEPLATFORM_H
#define MOE_TRANSFORMS_MODULEPLATFORM_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEAttrs.h"
#include "moe/Platform/Load.h"

namespace moe {

/// The `moe.platform` of a module, null when it has none.
PlatformAttr getPlatformAttr(mlir::ModuleOp module);

/// Loads the platform that a user's text means, a path or the name of one that
/// ships. An error is emitted at `loc` and starts with `user`, the pass or
/// tool.
mlir::FailureOr<platform::Platform>
loadPlatform(mlir::Location loc, llvm::StringRef pathOrName,
             llvm::StringRef user, const platform::LoadOptions &options = {});

/// What a module says of a platform. `file` is the path or name as the user
/// gave it, so that the output is the same wherever the tree lies.
PlatformAttr makePlatformAttr(mlir::MLIRContext *context,
                              const platform::Platform &platform,
                              llvm::StringRef file);

/// Puts on a module what it says of a platform: `moe.platform`, and `moe.nccl`,
/// which what runs it reads without the file.
void attachPlatform(mlir::ModuleOp module, const platform::Platform &platform,
                    llvm::StringRef file);

/// Loads the platform to use for `module`: `given`, the value of the user's
/// own option, or, when that is empty, the one `moe.platform` names. Its file
/// must be the one that was attached: one that is missing or has another hash
/// is an error that names the file and both hashes. So is an attribute that says
/// other than the file, and a module without the attribute; `option` is how the user would have given a platform.
mlir::FailureOr<platform::Platform>
loadPlatformOf(mlir::ModuleOp module, llvm::StringRef given,
               llvm::StringRef user, llvm::StringRef option = "platform=FILE",
               const platform::LoadOptions &options = {});

} // namespace moe

#endif // MOE_TRANSFORMS_MODULEPLATFORM_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration that all tools share.

#ifndef MOE_TOOLS_REGISTER_H
#define MOE_TOOLS_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Registers the dialects of this project and all upstream ones with their
/// extensions. This is cheap, because a dialect is loaded on its first use.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the passes and pipelines of this project and the upstream passes
/// that users of moe-opt expect (transforms and dialect passes).
void registerAllPasses();

/// Adds the planners of optional components to the list of planners, which must
/// not have been read yet.
void registerAllPlanners();

} // namespace moe

#endif // MOE_TOOLS_REGISTER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every tool registers.

#ifndef MOE_TOOLS_REGISTER_H
#define MOE_TOOLS_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Registers the dialects of this project and all upstream ones with their
/// extensions. Cheap: a dialect is loaded when first met.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the passes and pipelines of this project and the upstream
/// passes a user of moe-opt expects (transforms and dialect passes).
void registerAllPasses();

/// Adds the planners of optional components to the list of planners, which must
/// not have been read yet.
void registerAllPlanners();

} // namespace moe

#endif // MOE_TOOLS_REGISTER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of optical circuits and fabrics for tools.
//
// The component is optional. A build without it (MOE_ENABLE_CIRCUITS=OFF) has
// the same functions, which register nothing.

#ifndef MOE_CIRCUITS_REGISTER_H
#define MOE_CIRCUITS_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace moe {

/// Registers the dialect of circuits with its checks, semantics and lowering.
void registerCircuitDialect(mlir::DialectRegistry &registry);

/// Lets the phase schedule plan circuits on platforms that have some.
void registerCircuitPhase();

/// Registers the passes of circuits, for pipelines that name them and for the
/// phase schedule.
void registerCircuitPasses();

/// Lets programs in this process call libmoert_ocs.
void registerCircuitRuntime();

/// Adds the planners of fabrics and circuits to the list of planners.
void registerCircuitPlanners();

} // namespace moe

#endif // MOE_CIRCUITS_REGISTER_H

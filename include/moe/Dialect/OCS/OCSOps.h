// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the ocs dialect.

#ifndef MOE_DIALECT_OCS_OCSOPS_H
#define MOE_DIALECT_OCS_OCSOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/LinkInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Dialect/MoE/RunInterfaces.h"
#include "moe/Dialect/OCS/OCSDialect.h"
#include "moe/Fabric/Circuits.h"

#include "moe/Dialect/OCS/OCSEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "moe/Dialect/OCS/OCSAttrs.h.inc"

namespace moe::ocs {

/// The circuits of all regions.
struct CircuitsResource
    : public mlir::SideEffects::Resource::Base<CircuitsResource> {
  llvm::StringRef getName() final { return "ocs.circuits"; }
};

} // namespace moe::ocs

#define GET_OP_CLASSES
#include "moe/Dialect/OCS/OCSOps.h.inc"

namespace moe::ocs {

/// The `ocs.route`, `ocs.reconfigure` or `ocs.await` in a task; null for none.
RouteOp getRoute(TaskOp task);
ReconfigureOp getReconfigure(TaskOp task);
AwaitOp getAwait(TaskOp task);

/// What a server of the fabric has, for the planners.
moe::fabric::Ports getPorts(FabricOp fabric);

/// Why a machine has not the servers of a fabric; empty when it has.
std::string checkFabric(FabricOp fabric, const cost::Machine &machine);

/// The circuits of each region where a value is a constant: one matrix for all,
/// or one a region. Nothing for a value that is only known at run time.
std::optional<llvm::SmallVector<moe::fabric::Circuits>>
getConstantCircuits(mlir::Value circuits);

/// The plan that circuits come from, also as what a task hands out; null for
/// others.
PlanOp getPlan(mlir::Value circuits);

/// The same of circuits that are predicted.
PredictOp getPrediction(mlir::Value circuits);

/// Constant circuits, those that their plan expects, or those that are taken
/// where nothing is known to predict them by.
std::optional<llvm::SmallVector<moe::fabric::Circuits>>
getExpectedCircuits(mlir::Value circuits);

/// Constant or expected circuits of all regions as those of all servers of the
/// mesh, by number. Fails where they are only known at run time.
cost::Result<moe::fabric::Circuits> joinCircuits(FabricOp fabric,
                                                 mlir::Value circuits);

/// What a change of the circuits of all regions takes (SPEC MF-8): each has a
/// switch of its own, and one matrix stands for all regions.
cost::Microseconds getChangeTime(const cost::Circuits &machine,
                                 llvm::ArrayRef<moe::fabric::Circuits> before,
                                 llvm::ArrayRef<moe::fabric::Circuits> after);

/// Whether two values are the same circuits: one value, or equal constants.
bool areEqualCircuits(mlir::Value a, mlir::Value b);

} // namespace moe::ocs

#endif // MOE_DIALECT_OCS_OCSOPS_H

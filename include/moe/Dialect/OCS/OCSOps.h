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

/// Returns the `ocs.route`, `ocs.reconfigure` or `ocs.await` in a task, or
/// null.
RouteOp getRoute(TaskOp task);
ReconfigureOp getReconfigure(TaskOp task);
AwaitOp getAwait(TaskOp task);

/// Returns the ports of each server of the fabric, for the planners.
moe::fabric::Ports getPorts(FabricOp fabric);

/// Returns the reason why a machine lacks the servers of a fabric, or an empty
/// string.
std::string checkFabric(FabricOp fabric, const cost::Machine &machine);

/// Returns the circuits of each region if the value is a constant: one matrix
/// for all regions, or one per region. Nullopt for a value that is only known
/// at run time.
std::optional<llvm::SmallVector<moe::fabric::Circuits>>
getConstantCircuits(mlir::Value circuits);

/// Returns the plan that produced the circuits, also through the results of
/// tasks; null if there is none.
PlanOp getPlan(mlir::Value circuits);

/// Returns the prediction that produced the circuits, as above.
PredictOp getPrediction(mlir::Value circuits);

/// Returns constant circuits, the circuits that their plan expects, or the
/// default circuits of a prediction without data.
std::optional<llvm::SmallVector<moe::fabric::Circuits>>
getExpectedCircuits(mlir::Value circuits);

/// Returns the constant or expected circuits of all regions as one matrix over
/// all servers of the mesh. Fails if they are only known at run time.
cost::Result<moe::fabric::Circuits> joinCircuits(FabricOp fabric,
                                                 mlir::Value circuits);

/// Returns the time to change the circuits of all regions (SPEC MF-8). Each
/// region has its own switch, and one matrix represents all regions.
cost::Microseconds getChangeTime(const cost::Circuits &machine,
                                 llvm::ArrayRef<moe::fabric::Circuits> before,
                                 llvm::ArrayRef<moe::fabric::Circuits> after);

/// Returns true if two values are the same circuits: one value, or equal
/// constants.
bool areEqualCircuits(mlir::Value a, mlir::Value b);

} // namespace moe::ocs

#endif // MOE_DIALECT_OCS_OCSOPS_H

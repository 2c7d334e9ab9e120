// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces through which models query ops.
//
// Cost, traffic and chunking models query ops through interfaces, never by the
// op's class. There are three ways to implement them for an op of another
// dialect:
//  - the op lists the interface's trait and implements its methods;
//  - a library attaches an `ExternalModel` to the op;
//  - the op's dialect returns a `FallbackModel` from
//    `getRegisteredInterfaceForOp`, which also serves ops that the dialect
//    does not know.
// This also holds for `CollectiveOpInterface`, `DimMapOpInterface` and MLIR's
// memory effects.

#ifndef MOE_DIALECT_MOE_MODELINTERFACES_H
#define MOE_DIALECT_MOE_MODELINTERFACES_H

#include "moe/Cost/Traffic.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"
#include "moe/Dialect/MoE/PlanEnums.h"

namespace moe {

namespace traffic {
class Routing;
} // namespace traffic

/// Messages that the ranks of the groups send each other concurrently.
struct TrafficStage {
  GroupAttrInterface group;
  cost::Traffic traffic;
  /// True if the messages depend on the gate's routing. If the routing is
  /// unknown, `traffic` assumes even routing.
  bool dependsOnRouting = false;
};

/// Stages that run one after the other.
struct OpTraffic {
  llvm::SmallVector<TrafficStage, 1> stages;
};

/// The inclusive range of integers from `low` to `high`.
struct IndexRange {
  int64_t low, high;
};

/// The machine that ops are timed on, with counts of the times that rest on
/// assumptions.
class CostContext {
public:
  /// `machine` must outlive the context.
  explicit CostContext(const cost::Machine &machine) : machine(machine) {}

  const cost::Machine &getMachine() const { return machine; }

  /// Returns the routing of the gates, or null if it is unknown and taken as
  /// even. It must outlive the context.
  const traffic::Routing *getRouting() const { return routing; }
  void setRouting(const traffic::Routing *known) { routing = known; }

  /// Records a time that depends on the gate's routing.
  void addRouted() { ++numRouted; }
  int64_t getNumRouted() const { return numRouted; }

  /// Records a time for a size outside the measured range of the machine;
  /// `getCopyTime` does so itself.
  void addExtrapolated() { ++numExtrapolated; }
  int64_t getNumExtrapolated() const { return numExtrapolated; }

private:
  const cost::Machine &machine;
  const traffic::Routing *routing = nullptr;
  int64_t numExtrapolated = 0, numRouted = 0;
};

} // namespace moe

#include "moe/Dialect/MoE/MoEModelInterfaces.h.inc"

namespace moe {

//===----------------------------------------------------------------------===//
// Helpers for implementing the interfaces
//===----------------------------------------------------------------------===//

/// Returns the bytes of a value, or 0 if it is not a ranked tensor. Emits an
/// error at `op` and fails if the shape is dynamic.
mlir::FailureOr<cost::Bytes> getStaticBytes(mlir::Operation *op,
                                            mlir::Value value);

/// Returns the bytes of all results of an op. Emits an error and fails if a
/// shape is dynamic.
mlir::FailureOr<cost::Bytes> getResultBytes(mlir::Operation *op);

/// Returns the time to copy `bytes`. Emits an error at `op` and fails if the
/// machine has no copy bandwidth.
mlir::FailureOr<cost::Microseconds>
getCopyTime(mlir::Operation *op, CostContext &context, cost::Bytes bytes);

/// Returns the time of `gemms` GEMMs that have `macs` multiply-accumulates
/// together. Emits an error at `op` and fails if the machine has no GEMM cost.
mlir::FailureOr<cost::Microseconds> getGemmTime(mlir::Operation *op,
                                                CostContext &context,
                                                cost::Macs macs, int64_t gemms);

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Returns the ranks of all groups of `group`, or the reason why they do not
/// resolve.
cost::Result<cost::RankGroups> getRankGroups(mlir::Operation *from,
                                             GroupAttrInterface group);

/// Returns the bytes that each rank sends to other ranks in one execution (SPEC
/// CC-2), as the maximum over ranks. Fails without an error if a shape is
/// dynamic, a size overflows or a group does not resolve.
mlir::FailureOr<int64_t> getSendBytes(mlir::Operation *op);

/// As above, for one stage.
mlir::FailureOr<int64_t> getSendBytes(const TrafficStage &stage,
                                      mlir::Operation *from);

/// Returns the name of the layer that contains an op or its task; empty outside
/// of layers.
llvm::StringRef getLayerName(mlir::Operation *op);

/// Returns true for a collective that sends different data between each pair of
/// ranks: the dispatch and the combine of an MoE layer.
bool isAllToAll(mlir::Operation *op);

/// Returns true for an all-to-all that may exchange its operand in parts,
/// because it may be part of a chain (`ChainOpInterface`). Chunking and
/// deduplication start from such ops.
bool isDivisibleAllToAll(mlir::Operation *op);

/// Returns the number of the operand that an op of a chain passes on
/// (`ChainOpInterface`).
unsigned getChainedOperand(mlir::Operation *op);

/// Returns true for experts or their gradient (`ChainOpInterface`).
bool appliesExperts(mlir::Operation *op);

/// Returns the resource that a local op occupies: the one from its cost
/// interface, or else the compute units.
cost::Resource getLocalResource(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_MOE_MODELINTERFACES_H

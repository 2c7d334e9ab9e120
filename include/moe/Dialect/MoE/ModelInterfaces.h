// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What models ask of ops.
//
// Times, traffic and chunking are asked of ops by interfaces, never by the
// op's class. An op of another dialect gets them in one of three ways:
//  - it lists the interface's trait and implements its methods;
//  - somebody attaches an `ExternalModel` to it;
//  - its dialect hands out a `FallbackModel` from
//    `getRegisteredInterfaceForOp`, which also serves ops that the dialect
//    does not know.
// The same holds of `CollectiveOpInterface`, `DimMapOpInterface` and MLIR's
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

/// What the ranks of the groups send each other at once.
struct TrafficStage {
  GroupAttrInterface group;
  cost::Traffic traffic;
  /// What is sent depends on where a gate sends tokens; where that is not known,
  /// this is what even routing makes of it.
  bool dependsOnRouting = false;
};

/// Stages, one after the other.
struct OpTraffic {
  llvm::SmallVector<TrafficStage, 1> stages;
};

/// Numbers from `low` to `high`.
struct IndexRange {
  int64_t low, high;
};

/// The machine that ops are timed on, and how sure it is of what they ask.
class CostContext {
public:
  /// `machine` must outlive the context.
  explicit CostContext(const cost::Machine &machine) : machine(machine) {}

  const cost::Machine &getMachine() const { return machine; }

  /// Where gates send tokens; null where nothing is known of it and all are
  /// taken as even. It must outlive the context.
  const traffic::Routing *getRouting() const { return routing; }
  void setRouting(const traffic::Routing *known) { routing = known; }

  /// Tells that a time depends on where gates send tokens.
  void addRouted() { ++numRouted; }
  /// How many times do so far.
  int64_t getNumRouted() const { return numRouted; }

  /// Tells that a time rests on a size outside of what the machine was measured
  /// at; `getCopyTime` does so itself.
  void addExtrapolated() { ++numExtrapolated; }
  /// How many times do so far.
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
// For implementing the interfaces
//===----------------------------------------------------------------------===//

/// Bytes of a value, 0 of what is no ranked tensor. Emits an error at `op` and
/// fails when the shape is dynamic.
mlir::FailureOr<cost::Bytes> getStaticBytes(mlir::Operation *op,
                                            mlir::Value value);

/// Bytes of all results of an op.
mlir::FailureOr<cost::Bytes> getResultBytes(mlir::Operation *op);

/// Time of a copy of so many bytes. Emits an error at `op` and fails when the
/// machine states no copy bandwidth.
mlir::FailureOr<cost::Microseconds>
getCopyTime(mlir::Operation *op, CostContext &context, cost::Bytes bytes);

/// Time of `gemms` GEMMs of so many multiply-accumulates together. Emits an
/// error at `op` and fails when the machine states no GEMM cost.
mlir::FailureOr<cost::Microseconds> getGemmTime(mlir::Operation *op,
                                                CostContext &context,
                                                cost::Macs macs, int64_t gemms);

//===----------------------------------------------------------------------===//
// For asking
//===----------------------------------------------------------------------===//

/// The ranks of a group's groups, or why they do not resolve.
cost::Result<cost::RankGroups> getRankGroups(mlir::Operation *from,
                                             GroupAttrInterface group);

/// Bytes that one rank sends to others in one execution (SPEC CC-2), the most
/// of all ranks; fails when a shape is dynamic, a size overflows or a group
/// does not resolve, without an error.
mlir::FailureOr<int64_t> getSendBytes(mlir::Operation *op);

/// Bytes that one rank sends to others in a stage; fails as above.
mlir::FailureOr<int64_t> getSendBytes(const TrafficStage &stage,
                                      mlir::Operation *from);

/// The name of the layer that an op or a task around it is of; empty outside of
/// layers.
llvm::StringRef getLayerName(mlir::Operation *op);

/// True for a collective in which every rank has something of its own for every
/// other: the dispatch and the combine of an MoE layer.
bool isAllToAll(mlir::Operation *op);

/// True for an all-to-all that may exchange its operand in parts: one that may
/// stand in a chain (`ChainOpInterface`). Chunking and deduplication start from
/// these.
bool isDivisibleAllToAll(mlir::Operation *op);

/// The operand whose data an op of a chain passes on (`ChainOpInterface`).
unsigned getChainedOperand(mlir::Operation *op);

/// True for the experts of a layer, or their gradient (`ChainOpInterface`).
bool appliesExperts(mlir::Operation *op);

/// What of a rank a local op keeps busy: what its costs say, else its compute
/// units.
cost::Resource getLocalResource(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_MOE_MODELINTERFACES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantics of plans of optical circuits.

#include "InterpretCircuits.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "moe/Fabric/DelegatedRows.h"
#include "moe/Fabric/Plan.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

static LogicalResult runDemand(ocs::DemandOp op, const llvm::BitVector &active,
                               OpExecution &execution) {
  int64_t servers =
      ocs::FabricOp::lookup(op, op.getFabricAttr()).getNumServers();
  auto add = [&](int64_t rank, ArrayRef<LocalTensor> operands,
                 MutableArrayRef<LocalTensor> results) -> LogicalResult {
    int64_t ranks = operands[0].getShape()[0],
            experts = operands[0].getShape()[1];
    if (failed(verifySize(op, rank, "the servers of the ranks", ranks % servers,
                          0)) ||
        failed(verifySize(op, rank, "the ranks of the experts", experts % ranks,
                          0)))
      return failure();
    FailureOr<SmallVector<int64_t>> counts =
        execution.getIntegers(op, rank, "a count", operands[0].getCells());
    if (failed(counts))
      return failure();
    SmallVector<int64_t> demand(servers * servers);
    for (int64_t i = 0; i < ranks * experts; ++i) {
      // Overflow wraps, as in compiled code.
      uint64_t bytes = uint64_t((*counts)[i]) * uint64_t(op.getBytes());
      int64_t &sum = demand[i / experts * servers / ranks * servers +
                            i % experts * servers / experts];
      sum = int64_t(uint64_t(sum) + bytes);
    }
    FailureOr<LocalTensor> made =
        execution.allocateResult(op, 0, rank, {servers, servers});
    if (failed(made))
      return failure();
    for (auto [cell, number] : llvm::enumerate(demand))
      made->getMutableCells()[cell] = execution.getDomain().getInteger(number);
    results[0] = *made;
    return success();
  };
  return execution.forEachRank(op, active, add, {});
}

static LogicalResult runPlanCircuits(ocs::PlanOp op,
                                     const llvm::BitVector &active,
                                     OpExecution &execution) {
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  fabric::Ports ports = ocs::getPorts(fabric);
  int64_t servers = fabric.getNumServers();
  auto plan = [&](int64_t rank, ArrayRef<LocalTensor> operands,
                  MutableArrayRef<LocalTensor> results) -> LogicalResult {
    if (failed(verifySize(op, rank, "the servers of the demand",
                          operands[0].getShape()[0], servers)))
      return failure();
    FailureOr<SmallVector<int64_t>> sent =
        execution.getIntegers(op, rank, "a demand", operands[0].getCells());
    if (failed(sent))
      return failure();
    fabric::Demand demand(servers);
    for (int64_t i = 0; i < servers; ++i)
      for (int64_t j = 0; j < servers; ++j)
        if (i != j)
          demand.at(i, j) = (*sent)[i * servers + j];
    fabric::PlanOptions options;
    options.effort = fabric::Effort::Fast;
    auto planned = fabric::planCircuits({{demand}}, ports, options);
    if (!planned)
      return op.emitOpError() << planned.getError() << " on rank " << rank;
    FailureOr<LocalTensor> circuits =
        execution.allocateResult(op, 0, rank, {servers, servers});
    if (failed(circuits))
      return failure();
    for (int64_t i = 0; i < servers * servers; ++i)
      circuits->getMutableCells()[i] = execution.getDomain().getInteger(
          planned->circuits.at(i / servers, i % servers));
    results[0] = *circuits;
    return success();
  };
  return execution.forEachRank(op, active, plan, {});
}

static LogicalResult runRecall(ocs::RecallOp op, const llvm::BitVector &active,
                               OpExecution &execution) {
  // Nothing has been stored, because the interpreter stores no demands.
  return execution.forEachRank(
      op, active,
      [&](int64_t rank, ArrayRef<LocalTensor> operands,
          MutableArrayRef<LocalTensor> results) -> LogicalResult {
        FailureOr<SmallVector<int64_t>> demand =
            execution.getIntegers(op, rank, "a demand", operands[0].getCells());
        FailureOr<LocalTensor> sum =
            execution.allocateResult(op, 0, rank, operands[0].getShape());
        if (failed(demand) || failed(sum))
          return failure();
        // Overflow of 64 bits wraps, as in sums of demands.
        for (auto [cell, bytes] : llvm::enumerate(*demand))
          sum->getMutableCells()[cell] = execution.getDomain().getInteger(
              int64_t(uint64_t(bytes) * uint64_t(op.getTimes())));
        results[0] = *sum;
        return success();
      },
      {});
}

static LogicalResult runPrediction(ocs::PredictOp op,
                                   const llvm::BitVector &active,
                                   OpExecution &execution) {
  // Nothing has been stored, because the interpreter stores no demands.
  return execution.forEachRank(op, active,
                               [](int64_t, ArrayRef<LocalTensor> operands,
                                  MutableArrayRef<LocalTensor> results) {
                                 results[0] = operands[0];
                                 return success();
                               },
                               {});
}

static LogicalResult runDelegates(ocs::DelegatesOp op,
                                  const llvm::BitVector &active,
                                  OpExecution &execution) {
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  FailureOr<const RankLists *> found =
      execution.getGroups(op, fabric.getRegionGroup());
  if (failed(found))
    return failure();
  RankLists groups = **found;
  if (failed(execution.verifySameCounts(op, op.getCounts(), groups, active)))
    return failure();
  std::vector<int64_t> positions =
      getPositions(groups, execution.getNumRanks());
  int64_t servers = fabric.getNumServers(), places = fabric.getServerRanks();
  auto plan = [&](int64_t rank, ArrayRef<LocalTensor> operands,
                  MutableArrayRef<LocalTensor> results) -> LogicalResult {
    ArrayRef<int64_t> shape = operands[0].getShape();
    if (failed(verifySize(op, rank, "the ranks of the counts", shape[0],
                          servers * places)) ||
        failed(verifySize(op, rank, "the ranks of the experts",
                          shape[1] % shape[0], 0)))
      return failure();
    FailureOr<SmallVector<int64_t>> counts =
        execution.getIntegers(op, rank, "a count", operands[0].getCells());
    if (failed(counts))
      return failure();
    auto rows = fabric::RankRows::read({counts->begin(), counts->end()},
                                       servers, places);
    if (!rows)
      return op.emitOpError() << rows.getError() << " on rank " << rank;
    auto map = fabric::planDelegates(*rows, ocs::getPorts(fabric), op.getNuma(),
                                     op.getTurns());
    if (!map)
      return op.emitOpError() << map.getError() << " on rank " << rank;
    fabric::DelegatedRuns runs =
        fabric::planDelegatedRuns(*rows, *map, op.getTurns(), positions[rank]);
    const std::vector<int64_t> *all[] = {&runs.gather, &runs.between,
                                         &runs.scatter, &runs.own};
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      FailureOr<LocalTensor> made = execution.allocateResult(
          op, i, rank, cast<RankedTensorType>(result.getType()).getShape());
      if (failed(made))
        return failure();
      for (auto [cell, number] : llvm::enumerate(*all[i]))
        made->getMutableCells()[cell] =
            execution.getDomain().getInteger(number);
      results[i] = *made;
    }
    return success();
  };
  return execution.forEachRank(op, active, plan, positions);
}

namespace {
struct CircuitInterpreter : public InterpretedDialectInterface {
  using InterpretedDialectInterface::InterpretedDialectInterface;

  LogicalResult run(Operation *op, const llvm::BitVector &active,
                    OpExecution &execution) const override {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        // These ops only affect the path of data, not the data.
        .Case<ocs::ReconfigureOp, ocs::AwaitOp, ocs::RouteOp, ocs::NoteOp>(
            [](Operation *) { return success(); })
        .Case([&](ocs::PredictOp op) {
          return runPrediction(op, active, execution);
        })
        .Case(
            [&](ocs::RecallOp op) { return runRecall(op, active, execution); })
        .Case(
            [&](ocs::DemandOp op) { return runDemand(op, active, execution); })
        .Case([&](ocs::PlanOp op) {
          return runPlanCircuits(op, active, execution);
        })
        .Case([&](ocs::DelegatesOp op) {
          return runDelegates(op, active, execution);
        })
        .Default([](Operation *op) {
          return op->emitOpError() << "has no reference semantics";
        });
  }
};
} // namespace

void moe::addCircuitInterpreter(Dialect *dialect) {
  dialect->addInterfaces<CircuitInterpreter>();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass moe-route-circuits.

#include "CircuitProgram.h"
#include "DelegatedExchange.h"
#include "DelegatedRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Circuits/Passes.h"
#include "moe/Circuits/Register.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Fabric/Plan.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Remarks.h"
#include "moe/Transforms/Rules.h"

namespace moe {
#define GEN_PASS_DEF_ROUTECIRCUITS
#include "moe/Circuits/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct RouteCircuits : public moe::impl::RouteCircuitsBase<RouteCircuits> {
  using RouteCircuitsBase::RouteCircuitsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    RouteCircuitsBase::getDependentDialects(registry);
    registerCircuitDialect(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  remark::RemarkOpts getOptions(Operation *op) {
    return getRemarkOptions(op, "delegates", getArgument());
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    auto loaded = loadPlatformOf(module, platform, getArgument());
    if (failed(loaded))
      return failure();
    const cost::Machine &machine = loaded->machine;
    if (!machine.circuits)
      return emitError(module.getLoc())
             << getArgument() << ": expected a platform with circuits, got "
             << machine.name;
    auto replication = ReplicationInfo::compute(module);
    if (failed(replication))
      return failure();
    RuleContext context(**replication);
    bool isNew = false, routesAny = false;
    std::string reason;
    FailureOr<ocs::FabricOp> fabric =
        findFabric(module, machine, isNew, reason);
    if (failed(fabric))
      return failure();
    SmallVector<CollectiveOpInterface> ops;
    SmallVector<RaggedAllToAllOp> runs;
    module.walk([&](CollectiveOpInterface op) {
      if (auto ragged = dyn_cast<RaggedAllToAllOp>(op.getOperation()))
        runs.push_back(ragged);
      else if (isAllToAll(op))
        ops.push_back(op);
    });
    std::optional<DelegatedExchange> exchange;
    if (*fabric && !ops.empty() &&
        failed(planExchange(*fabric, machine, exchange)))
      return failure();
    // Reasons are collected before anything changes.
    SmallVector<std::pair<RaggedPlanOp, std::string>> plans;
    module.walk([&](RaggedPlanOp plan) {
      plans.emplace_back(plan,
                         *fabric ? checkPlan(plan, *fabric, context) : reason);
    });
    routesAny |= routePlans(*fabric, plans, runs);
    IRRewriter rewriter(module.getContext(), &context.replication);
    for (CollectiveOpInterface op : ops) {
      std::string why = *fabric ? checkExchange(op, *fabric, context) : reason;
      if (!why.empty()) {
        moe::missed(op->getLoc(), getOptions(op)) << remark::reason("{0}", why);
        continue;
      }
      moe::passed(op->getLoc(), getOptions(op))
          << remark::add("goes through ranks at circuits' ends")
          << remark::metric("servers", exchange->servers)
          << remark::metric("ranks_on_a_server", exchange->places)
          << remark::metric("circuits", numCircuits)
          << remark::metric("pairs_with_circuits", pairsWithCircuits)
          << remark::metric("pairs",
                            exchange->servers * (exchange->servers - 1) / 2)
          << remark::metric(
                 "busiest_delegate",
                 double(exchange->busiest) /
                     double((exchange->servers - 1) * exchange->places));
      auto exchanged = cast<AllToAllOp>(op.getOperation());
      rewriter.setInsertionPoint(exchanged);
      rewriter.replaceOp(exchanged, buildDelegatedExchange(rewriter, exchanged,
                                                           *fabric, *exchange));
      routesAny = true;
    }
    if (isNew && !routesAny)
      fabric->erase();
    return success();
  }

  /// Equal blocks of all ranks of a region have the same demand for each pair.
  LogicalResult planExchange(ocs::FabricOp fabric, const cost::Machine &machine,
                             std::optional<DelegatedExchange> &exchange) {
    int64_t servers = fabric.getNumServers();
    fabric::Demand demand(servers);
    for (int64_t i = 0; i < servers; ++i)
      for (int64_t j = 0; j < servers; ++j)
        if (i != j)
          demand.at(i, j) = 1;
    auto plan = fabric::planCircuits({{demand, 1}}, ocs::getPorts(fabric));
    if (!plan)
      return fabric.emitError() << plan.getError();
    numCircuits = pairsWithCircuits = 0;
    for (int64_t i = 0; i < servers; ++i)
      for (int64_t j = 0; j < i; ++j) {
        numCircuits += plan->circuits.at(i, j);
        pairsWithCircuits += plan->circuits.at(i, j) > 0;
      }
    fabric::NicLayout layout;
    layout.opticalDegree = fabric.getOptical();
    layout.numaNodes = numaNodes;
    auto map = fabric::mapDelegates(plan->circuits, layout, fabric.getEps(),
                                    fabric.getServerRanks());
    if (!map)
      return fabric.emitError() << getArgument() << ": " << map.getError();
    exchange.emplace(*map);
    return success();
  }

  /// Returns why the exchanges by a plan cannot be routed; empty if they can.
  static std::string checkPlan(RaggedPlanOp plan, ocs::FabricOp fabric,
                               const RuleContext &context) {
    if (plan->getParentOfType<TaskOp>())
      return kScheduled;
    if (fabric.getServerRanks() == 1)
      return kOneRank;
    if (!context.canMeet(plan, plan.getGroup()))
      return "control flow around its plan varies over the group";
    return "";
  }

  /// Routes rows of uneven runs through delegates, and reports the result for
  /// each exchange; returns whether any was routed.
  bool routePlans(ocs::FabricOp fabric,
                  ArrayRef<std::pair<RaggedPlanOp, std::string>> plans,
                  ArrayRef<RaggedAllToAllOp> runs) {
    bool routesAny = false;
    // Exchanges that no longer exist.
    llvm::DenseSet<Operation *> told;
    for (auto [plan, why] : plans) {
      std::optional<DelegatedPlan> delegated;
      std::string reason = why;
      if (reason.empty())
        delegated = findDelegatedPlan(plan, fabric, numaNodes, reason);
      if (!delegated) {
        moe::missed(plan.getLoc(), getOptions(plan))
            << remark::reason("{0}", reason);
        continue;
      }
      for (PlannedExchange exchange : delegated->exchanges.get()) {
        told.insert(exchange.op);
        moe::passed(exchange.op.getLoc(), getOptions(exchange.op))
            << remark::add("rows go through ranks at the ends of circuits that "
                           "their counts ask for")
            << remark::metric("servers", fabric.getNumServers())
            << remark::metric("ranks_on_a_server", fabric.getServerRanks())
            << remark::metric("turns", delegated->turns);
      }
      routeRows(*delegated, fabric);
      routesAny = true;
    }
    for (RaggedAllToAllOp op : runs)
      if (!told.contains(op) &&
          !getLiveOut(op.getSendSizes()).getDefiningOp<RaggedPlanOp>())
        moe::missed(op.getLoc(), getOptions(op)) << remark::reason(
            "expected blocks of equal sizes, or rows by a moe.ragged_plan, got "
            "other runs");
    return routesAny;
  }

  /// Returns why an exchange cannot be routed; empty if it can.
  static std::string checkExchange(CollectiveOpInterface op,
                                   ocs::FabricOp fabric,
                                   const RuleContext &context) {
    if (op->getParentOfType<TaskOp>())
      return kScheduled;
    auto exchange = cast<AllToAllOp>(op.getOperation());
    if (fabric.getServerRanks() == 1)
      return kOneRank;
    auto group = getRankGroups(op, op.getGroup());
    auto region = getRankGroups(op, fabric.getRegionGroup());
    if (!group || !region)
      return group ? region.getError() : group.getError();
    if (!(*group == *region))
      return "expected a group of all ranks of a region, in their order, got "
             "other ones";
    if (exchange.getSplitDim() != 0 || exchange.getConcatDim() != 0)
      return "expected split and concat dims 0, got " +
             std::to_string(exchange.getSplitDim()) + " and " +
             std::to_string(exchange.getConcatDim());
    auto type = cast<RankedTensorType>(exchange.getType());
    if (!type.hasStaticShape() || type.getNumElements() == 0)
      return "expected a static shape with elements";
    if (!context.canMeet(op, op.getGroup()))
      return "control flow around it varies over the group";
    return "";
  }

  static constexpr const char *kScheduled =
      "expected an op that is not in a moe.task; run this before moe-schedule";
  static constexpr const char *kOneRank =
      "expected several ranks on a server, got one, which is its own delegate";

  int64_t numCircuits = 0, pairsWithCircuits = 0;
};

} // namespace

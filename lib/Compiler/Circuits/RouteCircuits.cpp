//===- RouteCircuits.cpp - moe-route-circuits -------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CircuitProgram.h"
#include "DelegatedExchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Compiler/CircuitPasses.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Fabric/Plan.h"
#include "moe/Transforms/FunctionRemarks.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Rules.h"
#include "moe/Transforms/SilentRemarks.h"

namespace moe {
#define GEN_PASS_DEF_ROUTECIRCUITS
#include "moe/Compiler/CircuitPasses.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct RouteCircuits : public moe::impl::RouteCircuitsBase<RouteCircuits> {
  using RouteCircuitsBase::RouteCircuitsBase;

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
    module.walk([&](CollectiveOpInterface op) {
      if (isAllToAll(op))
        ops.push_back(op);
    });
    std::optional<DelegatedExchange> exchange;
    if (*fabric && !ops.empty() &&
        failed(planExchange(*fabric, machine, exchange)))
      return failure();
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

  /// Equal blocks of all ranks of a region ask for as much of each pair.
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

  /// Why an exchange stays as it is; empty where it need not.
  static std::string checkExchange(CollectiveOpInterface op,
                                   ocs::FabricOp fabric,
                                   const RuleContext &context) {
    if (op->getParentOfType<TaskOp>())
      return "expected an op that is not in a moe.task; run this before "
             "moe-schedule";
    auto exchange = dyn_cast<AllToAllOp>(op.getOperation());
    if (!exchange)
      return "expected blocks of equal sizes, got rows of uneven runs, whose "
             "delegates are those of a plan at run time";
    if (fabric.getServerRanks() == 1)
      return "expected several ranks on a server, got one, which is its own "
             "delegate";
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

  int64_t numCircuits = 0, pairsWithCircuits = 0;
};

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules with circuits.

#include "CircuitProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "moe/Analysis/Replication.h"
#include "moe/Fabric/CircuitExchange.h"
#include "moe/Fabric/Plan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace moe;

DenseIntElementsAttr moe::getCircuitsAttr(Builder &builder,
                                          ArrayRef<fabric::Circuits> circuits) {
  bool isOne = llvm::all_equal(circuits);
  if (isOne)
    circuits = circuits.take_front();
  int64_t servers = circuits.front().getSize();
  SmallVector<int64_t> shape{servers, servers};
  if (!isOne)
    shape.insert(shape.begin(), circuits.size());
  SmallVector<int32_t> numbers;
  for (const fabric::Circuits &matrix : circuits)
    for (int64_t i = 0; i < servers; ++i)
      for (int64_t j = 0; j < servers; ++j)
        numbers.push_back(matrix.at(i, j));
  auto type = RankedTensorType::get(shape, builder.getI32Type());
  return DenseIntElementsAttr::get(type, ArrayRef(numbers));
}

Value moe::buildCircuits(OpBuilder &builder, Location loc,
                         ArrayRef<fabric::Circuits> circuits) {
  return arith::ConstantOp::create(builder, loc,
                                   getCircuitsAttr(builder, circuits));
}

Value moe::buildSynchronisation(OpBuilder &builder, Location loc,
                                ocs::FabricOp fabric, Value one) {
  return AllReduceOp::create(builder, loc, one.getType(), one,
                             fabric.getRegionGroup(), Reduction::Sum);
}

//===----------------------------------------------------------------------===//
// Reading a schedule
//===----------------------------------------------------------------------===//

namespace {

class Reader {
public:
  Reader(ScheduleOp schedule, ocs::FabricOp fabric,
         ScheduleEvaluator &evaluator, const CircuitSearch &search)
      : evaluator(evaluator), search(search) {
    program.schedule = schedule;
    program.fabric = fabric;
  }

  FailureOr<std::optional<CircuitProgram>> run(std::string &reason) {
    // This also collects the traffic.
    FailureOr<SimulatedSchedule> simulated =
        evaluator.simulate(program.schedule);
    if (failed(simulated))
      return failure();
    TimedSchedule &timed = simulated->schedule;
    program.step.graph = timed.graph;
    program.step.contention = timed.contention;
    program.tasks = timed.tasks;
    for (TaskOp task : timed.tasks)
      program.step.waitsOnHost.push_back(
          task.walk([](RaggedPlanOp) { return WalkResult::interrupt(); })
              .wasInterrupted());
    if (failed(findExchanges()))
      return failure();
    if (program.step.exchanges.empty()) {
      reason = "no all-to-all between servers of a region in a task of its own";
      return std::optional<CircuitProgram>();
    }
    if (failed(planConfigs()) || failed(timeConfigs()) ||
        failed(timeSynchronisation()))
      return failure();
    setChoices();
    // At run time, only the best planner plans, for one layer at a time.
    if (search.planner == CircuitPlanner::Best && search.layersAPlan == 1 &&
        failed(findLayerCounts(program)))
      return failure();
    if (search.asksRuns)
      askByCounts(program);
    return std::optional<CircuitProgram>(std::move(program));
  }

private:
  using Family = std::tuple<StringRef, StringRef, Phase>;

  /// Returns the all-to-all of a task if its group spans several servers but
  /// only one region.
  CollectiveOpInterface findCrossing(TaskOp task) {
    CollectiveOpInterface op = findExchange(task);
    MeshAxes axes(program.fabric->getParentOp());
    std::optional<uint64_t> bits =
        op ? axes.getBits(op.getGroup()) : std::nullopt;
    if (!bits || (*bits & ~program.fabric.getRegionBits()) != 0)
      return {};
    MeshOp mesh = program.fabric.lookupMesh();
    for (StringAttr axis : program.fabric.getRegion().getAsRange<StringAttr>())
      if (*bits & (uint64_t(1) << *mesh.getAxisIndex(axis.getValue())))
        return op;
    return {};
  }

  LogicalResult findExchanges() {
    int64_t serverRanks = program.fabric.getServerRanks();
    llvm::MapVector<Family, SmallVector<schedule::TaskId>> families;
    for (auto [id, task] : llvm::enumerate(program.tasks)) {
      CollectiveOpInterface op = findCrossing(task);
      if (!op)
        continue;
      families[{task.getName(), task.getLayer(), task.getPhase()}].push_back(
          id);
      auto traffic = evaluator.getTimer().getTraffic(
          cast<ExchangeOpInterface>(op.getOperation()));
      if (failed(traffic))
        return failure();
      for (const TrafficStage &stage : traffic->stages) {
        cost::Result<cost::RankGroups> groups = getRankGroups(op, stage.group);
        if (!groups)
          return op->emitOpError() << groups.getError();
        auto demand =
            fabric::getServerDemand(*groups, stage.traffic, serverRanks);
        if (!demand)
          return op->emitOpError() << demand.getError();
        addDemand(task.getLayer(), *demand);
      }
    }
    for (auto &[family, ids] : families) {
      auto &exchanges = program.step.exchanges;
      // Alternating chunks of a dispatch and a combine count as one exchange.
      bool joins =
          !exchanges.empty() && exchanges.back().tasks.back() > ids.front();
      if (!joins)
        exchanges.emplace_back();
      llvm::append_range(exchanges.back().tasks, ids);
      llvm::sort(exchanges.back().tasks);
    }
    for (schedule::CircuitExchange &exchange : program.step.exchanges)
      for (schedule::TaskId id : exchange.tasks)
        exchange.packetsUs.push_back(program.step.graph.getTask(id).durationUs);
    return success();
  }

  /// Adds the demand between servers of each region to the layer's demand.
  void addDemand(StringRef layer, const fabric::Demand &all) {
    ocs::FabricOp fabric = program.fabric;
    int64_t servers = fabric.getNumServers(),
            serverRanks = fabric.getServerRanks();
    auto [it, isNew] = demands.insert({layer, {}});
    if (isNew)
      it->second.assign(fabric.getNumRegions(), fabric::Demand(servers));
    for (int64_t i = 0; i < all.getSize(); ++i)
      for (int64_t j = 0; j < all.getSize(); ++j) {
        auto from = fabric.getPlace(i * serverRanks),
             to = fabric.getPlace(j * serverRanks);
        // A layer's exchanges have the same demand, possibly reversed.
        if (from.region == to.region)
          it->second[from.region].at(from.server, to.server) += all.at(i, j);
      }
  }

  static fabric::Demand
  addUp(const std::vector<fabric::WeightedDemand> &demands) {
    fabric::Demand sum = demands.front().demand;
    for (const auto &[more, weight] : ArrayRef(demands).drop_front())
      for (int64_t i = 0; i < sum.getSize(); ++i)
        for (int64_t j = 0; j < sum.getSize(); ++j)
          sum.at(i, j) += more.at(i, j);
    return sum;
  }

  LogicalResult plan(ArrayRef<const std::vector<fabric::Demand> *> wanted,
                     SmallVector<fabric::Circuits> &circuits) {
    fabric::Ports ports = ocs::getPorts(program.fabric);
    for (int64_t r = 0; r < program.fabric.getNumRegions(); ++r) {
      std::vector<fabric::WeightedDemand> ofRegion;
      for (const auto *demand : wanted)
        ofRegion.push_back({(*demand)[r], 1});
      if (search.planner == CircuitPlanner::Printed) {
        circuits.push_back(fabric::planAsPrinted(addUp(ofRegion), ports));
        continue;
      }
      fabric::PlanOptions options;
      if (search.planner == CircuitPlanner::Greedy)
        options.effort = fabric::Effort::Greedy;
      auto planned = fabric::planCircuits(ofRegion, ports, options);
      if (!planned)
        return program.schedule.emitOpError() << planned.getError();
      circuits.push_back(planned->circuits);
    }
    return success();
  }

  schedule::ConfigId addConfig(SmallVector<fabric::Circuits> circuits) {
    auto it = llvm::find(program.configs, circuits);
    if (it == program.configs.end())
      it = program.configs.insert(it, std::move(circuits));
    return it - program.configs.begin();
  }

  LogicalResult planConfigs() {
    SmallVector<const std::vector<fabric::Demand> *> all;
    for (auto &[layer, demand] : demands)
      all.push_back(&demand);
    // Consecutive layers share a plan; the last plan may have fewer.
    for (size_t first = 0; first < all.size(); first += search.layersAPlan) {
      size_t count = std::min<size_t>(search.layersAPlan, all.size() - first);
      SmallVector<fabric::Circuits> circuits;
      if (failed(plan(ArrayRef(all).slice(first, count), circuits)))
        return failure();
      schedule::ConfigId config = addConfig(std::move(circuits));
      for (size_t i = first; i < first + count; ++i)
        program.configOf[(demands.begin() + i)->first] = config;
    }
    SmallVector<fabric::Circuits> joint;
    if (failed(plan(all, joint)))
      return failure();
    jointConfig = addConfig(std::move(joint));
    const cost::Circuits &machine = *evaluator.getMachine().circuits;
    SmallVector<fabric::Circuits> dark(
        program.fabric.getNumRegions(),
        fabric::Circuits(program.fabric.getNumServers()));
    // Without a packet network, dark ports carry nothing.
    if (search.asksRuns && program.fabric.getEps() > 0)
      program.step.dark = addConfig(dark);
    auto addRow = [&](ArrayRef<fabric::Circuits> from) {
      auto &row = program.step.changeUs.emplace_back();
      for (const auto &to : program.configs)
        row.push_back(ocs::getChangeTime(machine, from, to).value());
    };
    for (const auto &from : program.configs)
      addRow(from);
    addRow(dark);
    return success();
  }

  /// Times all exchanges with each configuration.
  LogicalResult timeConfigs() {
    for (const auto &circuits : program.configs) {
      OpBuilder builder(program.schedule);
      SmallVector<Operation *> added;
      llvm::scope_exit erase([&] {
        for (Operation *op : llvm::reverse(added))
          op->erase();
      });
      Value value = buildCircuits(builder, program.schedule.getLoc(), circuits);
      added.push_back(value.getDefiningOp());
      for (const schedule::CircuitExchange &exchange : program.step.exchanges)
        for (schedule::TaskId id : exchange.tasks) {
          TaskOp task = program.tasks[id];
          builder.setInsertionPointToStart(&task.getBody().front());
          added.push_back(ocs::RouteOp::create(
              builder, task.getLoc(), program.fabric.getSymName(), value));
        }
      for (schedule::CircuitExchange &exchange : program.step.exchanges) {
        auto &times = exchange.circuitsUs.emplace_back();
        for (schedule::TaskId id : exchange.tasks) {
          FailureOr<double> us =
              getTaskUs(program.tasks[id], evaluator.getTimer());
          if (failed(us))
            return failure();
          times.push_back(*us);
        }
      }
    }
    return success();
  }

  LogicalResult timeSynchronisation() {
    OpBuilder builder(program.schedule);
    Location loc = program.schedule.getLoc();
    auto type = RankedTensorType::get({1}, builder.getI32Type());
    auto one = arith::ConstantOp::create(
        builder, loc, DenseIntElementsAttr::get(type, ArrayRef<int32_t>(1)));
    Operation *op =
        buildSynchronisation(builder, loc, program.fabric, one).getDefiningOp();
    FailureOr<cost::Microseconds> time = evaluator.getTimer().getTime(op);
    op->erase();
    one.erase();
    if (failed(time))
      return failure();
    program.step.synchronisationUs = time->value();
    program.step.synchronisationResource =
        program.step.graph.getTask(program.step.exchanges.front().tasks.front())
            .resource;
    return success();
  }

  /// Returns the tasks that a task reads or waits for.
  SmallVector<schedule::TaskId> getMakers(schedule::TaskId id) {
    SmallVector<schedule::TaskId> makers;
    program.tasks[id]->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto maker = operand.getDefiningOp<TaskOp>())
          if (const auto *it = llvm::find(program.tasks, maker);
              it != program.tasks.end())
            makers.push_back(it - program.tasks.begin());
    });
    llvm::sort(makers);
    makers.erase(llvm::unique(makers), makers.end());
    return makers;
  }

  /// Sets the permitted changes of each exchange, and the tasks that determine
  /// its demand.
  void setChoices() {
    llvm::DenseMap<StringRef, SmallVector<schedule::TaskId>> gates;
    for (schedule::CircuitExchange &exchange : program.step.exchanges) {
      schedule::TaskId first = exchange.tasks.front();
      TaskOp task = program.tasks[first];
      bool isFirst =
          task.getPhase() == Phase::Forward && !gates.contains(task.getLayer());
      if (isFirst)
        gates[task.getLayer()] = getMakers(first);
      if (isFirst && search.policy == CircuitPolicy::Keep)
        continue;
      exchange.choices = {program.configOf.lookup(task.getLayer())};
      if (exchange.choices.front() != jointConfig)
        exchange.choices.push_back(jointConfig);
      if (search.policy == CircuitPolicy::Predict)
        continue;
      auto &known = gates[task.getLayer()];
      exchange.known.assign(known.begin(), known.end());
    }
  }

  ScheduleEvaluator &evaluator;
  const CircuitSearch &search;
  CircuitProgram program;
  /// Demands by layer, and then by region.
  llvm::MapVector<StringRef, std::vector<fabric::Demand>> demands;
  schedule::ConfigId jointConfig = 0;
};

} // namespace

FailureOr<std::optional<CircuitProgram>>
moe::readCircuitProgram(ScheduleOp schedule, ocs::FabricOp fabric,
                        ScheduleEvaluator &evaluator,
                        const CircuitSearch &search, std::string &reason) {
  return Reader(schedule, fabric, evaluator, search).run(reason);
}

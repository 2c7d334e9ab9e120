// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuit changes as tasks.

#include "CircuitProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace moe;

namespace {

class Writer {
public:
  Writer(CircuitProgram &program, const schedule::CircuitDecisions &decisions,
         const schedule::CircuitTimeline &timeline, StreamOp stream)
      : program(program), timeline(timeline),
        changes(*findChanges(program.step, decisions)),
        configs(findConfigs(program.step, decisions)), stream(stream),
        builder(program.schedule) {}

  void run() {
    auto type = RankedTensorType::get({1}, builder.getI32Type());
    if (!changes.empty())
      one = arith::ConstantOp::create(
          builder, program.schedule.getLoc(),
          DenseIntElementsAttr::get(type, ArrayRef<int32_t>(1)));
    addChanges();
    addRoutes();
  }

private:
  Value getCircuits(schedule::ConfigId config) {
    Value &value = circuits[config];
    if (!value) {
      OpBuilder outside(program.schedule);
      value = buildCircuits(outside, program.schedule.getLoc(),
                            program.configs[config]);
    }
    return value;
  }

  /// Adds a task for the exchange after a change; the task returns the results
  /// of its body.
  TaskOp addTask(const schedule::CircuitChange &change, StringRef what,
                 StringRef onStream, ArrayRef<Value> after, TypeRange types,
                 function_ref<SmallVector<Value>()> body) {
    TaskOp user = program.getTask(change.exchange);
    std::string name = (what + "." + user.getName()).str();
    auto task = TaskOp::create(builder, user.getLoc(), types,
                               TokenType::get(builder.getContext()), onStream,
                               name, /*chunk=*/0, /*chunks=*/1, user.getLayer(),
                               user.getPhase(), after);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&task.getBody());
    YieldOp::create(builder, user.getLoc(), body());
    return task;
  }

  void addSynchronisation(const schedule::CircuitChange &change) {
    TaskOp user = program.getTask(change.exchange);
    SmallVector<Value> after;
    for (schedule::TaskId id : change.lastUses)
      if (TaskOp use = program.tasks[id]; use.getStream() != user.getStream())
        after.push_back(use.getToken());
    // The task returns its result because an unused result would be removed.
    quiet.push_back(
        addTask(change, "quiet", user.getStream(), after, one.getType(), [&] {
          return SmallVector<Value>{buildSynchronisation(builder, user.getLoc(),
                                                         program.fabric, one)};
        }));
  }

  /// Finds the layers with counts that determine a change: first the layer of
  /// the following exchange, then other layers with exchanges over the same
  /// circuits and with compatible counts.
  SmallVector<StringRef> findServed(size_t number) {
    SmallVector<StringRef> layers{
        program.getTask(changes[number].exchange).getLayer()};
    const LayerCounts &own = program.countsOf.find(layers.front())->second;
    forEachUse(number, [&](TaskOp task) {
      auto counts = program.countsOf.find(task.getLayer());
      if (counts != program.countsOf.end() && counts->second.addsUpWith(own) &&
          !llvm::is_contained(layers, task.getLayer()))
        layers.push_back(task.getLayer());
    });
    return layers;
  }

  LayerCounts join(ArrayRef<StringRef> layers) {
    LayerCounts joined;
    for (StringRef layer : layers) {
      const LayerCounts &own = program.countsOf.find(layer)->second;
      joined.counts.insert_range(own.counts);
      joined.bytes = own.bytes;
    }
    return joined;
  }

  static TaskOp findLast(const LayerCounts &counts) {
    TaskOp last;
    for (Value value : counts.counts) {
      SmallVector<Operation *> moved;
      TaskOp maker = findCountingTask(value, moved);
      if (!last || last->isBeforeInBlock(maker))
        last = maker;
    }
    return last;
  }

  /// Returns the circuits of a change: planned at run time if the layer's
  /// counts are available by then, as they are if the change asks the run,
  /// otherwise the circuits of the configuration.
  Value getCircuits(size_t number) {
    const schedule::CircuitChange &change = changes[number];
    StringRef layer = program.getTask(change.exchange).getLayer();
    if (!program.countsOf.contains(layer) ||
        (!change.asks && program.configOf.lookup(layer) != change.config))
      return getCircuits(change.config);
    SmallVector<StringRef> served = findServed(number), known, later;
    for (StringRef each : served)
      (isKnown(change, findLast(join(each))) ? known : later).push_back(each);
    if (!llvm::is_contained(known, layer))
      return addPrediction(number, served);
    Value &plan = plans[{getKey(known), getKey(later), change.config}];
    if (!plan)
      plan = addPlan(change, known, later);
    return plan;
  }

  /// Returns true if the host knows the counts made by tasks up to `last` when
  /// it reaches a change, because the change waits for them anyway or because
  /// the host has waited for them.
  bool isKnown(const schedule::CircuitChange &change, TaskOp last) {
    Operation *here = &*builder.getInsertionPoint();
    if (!last->isBeforeInBlock(here))
      return false;
    StringRef layer = program.getTask(change.exchange).getLayer();
    if (last.getLayer() == layer &&
        !program.step.exchanges[change.exchange].known.empty())
      return true;
    for (auto [id, task] : llvm::enumerate(program.tasks))
      if (program.step.waitsOnHost[id] && last->isBeforeInBlock(task) &&
          task->isBeforeInBlock(here))
        return true;
    return false;
  }

  /// Returns the key that stores the demand of layers.
  static std::string getKey(ArrayRef<StringRef> layers) {
    return llvm::join(layers, "+");
  }

  /// Plans circuits directly after the counts; layers that are not counted yet
  /// use their last demand. The host plans concurrently with the stream of the
  /// counts.
  Value addPlan(const schedule::CircuitChange &change,
                ArrayRef<StringRef> known, ArrayRef<StringRef> later) {
    LayerCounts counts = join(known);
    TaskOp last = findLast(counts);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(last);
    int64_t servers = program.fabric.getNumServers();
    SmallVector<int64_t> shape{servers, servers};
    auto type = RankedTensorType::get(shape, builder.getI32Type());
    Location loc = last.getLoc();
    StringRef fabric = program.fabric.getSymName();
    TaskOp task = addTask(change, "plan", last.getStream(), {}, type, [&] {
      Value demand = addDemand(loc, counts);
      if (!later.empty()) {
        size_t all = known.size() + later.size();
        demand = ocs::RecallOp::create(builder, loc, demand.getType(), fabric,
                                       getKey(later), demand,
                                       llvm::divideNearest(all, known.size()));
      }
      return SmallVector<Value>{ocs::PlanOp::create(
          builder, loc, type, fabric, demand,
          getCircuitsAttr(builder, program.configs[change.config]))};
    });
    if (!later.empty())
      addNote(change, later);
    return task.getValues().front();
  }

  /// Returns counts by rank and expert, summed over ranks that join their rows.
  Value addUp(Location loc, Value counts) {
    auto type = cast<RankedTensorType>(counts.getType());
    if (type.getRank() == 2)
      return counts;
    auto own = RankedTensorType::get(type.getShape().drop_front(),
                                     type.getElementType());
    SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0)),
        strides(3, builder.getIndexAttr(1)),
        sizes{builder.getIndexAttr(1), builder.getIndexAttr(own.getDimSize(0)),
              builder.getIndexAttr(own.getDimSize(1))};
    Value sum;
    for (int64_t i = 0; i < type.getDimSize(0); ++i) {
      offsets[0] = builder.getIndexAttr(i);
      Value one = tensor::ExtractSliceOp::create(builder, loc, own, counts,
                                                 offsets, sizes, strides);
      sum = sum ? arith::AddIOp::create(builder, loc, sum, one) : one;
    }
    return sum;
  }

  /// Computes the demand between servers from the counts of all chunks.
  Value addDemand(Location loc, const LayerCounts &counts) {
    int64_t servers = program.fabric.getNumServers();
    SmallVector<int64_t> shape{servers, servers};
    Value all;
    for (Value own : counts.counts) {
      SmallVector<Operation *> moved;
      findCountingTask(own, moved);
      IRMapping parts;
      for (Operation *op : moved)
        builder.clone(*op, parts);
      Value part = addUp(loc, parts.lookupOrDefault(own));
      all = all ? arith::AddIOp::create(builder, loc, all, part) : part;
    }
    return ocs::DemandOp::create(
        builder, loc, RankedTensorType::get(shape, builder.getI64Type()),
        program.fabric.getSymName(), all, counts.bytes);
  }

  /// Predicts circuits from the demand of the layers' last run. The first run
  /// uses the circuits of the configuration. This only waits for quiet ports.
  Value addPrediction(size_t number, ArrayRef<StringRef> layers) {
    const schedule::CircuitChange &change = changes[number];
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(quiet[number]);
    Value otherwise = getCircuits(change.config);
    TaskOp user = program.getTask(change.exchange);
    TaskOp task = addTask(
        change, "predict", user.getStream(), {}, otherwise.getType(), [&] {
          return SmallVector<Value>{ocs::PredictOp::create(
              builder, user.getLoc(), otherwise.getType(),
              program.fabric.getSymName(), getKey(layers), otherwise)};
        });
    addNote(change, layers);
    return task.getValues().front();
  }

  /// Stores the demand of layers as soon as all of it is known.
  void addNote(const schedule::CircuitChange &change,
               ArrayRef<StringRef> layers) {
    std::string key = getKey(layers);
    if (!noted.insert(key).second)
      return;
    LayerCounts counts = join(layers);
    TaskOp user = program.getTask(change.exchange), last = findLast(counts);
    Location loc = user.getLoc();
    OpBuilder::InsertionGuard guard(builder);
    // The host waits for the counts there anyway, because it plans the
    // exchange.
    if (last->isBeforeInBlock(user))
      builder.setInsertionPoint(user);
    else
      builder.setInsertionPointAfter(last);
    // This is a separate task, because the host performs circuit operations
    // before the other ops of a task.
    int64_t servers = program.fabric.getNumServers();
    SmallVector<int64_t> shape{servers, servers};
    auto type = RankedTensorType::get(shape, builder.getI64Type());
    TaskOp made = addTask(change, "demand", user.getStream(), {}, type, [&] {
      return SmallVector<Value>{addDemand(loc, counts)};
    });
    Value demand = made.getValues().front();
    addTask(change, "note", user.getStream(), {}, {}, [&] {
      ocs::NoteOp::create(builder, loc, program.fabric.getSymName(), key,
                          demand);
      return SmallVector<Value>();
    });
  }

  /// Visits the tasks that use the circuits of a change.
  void forEachUse(size_t change, function_ref<void(TaskOp)> visit) {
    size_t end = change + 1 < changes.size() ? changes[change + 1].exchange
                                             : configs.size();
    for (size_t e = changes[change].exchange; e < end; ++e)
      if (configs[e])
        for (schedule::TaskId id : program.step.exchanges[e].tasks)
          visit(program.tasks[id]);
  }

  /// Returns the number of exchanges over the circuits of a change, where
  /// chunks count once; if the demand covers several layers, the number per
  /// layer.
  double countExchanges(size_t change) {
    llvm::DenseSet<std::tuple<StringRef, StringRef, Phase>> seen;
    forEachUse(change, [&](TaskOp task) {
      seen.insert({task.getName(), task.getLayer(), task.getPhase()});
    });
    return double(seen.size()) / double(findServed(change).size());
  }

  void addStart(size_t number, TaskOp synchronised) {
    const schedule::CircuitChange &change = changes[number];
    SmallVector<Value> after{synchronised.getToken()};
    for (schedule::TaskId id : program.step.exchanges[change.exchange].known)
      after.push_back(TaskOp(program.tasks[id]).getToken());
    Value value = getCircuits(number);
    changed.push_back(value);
    addTask(change, "reconfigure", stream.getSymName(), after, {}, [&] {
      auto op = ocs::ReconfigureOp::create(builder, program.schedule.getLoc(),
                                           program.fabric.getSymName(), value,
                                           FloatAttr(), FloatAttr());
      if (ocs::getPlan(value) || ocs::getPrediction(value)) {
        const auto &when = timeline.changes[number];
        op.setExchanges(APFloat(countExchanges(number)));
        op.setSlackUs(APFloat(std::max(0.0, when.readyUs - when.startUs)));
      }
      return SmallVector<Value>();
    });
  }

  /// Adds changes in the order of the planner.
  void addChanges() {
    size_t start = 0, wait = 0;
    for (schedule::TaskId id = 0; id < program.tasks.size(); ++id) {
      builder.setInsertionPoint(program.tasks[id]);
      while (quiet.size() < changes.size() &&
             changes[quiet.size()].synchroniseBefore == id)
        addSynchronisation(changes[quiet.size()]);
      while (true) {
        bool adds = false;
        if (start < quiet.size() && changes[start].startBefore == id) {
          addStart(start, quiet[start]);
          ++start;
          adds = true;
        }
        if (wait < start && changes[wait].waitBefore == id) {
          waits.push_back(
              addTask(changes[wait], "await", stream.getSymName(), {}, {}, [&] {
                ocs::AwaitOp::create(builder, program.schedule.getLoc(),
                                     program.fabric.getSymName());
                return SmallVector<Value>();
              }));
          ++wait;
          adds = true;
        }
        if (!adds)
          break;
      }
    }
  }

  /// Lets tasks after a change wait for it; the first one on each stream
  /// depends on its token.
  void addRoutes() {
    std::optional<size_t> change;
    llvm::DenseSet<StringRef> seen;
    for (auto [e, exchange] : llvm::enumerate(program.step.exchanges)) {
      size_t next = change ? *change + 1 : 0;
      if (next < changes.size() && changes[next].exchange == e) {
        change = next;
        seen.clear();
      }
      if (!configs[e])
        continue;
      for (schedule::TaskId id : exchange.tasks) {
        TaskOp task = program.tasks[id];
        builder.setInsertionPointToStart(&task.getBody().front());
        ocs::RouteOp::create(builder, task.getLoc(),
                             program.fabric.getSymName(), changed[*change]);
        if (seen.insert(task.getStream()).second)
          task.getAfterMutable().append(waits[*change].getToken());
      }
    }
  }

  CircuitProgram &program;
  const schedule::CircuitTimeline &timeline;
  std::vector<schedule::CircuitChange> changes;
  std::vector<std::optional<schedule::ConfigId>> configs;
  StreamOp stream;
  OpBuilder builder;
  Value one;
  llvm::DenseMap<schedule::ConfigId, Value> circuits;
  /// Plans at run time, by the counted layers, the layers that are not counted
  /// yet, and the expected configuration.
  std::map<std::tuple<std::string, std::string, schedule::ConfigId>, Value>
      plans;
  /// Keys of stored demands.
  llvm::StringSet<> noted;
  /// By change: its circuits, and the tasks before and after it.
  SmallVector<Value> changed;
  SmallVector<TaskOp> quiet, waits;
};
} // namespace

void moe::writeCircuits(CircuitProgram &program,
                        const schedule::CircuitDecisions &decisions,
                        const schedule::CircuitTimeline &timeline,
                        StreamOp stream) {
  Writer(program, decisions, timeline, stream).run();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of circuits as tasks.

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

  /// A task for the exchange behind a change, which hands out what its body
  /// makes.
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
    // It hands out what it makes: what nobody could read would be removed.
    quiet.push_back(
        addTask(change, "quiet", user.getStream(), after, one.getType(), [&] {
          return SmallVector<Value>{buildSynchronisation(builder, user.getLoc(),
                                                         program.fabric, one)};
        }));
  }

  /// Layers whose counts say what a change is for: that of the exchange behind
  /// it first, then others whose exchanges go over its circuits, too, and whose
  /// counts add up with its.
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

  /// The counts of several layers.
  LayerCounts join(ArrayRef<StringRef> layers) {
    LayerCounts joined;
    for (StringRef layer : layers) {
      const LayerCounts &own = program.countsOf.find(layer)->second;
      joined.counts.insert_range(own.counts);
      joined.bytes = own.bytes;
    }
    return joined;
  }

  /// The last task that makes some.
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

  /// The circuits of a change: planned at run time where the layer's counts are
  /// there by then, else those of the configuration. Where the run is asked
  /// they are.
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

  /// Whether the host has counts, whose last task this is, when it comes to a
  /// change: as the change waits for them anyway, or it has waited for them.
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

  /// What the demand of layers is noted as.
  static std::string getKey(ArrayRef<StringRef> layers) {
    return llvm::join(layers, "+");
  }

  /// Plans circuits right behind the counts, of layers that are not counted yet
  /// for what they sent last. The host does it, beside the stream that makes
  /// them.
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

  /// Counts by rank and expert, of ranks that join their rows the sum.
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

  /// What servers send, by the counts of all pieces.
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

  /// Circuits for what was sent when the layers ran last. The first run has
  /// those of the configuration. Nothing but quiet ports is waited for.
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

  /// Notes what layers send when all of it is known.
  void addNote(const schedule::CircuitChange &change,
               ArrayRef<StringRef> layers) {
    std::string key = getKey(layers);
    if (!noted.insert(key).second)
      return;
    LayerCounts counts = join(layers);
    TaskOp user = program.getTask(change.exchange), last = findLast(counts);
    Location loc = user.getLoc();
    OpBuilder::InsertionGuard guard(builder);
    // The host waits for counts there anyway, for its plan of the exchange.
    if (last->isBeforeInBlock(user))
      builder.setInsertionPoint(user);
    else
      builder.setInsertionPointAfter(last);
    // A task of its own: the host works on circuits before it turns to what
    // else is in a task.
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

  /// Visits the tasks that go over the circuits of a change.
  void forEachUse(size_t change, function_ref<void(TaskOp)> visit) {
    size_t end = change + 1 < changes.size() ? changes[change + 1].exchange
                                             : configs.size();
    for (size_t e = changes[change].exchange; e < end; ++e)
      if (configs[e])
        for (schedule::TaskId id : program.step.exchanges[e].tasks)
          visit(program.tasks[id]);
  }

  /// How many exchanges go over the circuits of a change, chunks of one
  /// counted once; of a demand of several layers, how many of all of them.
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

  /// In the order in which the planner counts them.
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

  /// Tasks behind a change wait for it, the first on each stream by its token.
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
  /// Planned at run time, by the layers that are counted and those that are
  /// not yet, and what is expected.
  std::map<std::tuple<std::string, std::string, schedule::ConfigId>, Value>
      plans;
  /// What is noted.
  llvm::StringSet<> noted;
  /// By change: its circuits, and the tasks before and behind it.
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

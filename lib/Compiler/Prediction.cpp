// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prediction of a program's times.

#include "moe/Compiler/Prediction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/Extrapolation.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/Text/Communication.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "moe/Schedule/CumulativeBound.h"
#include "moe/Schedule/EdgeFinding.h"
#include "moe/Schedule/Resources.h"
#include "moe/Transforms/ScheduleFunction.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

/// Returns the function to simulate; emits an error and returns null if there
/// is none or the choice is ambiguous.
static func::FuncOp findEntry(ModuleOp module, StringRef name) {
  if (!name.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      emitError(module.getLoc())
          << "expected a function @" << name << ", got none";
    return function;
  }
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool communicates = false;
    function.walk([&](Operation *op) {
      communicates |=
          isa<CollectiveOpInterface>(op) || !getUnreadCommunication(op).empty();
    });
    if (communicates)
      candidates.push_back(function);
  }
  if (candidates.size() == 1)
    return candidates.front();
  InFlightDiagnostic diag = emitError(module.getLoc())
                            << "expected @main or one function with "
                               "collectives, got "
                            << candidates.size();
  for (func::FuncOp candidate : candidates)
    diag.attachNote(candidate.getLoc())
        << "choose it with --entry=" << candidate.getSymName();
  return {};
}

static bool communicates(func::FuncOp function) {
  return function
      .walk([](CollectiveOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Rejects a program that is lowered to host code, because its tasks are calls.
static LogicalResult checkIsNotLowered(ModuleOp module) {
  CompilePhase phase = findPhase(module);
  if (phase <= CompilePhase::Schedule)
    return success();
  // Other functions may still have a schedule, or may get one.
  for (auto function : module.getOps<func::FuncOp>())
    if (findSchedule(function) || communicates(function))
      return success();
  InFlightDiagnostic diag =
      emitError(module.getLoc())
      << "expected a program of phase " << getEnumName(CompilePhase::Schedule)
      << " or earlier, got one of phase " << getEnumName(phase);
  diag.attachNote(module.getLoc())
      << "simulate the program that moe-opt --moe-compile=to=schedule makes";
  return diag;
}

/// Returns the schedule of a function; schedules it if necessary.
static FailureOr<ScheduleOp> getSchedule(func::FuncOp function) {
  if (ScheduleOp schedule = findSchedule(function))
    return schedule;
  if (function.isExternal())
    return function.emitError()
           << "@" << function.getSymName()
           << ": expected a function with a body, got a declaration";
  // Compilation may merge blocks, after which the reason is no longer visible
  // in the function.
  std::string ofBlocks;
  if (!function.getBody().hasOneBlock())
    ofBlocks = explainUnscheduled(function);
  // Keeps the function even if other functions call it.
  function.setPublic();
  // Uses the same phases as moe-run; other functions may already have a
  // schedule.
  auto module = function->getParentOfType<ModuleOp>();
  CompileOptions options;
  options.from = CompilePhase::Schedule;
  options.circuits = CircuitUse::Off;
  if (failed(findPhase(module) < CompilePhase::Schedule
                 ? resumeCompilation(module, CompilePhase::Schedule)
                 : compileTo(module, CompilePhase::Schedule, options)))
    return failure();
  if (ScheduleOp schedule = findSchedule(function))
    return schedule;
  // Lists other functions with a schedule, for example bodies that frontends
  // outlined.
  std::string others;
  for (auto other : module.getOps<func::FuncOp>())
    if (other != function && findSchedule(other))
      others += (others.empty() ? " @" : ", @") + other.getSymName().str();
  std::string reason = explainUnscheduled(function);
  if (reason.empty())
    reason = ofBlocks.empty() ? "moe-schedule left it as it is" : ofBlocks;
  InFlightDiagnostic diag = emitError(function.getLoc())
                            << "cannot schedule @" << function.getSymName()
                            << ": " << reason;
  if (!others.empty())
    diag.attachNote(function.getLoc())
        << "--entry=NAME selects another function:" << others;
  return diag;
}

/// Rejects a function of global tensors that calls one of local tensors, as JAX
/// writes `shard_map`, because predictions are for the tensors of one rank.
static LogicalResult checkIsLocal(func::FuncOp function) {
  Operation *boundary = nullptr;
  SmallVector<StringRef> local;
  auto note = [&](Operation *op, StringRef body) {
    boundary = boundary ? boundary : op;
    if (!body.empty() && !llvm::is_contained(local, body))
      local.push_back(body);
  };
  function.walk([&](Operation *op) {
    auto target = dyn_cast_or_null<StringAttr>(op->getAttr("call_target_name"));
    if (auto body = op->getAttrOfType<StringAttr>(kShardyBodyAttr))
      note(op, body);
    else if (target && target.getValue() == "SPMDFullToShardShape")
      for (Operation *user : op->getUsers())
        if (auto call = dyn_cast<func::CallOp>(user))
          note(op, call.getCallee());
  });
  if (!boundary)
    return success();
  InFlightDiagnostic diag =
      boundary->emitError()
      << "cannot be simulated: @" << function.getSymName()
      << " is a program of global tensors; predictions require the local "
         "tensors of one rank";
  if (!local.empty())
    diag.attachNote(function.getLoc())
        << "--entry=NAME selects a function of local tensors: @"
        << llvm::join(local, ", @");
  return diag;
}

/// Rejects a function with communication of unknown time, because the
/// prediction would be too short.
static LogicalResult checkCommunication(func::FuncOp function) {
  // Includes all functions that it calls.
  llvm::SetVector<Operation *> run;
  run.insert(function);
  Operation *unread = nullptr;
  for (size_t i = 0; i < run.size() && !unread; ++i) {
    unread = findUntimedCommunication(run[i]);
    Operation *caller = run[i];
    caller->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallable())
        run.insert(callee);
    });
  }
  if (!unread)
    return success();
  InFlightDiagnostic diag = unread->emitError()
                            << "cannot be simulated: '"
                            << getUnreadCommunication(unread)
                            << "' is communication that is not read";
  diag.attachNote(unread->getLoc())
      << "convert-stablehlo-to-moe and convert-torch-to-moe read it, or warn "
         "with the reason; to simulate it as it is, state its time in "
         "microseconds, {"
      << kStatedTimeAttrName << " = 1.0 : f64}";
  return diag;
}

bool moe::isTimedByLevels(const CollectiveVolume &volume) {
  if (!volume.bytes || isa<CostOpInterface>(volume.op))
    return false;
  for (Operation *op = volume.op; op && !isa<TaskOp>(op);
       op = op->getParentOp())
    if (getStatedTimeUs(op))
      return false;
  return true;
}

/// Describes the distance of a stage of an exchange from the measured range of
/// the machine.
static std::string describeOutside(Operation *op, const TrafficStage &stage,
                                   const cost::Machine &machine) {
  cost::Result<cost::RankGroups> groups = getRankGroups(op, stage.group);
  if (!groups)
    return "";
  auto kind = cost::CollectiveKind::AllToAll;
  std::optional<cost::Bytes> buffer;
  if (auto *blocks = std::get_if<cost::BlockExchange>(&stage.traffic)) {
    kind = blocks->kind;
    buffer = cost::Bytes(double(blocks->buffer));
  }
  return cost::describeExtrapolation(machine, *groups, kind, buffer);
}

static FailureOr<std::vector<TaskExchange>>
findExchanges(func::FuncOp function, const TimedSchedule &schedule,
              OpTimer &timer) {
  llvm::DenseMap<Operation *, size_t> places;
  for (auto [i, task] : llvm::enumerate(schedule.tasks))
    places[task] = i;
  std::vector<TaskExchange> exchanges;
  Operation *known = nullptr;
  SmallVector<StageCost> stages;
  SmallVector<std::vector<cost::PairLoad>> loads;
  OpTraffic sent;
  size_t stage = 0;
  // The stages of an op are consecutive.
  for (CollectiveVolume &volume : computeVolumes(function)) {
    Operation *op = volume.op;
    auto task = op->getParentOfType<TaskOp>();
    auto place = task ? places.find(task) : places.end();
    if (place == places.end())
      continue;
    if (op != known && !isTimedByLevels(volume)) {
      stages.clear();
      loads.clear();
    } else if (op != known) {
      auto exchange = cast<ExchangeOpInterface>(op);
      auto explained = timer.explain(exchange);
      auto carried = timer.explainLinks(exchange);
      auto traffic = timer.getTraffic(exchange);
      if (failed(explained) || failed(carried) || failed(traffic))
        return failure();
      sent = std::move(*traffic);
      stages = std::move(*explained);
      loads = std::move(*carried);
    }
    if (op != known)
      stage = 0;
    known = op;
    // A routing trace may lead to other stages than even routing.
    TaskExchange exchange;
    exchange.task = place->second;
    if (stage < stages.size())
      exchange.cost = stages[stage];
    if (exchange.cost.byLevels.isExtrapolated && stage < sent.stages.size())
      exchange.extrapolation =
          describeOutside(op, sent.stages[stage], timer.getMachine());
    if (stage < loads.size())
      exchange.circuits = loads[stage];
    ++stage;
    exchange.volume = std::move(volume);
    exchanges.push_back(std::move(exchange));
  }
  return exchanges;
}

FailureOr<int64_t> moe::getProgramRanks(ModuleOp module, StringRef entry) {
  func::FuncOp function = findEntry(module, entry);
  if (!function)
    return failure();
  return getNumRanks(function);
}

static std::shared_ptr<NetworkSection> (*makeSection)() = nullptr;

void moe::registerNetworkSection(std::shared_ptr<NetworkSection> (*make)()) {
  makeSection = make;
}

std::shared_ptr<NetworkSection> moe::makeNetworkSection() {
  return makeSection ? makeSection() : nullptr;
}

FailureOr<Prediction> moe::predict(ModuleOp module, std::string file,
                                   StringRef entry,
                                   const cost::Machine &machine,
                                   const std::optional<GivenTraffic> &traffic,
                                   const std::optional<StageSettings> &stages,
                                   NetworkModel *network) {
  if (failed(checkIsNotLowered(module)))
    return failure();
  func::FuncOp function = findEntry(module, entry);
  if (!function)
    return failure();
  if (failed(checkIsLocal(function)) || failed(checkCommunication(function)))
    return failure();
  FailureOr<ScheduleOp> op = getSchedule(function);
  if (failed(op))
    return failure();
  ScheduleEvaluator evaluator(machine);
  Prediction prediction;
  prediction.given = traffic;
  if (!traffic && getTrafficAttr(module)) {
    FailureOr<ModuleTraffic> own = loadTrafficOf(module);
    if (failed(own))
      return failure();
    prediction.given = GivenTraffic{own->trace, own->file, std::nullopt};
  }
  const std::optional<GivenTraffic> &given = prediction.given;
  std::optional<traffic::Routing> routing;
  if (given)
    routing = given->getRouting();
  evaluator.setRouting(routing ? &*routing : nullptr);
  if (network && failed(network->use(function, evaluator.getTimer())))
    return failure();
  FailureOr<SimulatedSchedule> simulated = evaluator.simulate(*op);
  if (failed(simulated))
    return failure();
  if (given) {
    FailureOr<TrafficUse> use = findTrafficUse(simulated->schedule, *routing);
    if (failed(use))
      return failure();
    prediction.traffic = std::move(*use);
  }
  if (given && given->overTrace) {
    FailureOr<OverTrace> over =
        simulateOverTrace(simulated->schedule, evaluator.getTimer(), *routing);
    if (failed(over))
      return failure();
    prediction.overTrace = std::move(*over);
  }
  if (stages) {
    FailureOr<StagePrediction> step =
        predictStages(function, simulated->schedule, *stages);
    if (failed(step))
      return failure();
    prediction.stages = std::move(*step);
  }
  FailureOr<std::vector<TaskExchange>> exchanges =
      findExchanges(function, simulated->schedule, evaluator.getTimer());
  if (failed(exchanges))
    return failure();
  prediction.exchanges = std::move(*exchanges);
  if (network) {
    prediction.network = network->summarize(prediction.exchanges);
    if (std::unique_ptr<NetworkModel> whole = network->getWhole()) {
      FailureOr<Prediction> before =
          predict(module, file, entry, machine, traffic, stages, whole.get());
      if (failed(before))
        return failure();
      prediction.network->beforeFailureUs = before->timeline.makespanUs;
    }
  }
  prediction.file = std::move(file);
  prediction.ranks = getNumRanks(function);
  prediction.work = getModelWork(function);
  prediction.limits = listCopyLimits(function);
  prediction.bytesOverTime =
      getBytesOverTime(simulated->schedule, simulated->timeline);
  prediction.peakBytes = simulated->getPeakBytes();
  prediction.schedule = std::move(simulated->schedule);
  prediction.timeline = std::move(simulated->timeline);
  schedule::BoundFinder bounds;
  if (!schedule::findBound(bounds, prediction.schedule.graph,
                           prediction.schedule.contention, prediction.bound))
    return op->emitError() << "has no bound: " << bounds.getError();
  return prediction;
}

/// Raises the lower bound by the windows of tasks, if that takes at most
/// minutes, or up to a given time. Streams that cannot run concurrently are
/// joined. The best order takes `bestUs`, with contention.
static void raiseBound(Prediction &prediction, double bestUs,
                       double refutedUs) {
  constexpr size_t kMostTasks = 600;
  constexpr unsigned kRounds = 5, kMostRounds = 100;
  const TimedSchedule &timed = prediction.schedule;
  double &boundUs = prediction.orders->lowerBoundUs;
  if (bestUs <= boundUs || (!refutedUs && timed.tasks.size() > kMostTasks))
    return;
  std::optional<schedule::TaskGraph> joined =
      schedule::joinStreams(timed.graph, timed.contention);
  const schedule::TaskGraph &graph = joined ? *joined : timed.graph;
  double raisedUs = boundUs;
  if (!refutedUs)
    raisedUs = schedule::raiseBound(graph, boundUs, bestUs, kRounds);
  else if (refutedUs > boundUs && refutedUs < bestUs &&
           schedule::EdgeFinding(graph).isImpossible(refutedUs, kMostRounds))
    raisedUs = refutedUs;
  boundUs = std::max(boundUs, raisedUs * (1 - schedule::kJoinSlack));
}

void moe::searchOrders(Prediction &prediction, size_t width,
                       double refutedUs) {
  const TimedSchedule &timed = prediction.schedule;
  constexpr unsigned kSwaps = 20000, kJustified = 20000;
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  auto improve = [&](const schedule::Contention &contention) {
    schedule::TaskOrder best =
        schedule::improveOrder(timed.graph, contention, kSwaps);
    auto take = [&](std::span<const schedule::TaskId> order) {
      if (!simulator.run(permute(timed.graph, order), contention, timeline) ||
          timeline.makespanUs >= best.timeUs)
        return false;
      best = {{order.begin(), order.end()}, timeline.makespanUs};
      return true;
    };
    schedule::justifyOrders(timed.graph, std::vector(best.order), kJustified,
                            prediction.bound.getUs(), take);
    return best;
  };
  schedule::TaskOrder best = improve(timed.contention);
  schedule::TaskOrder alone =
      timed.contention.hasAny() ? improve(schedule::Contention()) : best;
  prediction.orders = schedule::searchAllOrders(timed.graph, alone, width);
  // The bound of the program may be higher because of contention.
  double &boundUs = prediction.orders->lowerBoundUs;
  boundUs = std::max(boundUs, prediction.bound.getUs());
  raiseBound(prediction, best.timeUs, refutedUs);
  if (!timed.contention.hasAny())
    return;
  // The best order without contention may not be the best with it.
  schedule::TaskOrder &found = prediction.orders->best;
  [[maybe_unused]] bool ran = simulator.run(permute(timed.graph, found.order),
                                            timed.contention, timeline);
  assert(ran && "expected an order that can run");
  found.timeUs = timeline.makespanUs;
  if (best.timeUs < found.timeUs)
    found = std::move(best);
  prediction.orders->isExact =
      found.timeUs <= boundUs * (1 + 1e-12);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overlap of collectives with products on the SMs of a GPU.
//
// A matrix product occupies all SMs until it ends, so a collective that becomes
// ready meanwhile cannot start. The simulator alone does not model this.
// Therefore each collective that a schedule overlaps with a product starts in
// one of three ways, whichever gives the shortest schedule:
// - Before the product, which then waits for the collective's dependencies.
// - On SMs that the product leaves free, which slows down the product.
// - After the product.
// While a collective runs, it takes SMs from the products that leave none free.

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/Kernels.h"
#include "moe/Dialect/MoE/NcclAttr.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
#include "moe/Schedule/Resources.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"
#include <set>

namespace moe {
#define GEN_PASS_DEF_CHOOSEOVERLAP
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;
using schedule::TaskId;

namespace {

/// `count` products [m, k] x [k, n] in one kernel.
struct Products {
  double count, m, n, k;
};

/// Numbers of collectives by the way they start; `open` counts collectives with
/// no way that the task order permits.
struct OverlapCounts {
  int64_t before = 0, behind = 0, concurrent = 0, open = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Products of tasks
//===----------------------------------------------------------------------===//

static double getDim(Value value, unsigned dim) {
  return double(cast<RankedTensorType>(value.getType()).getDimSize(dim));
}

static double countRows(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return double(type.getNumElements()) /
         std::max(1.0, double(type.getShape().back()));
}

/// Adds one product per weight and expert; gradients of weights contract over
/// the rows.
template <typename OpT>
static void addExperts(OpT op, SmallVectorImpl<Products> &products) {
  for (Value weight : op.getExpertsWeights()) {
    double experts = getDim(weight, 0), inner = getDim(weight, 1),
           columns = getDim(weight, 2);
    double rows = countRows(op.getTokens()) / experts;
    if constexpr (std::is_same_v<OpT, ExpertsWgradOp>)
      products.push_back({experts, inner, columns, rows});
    else if constexpr (std::is_same_v<OpT, ExpertsDgradOp>)
      products.push_back({experts, rows, inner, columns});
    else
      products.push_back({experts, rows, columns, inner});
  }
}

/// Adds a product with a dense part's multiply-accumulates and the shape of its
/// result.
template <typename OpT>
static void addDense(OpT op, SmallVectorImpl<Products> &products) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  double n = std::max(1.0, double(type.getShape().back()));
  double m = std::max(1.0, double(type.getNumElements()) / n);
  double macs = double(op.getMacs()) / double(op.getGemms());
  products.push_back({1, m, n, std::max(1.0, macs / (m * n))});
}

static SmallVector<Products> listProducts(TaskOp task) {
  SmallVector<Products> products;
  bool communicates = false;
  task->walk([&](Operation *op) {
    communicates |= isa<CollectiveOpInterface>(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case<ExpertsOp, ExpertsDgradOp, ExpertsWgradOp>(
            [&](auto experts) { addExperts(experts, products); })
        .Case<DenseOp, DenseDgradOp, DenseWgradOp>(
            [&](auto dense) { addDense(dense, products); });
  });
  if (communicates)
    products.clear();
  // Empty products are ignored.
  llvm::erase_if(products, [](const Products &p) {
    return !(p.count >= 1) || !(p.m > 0) || !(p.n > 0) || !(p.k > 0);
  });
  return products;
}

/// Returns the factor on the time of products while a collective runs.
static double getConcurrentSlowdown(ArrayRef<Products> products,
                                    const cost::Kernels &kernels) {
  // If a collective takes all SMs, the products continue afterwards, so the
  // cost stays below 1.
  constexpr double kMost = 0.999;
  double cost = 0;
  for (const Products &p : products)
    cost = std::max(cost, kernels.getOverlapCost(p.m, p.n, p.count));
  return 1 / (1 - std::min(cost, kMost));
}

/// Returns the factor on the time of products that leave SMs free.
static double getSlowdownOf(ArrayRef<Products> products,
                            const cost::Kernels &kernels, int64_t freeSms) {
  double all = 0, left = 0;
  for (const Products &p : products) {
    const cost::ProductRates &rates =
        p.count > 1 ? kernels.groupedProducts : kernels.products;
    double us = rates.getTime(p.count, p.m, p.n, p.k, kernels.sms).value();
    all += us;
    left += us * kernels.getSlowdown(p.count, p.m, p.n, p.k, freeSms);
  }
  return left / all;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {

class OverlapChooser {
public:
  OverlapChooser(ScheduleOp op, ScheduleEvaluator &evaluator,
                 const cost::Kernels &kernels, int64_t transferSms)
      : op(op), evaluator(evaluator), kernels(kernels),
        transferSms(transferSms) {}

  LogicalResult run();

  const OverlapCounts &getCounts() const { return counts; }
  /// The step time of the schedule, and the step time without interference
  /// between transfers and products.
  double getUs() const { return timeline.makespanUs; }
  double getIdealUs() const { return idealUs; }
  /// Returns the reason if nothing was chosen; otherwise empty.
  const std::string &getReason() const { return reason; }

private:
  struct Trial {
    CollectiveStart start;
    TaskId product;
    schedule::TaskGraph graph;
    schedule::Timeline timeline;
  };

  /// Sets the slowdown of products by transfers.
  LogicalResult stateSlowdowns();
  void choose(TaskId collective);
  std::optional<Trial> startBefore(TaskId collective, TaskId product);
  std::optional<Trial> startBehind(TaskId collective, TaskId product);
  std::optional<Trial> startConcurrent(TaskId product);
  void apply(TaskId collective, Trial &best);
  bool simulate(Trial &candidate) {
    return simulator.run(candidate.graph, timed.contention, candidate.timeline);
  }

  TaskOp getTask(TaskId id) const { return timed.tasks[id]; }
  bool isBefore(TaskId a, TaskId b) const {
    return TaskOp(getTask(a))->isBeforeInBlock(getTask(b));
  }
  /// Returns the tasks that a task waits for.
  SmallVector<TaskId> listAwaited(TaskId id) const {
    SmallVector<TaskId> awaited = llvm::to_vector(makers[id]);
    if (TaskId last = timed.graph.getPreviousOnStream(id);
        last != schedule::kNoTask)
      awaited.push_back(last);
    return awaited;
  }
  /// Returns true if all dependencies of `id` are launched before `other`, so
  /// that `id` can be, too.
  bool canBeLaunchedBefore(TaskId id, TaskId other) const {
    return isBefore(id, other) ||
           llvm::all_of(listAwaited(id), [&](TaskId awaited) {
             return isBefore(awaited, other);
           });
  }

  ScheduleOp op;
  ScheduleEvaluator &evaluator;
  const cost::Kernels &kernels;
  const int64_t transferSms;
  TimedSchedule timed;
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  std::vector<SmallVector<Products>> products;
  std::vector<SmallVector<TaskId, 4>> makers;
  double idealUs = 0;
  OverlapCounts counts;
  std::string reason;
  /// Collectives that already had a token from a product before this pass.
  llvm::SmallPtrSet<Operation *, 8> waiting;
};

} // namespace

LogicalResult OverlapChooser::stateSlowdowns() {
  for (TaskOp task : op.getBody().getOps<TaskOp>()) {
    if (getOverlap(task).start == CollectiveStart::Behind)
      waiting.insert(task);
    setOverlap(task, {});
  }
  FailureOr<SimulatedSchedule> ideal = evaluator.simulate(op);
  if (failed(ideal))
    return failure();
  idealUs = ideal->getUs();
  timeline = ideal->timeline;
  // The simulator supports only a few resources.
  schedule::ResourceId last = cost::kNumResources;
  for (TaskId id = 0; id < ideal->schedule.graph.getNumTasks(); ++id)
    last = std::max(last, ideal->schedule.graph.getTask(id).resource);
  const size_t most = schedule::kMaxResources - 1 - last;
  std::set<double> slowdowns;
  for (TaskOp task : ideal->schedule.tasks) {
    SmallVector<Products> own = listProducts(task);
    if (own.empty())
      continue;
    TaskOverlap overlap;
    overlap.slowdown = getConcurrentSlowdown(own, kernels);
    setOverlap(task, overlap);
    if (overlap.slowdown > 1)
      slowdowns.insert(overlap.slowdown);
  }
  if (slowdowns.size() <= most)
    return success();
  if (most == 0)
    reason = "the schedule's priorities leave the simulator no resource for "
             "products that transfers slow down";
  for (TaskOp task : ideal->schedule.tasks)
    if (TaskOverlap overlap = getOverlap(task); overlap.slowdown > 1) {
      overlap.slowdown = most == 0 ? 1 : *slowdowns.rbegin();
      setOverlap(task, overlap);
    }
  return success();
}

std::optional<OverlapChooser::Trial>
OverlapChooser::startBefore(TaskId collective, TaskId product) {
  SmallVector<TaskId> awaited = listAwaited(collective);
  if (!llvm::all_of(awaited, [&](TaskId id) { return isBefore(id, product); }))
    return std::nullopt;
  Trial candidate{CollectiveStart::Before, product, timed.graph, {}};
  for (TaskId id : awaited)
    candidate.graph.addDependency(id, product);
  if (!simulate(candidate))
    return std::nullopt;
  return candidate;
}

std::optional<OverlapChooser::Trial>
OverlapChooser::startBehind(TaskId collective, TaskId product) {
  if (!canBeLaunchedBefore(product, collective))
    return std::nullopt;
  Trial candidate{CollectiveStart::Behind, product, timed.graph, {}};
  candidate.graph.addDependency(product, collective);
  if (!simulate(candidate))
    return std::nullopt;
  return candidate;
}

std::optional<OverlapChooser::Trial>
OverlapChooser::startConcurrent(TaskId product) {
  TaskOp task = getTask(product);
  TaskOverlap overlap = getOverlap(task);
  if (transferSms == 0 || overlap.freeSms != 0)
    return std::nullopt;
  // Builds the same graph with a longer product that has no other interference.
  Trial candidate{CollectiveStart::Concurrent, product, {}, {}};
  const schedule::TaskGraph &graph = timed.graph;
  for (uint32_t stream = 0; stream < graph.getNumStreams(); ++stream)
    candidate.graph.addStream();
  for (TaskId id = 0; id < graph.getNumTasks(); ++id) {
    schedule::Task entry = graph.getTask(id);
    if (id == product) {
      entry.durationUs *= getSlowdownOf(products[id], kernels, transferSms);
      entry.resource = schedule::getResourceId(cost::Resource::Compute);
    }
    candidate.graph.addTask(entry);
  }
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    graph.forEachDependent(
        id, [&](TaskId other) { candidate.graph.addDependency(id, other); });
  if (!simulate(candidate))
    return std::nullopt;
  return candidate;
}

void OverlapChooser::apply(TaskId collective, Trial &best) {
  TaskOp task = getTask(collective), product = getTask(best.product);
  auto addToken = [&](TaskOp waiting, TaskId awaited) {
    Value token = TaskOp(getTask(awaited)).getToken();
    if (!llvm::is_contained(waiting.getAfter(), token))
      waiting.getAfterMutable().append(token);
  };
  switch (best.start) {
  case CollectiveStart::Before:
    for (TaskId id : listAwaited(collective)) {
      makers[best.product].push_back(id);
      // The stream already implies this order.
      if (TaskOp(getTask(id)).getStreamAttr() != product.getStreamAttr())
        addToken(product, id);
    }
    if (!isBefore(collective, best.product))
      task->moveBefore(product);
    ++counts.before;
    break;
  case CollectiveStart::Behind:
    if (!isBefore(best.product, collective))
      product->moveBefore(task);
    makers[collective].push_back(best.product);
    addToken(task, best.product);
    ++counts.behind;
    break;
  case CollectiveStart::Concurrent: {
    TaskOverlap overlap;
    overlap.freeSms = transferSms;
    overlap.slowdown =
        getSlowdownOf(products[best.product], kernels, transferSms);
    setOverlap(product, overlap);
    ++counts.concurrent;
    break;
  }
  }
  TaskOverlap overlap;
  overlap.start = best.start;
  setOverlap(task, overlap);
  timed.graph = std::move(best.graph);
  timeline = std::move(best.timeline);
}

void OverlapChooser::choose(TaskId collective) {
  double start = timeline.startUs[collective], end = timeline.endUs[collective];
  // The product that runs when the collective would start, and the first one
  // that starts during it.
  std::optional<TaskId> running, next;
  bool hasRoom = false;
  for (TaskId id = 0; id < timed.tasks.size(); ++id) {
    if (products[id].empty())
      continue;
    double from = timeline.startUs[id], to = timeline.endUs[id];
    if (from < start && to > start) {
      // A product with free SMs lets the collective start.
      if (getOverlap(getTask(id)).freeSms == 0)
        running = id;
      else
        hasRoom = true;
    } else if (from >= start && from < end &&
               (!next || from < timeline.startUs[*next])) {
      next = id;
    }
  }
  std::optional<Trial> best;
  auto offer = [&](std::optional<Trial> candidate) {
    if (candidate &&
        (!best || candidate->timeline.makespanUs < best->timeline.makespanUs))
      best = std::move(candidate);
  };
  if (running) {
    offer(startBefore(collective, *running));
    offer(startConcurrent(*running));
    offer(startBehind(collective, *running));
  } else if (hasRoom) {
    TaskOverlap overlap;
    overlap.start = CollectiveStart::Concurrent;
    setOverlap(getTask(collective), overlap);
    ++counts.concurrent;
    return;
  } else if (next) {
    offer(startBefore(collective, *next));
  }
  if (best) {
    apply(collective, *best);
  } else if (running || next) {
    ++counts.open;
  } else if (waiting.contains(getTask(collective))) {
    TaskOverlap overlap;
    overlap.start = CollectiveStart::Behind;
    setOverlap(getTask(collective), overlap);
    ++counts.behind;
  }
}

LogicalResult OverlapChooser::run() {
  if (failed(stateSlowdowns()))
    return failure();
  if (!reason.empty())
    return success();
  FailureOr<SimulatedSchedule> simulated = evaluator.simulate(op);
  if (failed(simulated))
    return failure();
  timed = std::move(simulated->schedule);
  timeline = std::move(simulated->timeline);
  makers.resize(timed.tasks.size());
  SmallVector<TaskId> collectives;
  for (auto [id, task] : llvm::enumerate(timed.tasks)) {
    products.push_back(listProducts(task));
    timed.graph.forEachDependent(
        id, [&](TaskId other) { makers[other].push_back(id); });
    if (task->walk(
                [](CollectiveOpInterface) { return WalkResult::interrupt(); })
            .wasInterrupted())
      collectives.push_back(id);
  }
  for (TaskId id : collectives)
    choose(id);
  return success();
}

namespace {

struct ChooseOverlap : public moe::impl::ChooseOverlapBase<ChooseOverlap> {
  using ChooseOverlapBase::ChooseOverlapBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  /// Returns the maximum SMs of a collective; 0 if neither the module nor the
  /// option has it.
  FailureOr<int64_t> findTransferSms(const cost::Kernels &kernels) {
    ModuleOp module = getOperation();
    FailureOr<NcclWishes> wishes = readNcclWishes(module);
    if (failed(wishes))
      return failure();
    const int64_t given = transferSms;
    if (given != 0 && wishes->maxCtas != 0 && given != wishes->maxCtas)
      return emitError(module.getLoc())
             << getArgument() << ": expected transfer-sms to be max_ctas of '"
             << kNcclAttrName << "', " << wishes->maxCtas << ", got " << given;
    int64_t sms = given != 0 ? given : wishes->maxCtas;
    if (sms < 0 || sms >= kernels.sms)
      return emitError(module.getLoc())
             << getArgument()
             << ": expected collectives on at least 1 and fewer than the "
             << kernels.sms << " SMs of the platform, got " << sms;
    return sms;
  }

  /// Limits collectives to the SMs that products leave free.
  void limitCollectives(int64_t sms) {
    ModuleOp module = getOperation();
    NamedAttrList members(module->getAttrOfType<DictionaryAttr>(kNcclAttrName));
    members.set("max_ctas", Builder(module).getI32IntegerAttr(sms));
    module->setAttr(kNcclAttrName, members.getDictionary(&getContext()));
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    auto loaded = loadPlatformOf(module, platform, getArgument());
    if (failed(loaded))
      return failure();
    auto getOptions = [&](StringRef function) {
      return remark::RemarkOpts::name("overlap")
          .category(getArgument())
          .function(function);
    };
    if (!loaded->rates.kernels) {
      if (!ifAny)
        moe::missed(module.getLoc(), getOptions(""))
            << remark::reason("platform {0} has no 'kernels', which give the "
                              "cost of overlap",
                              loaded->machine.name);
      return success();
    }
    const cost::Kernels &kernels = *loaded->rates.kernels;
    FailureOr<int64_t> sms = findTransferSms(kernels);
    if (failed(sms))
      return failure();
    ScheduleEvaluator evaluator(loaded->machine);
    bool leavesAny = false;
    WalkResult walk = module.walk([&](func::FuncOp function) {
      ScheduleOp op = findSchedule(function);
      if (!op)
        return WalkResult::advance();
      OverlapChooser chooser(op, evaluator, kernels, *sms);
      if (failed(chooser.run()))
        return WalkResult::interrupt();
      auto options = getOptions(function.getSymName());
      if (!chooser.getReason().empty()) {
        moe::missed(function.getLoc(), options)
            << remark::reason("{0}", chooser.getReason());
        return WalkResult::advance();
      }
      const OverlapCounts &counts = chooser.getCounts();
      leavesAny |= counts.concurrent != 0;
      moe::passed(function.getLoc(), options)
          << remark::add(*sms == 0
                             ? "collectives start before or behind products; "
                               "nothing states on how many SMs they run, so no "
                               "product leaves SMs free"
                             : "collectives start before, behind or "
                               "concurrently with products")
          << remark::metric("before", counts.before)
          << remark::metric("concurrent", counts.concurrent)
          << remark::metric("behind", counts.behind)
          << remark::metric("undecided", counts.open)
          << remark::metric("ideal_us", chooser.getIdealUs())
          << remark::metric("time_us", chooser.getUs());
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    if (leavesAny)
      limitCollectives(*sms);
    return success();
  }
};

} // namespace

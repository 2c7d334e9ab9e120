// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering of schedules to the runtime's streams.

#include "Bodies.h"
#include "HostValuesProvenance.h"
#include "TaskConverter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/ExtensionDialect.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moe/Dialect/MoE/LinkInterfaces.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
#include "moe/Dialect/MoE/RaggedPermute.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Interpreter/Sampling.h"

namespace moe {
#define GEN_PASS_DEF_CONVERTMOETOMOERT
#include "moe/Conversion/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// Work of one stream that other tasks wait for as a whole.
struct Task {
  std::string name, stream;
  ResourceKind resource = ResourceKind::Compute;
  int64_t priority = 0;
  Location loc;
  /// SMs that its products leave free.
  int64_t freeSms = 0;
  SmallVector<Operation *> ops = {};
  /// Pairs of a result and the inner value that defines it.
  SmallVector<std::pair<Value, Value>> results = {};
  /// Tokens for the task's end.
  SmallVector<Value> tokens = {};
};

/// Returns true if an op other than these and their nested ops uses a value.
bool isUsedOutside(Value value, ArrayRef<Operation *> ops) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return llvm::none_of(ops,
                         [&](Operation *op) { return op->isAncestor(user); });
  });
}

/// Converts one function.
class FunctionConverter {
public:
  FunctionConverter(func::FuncOp function, SymbolTable &symbols,
                    const KernelTable &kernels)
      : function(function), symbols(symbols), kernels(kernels) {}

  /// Replaces the function by an entry function of the same name.
  LogicalResult run(schedule::BufferPlan &plan) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError()
             << "cannot be put on streams: expected one block, got "
             << function.getBody().getBlocks().size();
    for (Type type : function.getArgumentTypes())
      if (!getBufferType(function.getLoc(), type))
        return failure();
    for (Type type : function.getResultTypes())
      if (!getBufferType(function.getLoc(), type))
        return failure();
    // The runtime supports only exchanges with sizes, and contiguous blocks.
    if (failed(expandPermutes(function)))
      return failure();
    makeCollectivesContiguous(function);
    // A scheduled function has a task for each exchange that is left.
    if (function.getBody().front().getOps<ScheduleOp>().empty())
      foldOneRankExchanges(function);
    joinUnscheduled();
    if (failed(collectTasks()))
      return failure();

    // Buffers lose the types and ranges of the values.
    rt::ProgramSignature signature = rt::ProgramSignature::of(function);
    for (BlockArgument argument : function.getArguments())
      if (DrawnRange range = findIntegerRange(argument);
          range.low && getElementTypeOrSelf(argument.getType()).isIntOrIndex())
        signature.arguments[argument.getArgNumber()].range = {*range.low,
                                                              *range.high};
    std::string name = function.getSymName().str();
    HostFunction host(function, name);
    host.getFunction()->setAttr(rt::MoERTDialect::getProgramAttrName(),
                                signature.print(function.getContext()));
    HostValuesEval counts(host, function);
    TaskConverter converter(host, counts, symbols, kernels);
    for (BlockArgument argument : function.getArguments())
      converter.setPlace(argument, host.getInput(argument.getArgNumber()));
    for (auto &[result, value] : aliases)
      converter.setAlias(result, value);
    setTargets(host, converter);
    if (failed(convertTasks(host, counts, converter)) ||
        failed(writeResults(host, converter)))
      return failure();
    counts.finishBlock(function.getLoc());
    plan = host.finish();
    host.getFunction().setVisibility(function.getVisibility());
    symbols.remove(function);
    function.erase();
    symbols.insert(host.getFunction());
    return success();
  }

private:
  /// Ops of a function without a schedule run in order, so gradients can read
  /// the products of experts in other layers. Inlines the layers for this.
  void joinUnscheduled() {
    Block &body = function.getBody().front();
    bool hasGradients =
        function.walk([](ExpertsDgradOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!hasGradients || !body.getOps<ScheduleOp>().empty())
      return;
    for (LayerOp layer : llvm::make_early_inc_range(body.getOps<LayerOp>())) {
      Block &nested = layer.getBody().front();
      layer.replaceAllUsesWith(nested.getTerminator()->getOperands());
      nested.getTerminator()->erase();
      body.getOperations().splice(layer->getIterator(), nested.getOperations());
      layer.erase();
    }
    joinProducts(body, getExpertProducts(function->getParentOfType<ModuleOp>()),
                 [] { return FlatSymbolRefAttr(); });
  }

  /// Adds a task for ops outside of schedules, unless the host knows all their
  /// results.
  void addOwnTask(SmallVector<Operation *> &ops) {
    bool isWork = llvm::any_of(ops, [](Operation *op) {
      return op->getNumResults() != 1 || !isHostValue(op->getResult(0));
    });
    if (isWork) {
      Task task{.name = function.getSymName().str(),
                .stream = "main",
                .loc = function.getLoc(),
                .ops = ops};
      for (Operation *op : ops)
        for (Value result : op->getResults())
          if (!isHostValue(result) && isUsedOutside(result, ops))
            task.results.emplace_back(result, result);
      tasks.push_back(std::move(task));
    }
    ops.clear();
  }

  LogicalResult collectTasks() {
    SmallVector<Operation *> outside;
    for (Operation &op : function.getBody().front().without_terminator()) {
      auto schedule = dyn_cast<ScheduleOp>(op);
      if (!schedule) {
        outside.push_back(&op);
        continue;
      }
      addOwnTask(outside);
      Block &body = schedule.getBody().front();
      for (auto task : body.getOps<TaskOp>())
        addTask(task);
      for (auto [result, value] : llvm::zip_equal(
               schedule.getResults(), body.getTerminator()->getOperands()))
        aliases[result] = value;
    }
    addOwnTask(outside);
    return success();
  }

  void addTask(TaskOp op) {
    auto stream = symbols.lookup<StreamOp>(op.getStream());
    Task task{.name = op.getName().str(),
              .stream = op.getStream().str(),
              .resource = stream.getResource(),
              .priority = stream.getPriority().value_or(0),
              .loc = op.getLoc(),
              .freeSms = getOverlap(op).freeSms};
    Block &body = op.getBody().front();
    for (Operation &nested : body.without_terminator())
      task.ops.push_back(&nested);
    for (auto [result, value] :
         llvm::zip_equal(op.getValues(), body.getTerminator()->getOperands()))
      task.results.emplace_back(result, value);
    task.tokens.assign(op.getAfter().begin(), op.getAfter().end());
    makers[op.getToken()] = tasks.size();
    tasks.push_back(std::move(task));
  }

  /// Returns the value inside the results of schedules.
  Value resolve(Value value) {
    while (Value behind = aliases.lookup(value))
      value = behind;
    return value;
  }

  /// Makes tasks write results directly to the output buffers.
  void setTargets(HostFunction &host, TaskConverter &converter) {
    // Results of tasks that also compute the value.
    llvm::DenseMap<Value, Value> yielded;
    for (Task &task : tasks)
      for (auto [result, value] : task.results)
        if (llvm::is_contained(task.ops, value.getDefiningOp()) &&
            !isHostValue(value))
          yielded[result] = value;
    auto returned = function.getBody().front().getTerminator()->getOperands();
    for (auto [i, operand] : llvm::enumerate(returned)) {
      Value made = yielded.lookup(resolve(operand));
      if (made && taken.insert(made).second)
        converter.setTarget(made, host.getOutput(i));
    }
  }

  /// Copies arguments that the host reads, on the stream of the first task that
  /// needs one. Arguments are available before any other work.
  void copyArguments(HostFunction &host, HostValuesEval &counts,
                     ArrayRef<HostStream> streams) {
    SmallVector<std::pair<Value, Place>> values;
    for (BlockArgument argument : function.getArguments())
      values.emplace_back(argument, host.getInput(argument.getArgNumber()));
    for (auto [i, task] : llvm::enumerate(tasks))
      for (Operation *op : task.ops) {
        WalkResult walk = op->walk([&](Operation *nested) {
          return llvm::any_of(getReadOrigins(nested),
                              llvm::IsaPred<BlockArgument>)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        });
        if (walk.wasInterrupted())
          return counts.copy(function.getLoc(), streams[i], values);
      }
  }

  /// Converts the ops of a task that the host executes. The remaining ops are
  /// for its stream.
  LogicalResult convertHostWork(TaskConverter &converter, Task &task) {
    bool failedAny = false;
    llvm::erase_if(task.ops, [&](Operation *op) {
      const HostConversionInterface *own = getHostConversion(op);
      if (!own || !own->isWork(op))
        return false;
      std::unique_ptr<HostWork> &work = hostWork[own];
      if (!work)
        work = own->startWork();
      failedAny |= failed(work->convert(op, converter));
      return true;
    });
    return failure(failedAny);
  }

  LogicalResult convertTasks(HostFunction &host, HostValuesEval &counts,
                             TaskConverter &converter) {
    // Dependencies between tasks, and the waits that they require.
    std::vector<schedule::StreamTask> graph;
    SmallVector<HostStream> streams;
    for (auto [i, task] : llvm::enumerate(tasks)) {
      for (auto [result, value] : task.results)
        makers[result] = i;
      streams.push_back(
          host.getStream(task.stream, task.resource, task.priority));
    }
    for (auto [i, task] : llvm::enumerate(tasks)) {
      schedule::StreamTask node{streams[i].number, {}};
      auto need = [&](Value value) {
        auto it = makers.find(resolve(value));
        if (it != makers.end() && it->second != i)
          node.after.push_back(it->second);
      };
      for (Value token : task.tokens)
        need(token);
      for (auto [result, value] : task.results)
        need(value);
      for (Operation *op : task.ops)
        op->walk([&](Operation *nested) {
          for (Value operand : nested->getOperands())
            need(operand);
        });
      graph.push_back(std::move(node));
    }
    std::vector<std::vector<unsigned>> waits =
        schedule::findNecessaryWaits(graph);
    llvm::DenseSet<unsigned> awaited;
    for (const std::vector<unsigned> &own : waits)
      awaited.insert(own.begin(), own.end());

    copyArguments(host, counts, streams);
    llvm::DenseMap<unsigned, unsigned> events;
    // Indexed by stream. The job's other programs share the streams.
    std::map<unsigned, int64_t> freeSms;
    auto leaveSms = [&](Location loc, HostStream stream, int64_t sms) {
      if (std::exchange(freeSms[stream.number], sms) != sms)
        host.leaveSms(loc, stream, sms);
    };
    for (auto [i, task] : llvm::enumerate(tasks)) {
      bool isChange = llvm::any_of(task.ops, [](Operation *op) {
        auto links = dyn_cast<LinkOpInterface>(op);
        return links && (links.getLinkAction() == LinkAction::Change ||
                         links.getLinkAction() == LinkAction::Await);
      });
      for (unsigned other : waits[i]) {
        host.wait(task.loc, streams[i], events.at(other));
        // A switch is not a stream, so the host must know that its ports are
        // idle.
        if (isChange)
          host.await(task.loc, events.at(other));
      }
      leaveSms(task.loc, streams[i], task.freeSms);
      if (failed(convertHostWork(converter, task)) ||
          failed(converter.convert(task.ops, streams[i], task.name)))
        return failure();
      for (auto [result, value] : task.results) {
        if (counts.isDefined(value))
          continue;
        FailureOr<Place> place = converter.getPlain(value);
        if (failed(place))
          return failure();
        converter.setPlace(result, *place);
      }
      if (awaited.contains(i))
        events[i] = host.record(task.loc, streams[i]);
    }
    for (HostStream stream : streams)
      leaveSms(function.getLoc(), stream, 0);
    lastStreams = streams;
    return success();
  }

  /// Copies results that no task has written directly, on the stream of the
  /// task that computed them.
  LogicalResult writeResults(HostFunction &host, TaskConverter &converter) {
    auto returned = function.getBody().front().getTerminator()->getOperands();
    for (auto [i, operand] : llvm::enumerate(returned)) {
      Value value = resolve(operand);
      auto maker = makers.find(value);
      HostStream stream =
          maker != makers.end()
              ? lastStreams[maker->second]
              : host.getStream("main", ResourceKind::Compute, 0);
      if (failed(converter.copyTo(value, host.getOutput(i), stream)))
        return failure();
    }
    return success();
  }

  func::FuncOp function;
  SymbolTable &symbols;
  const KernelTable &kernels;
  std::vector<Task> tasks;
  /// Results of schedules and their inner values.
  llvm::MapVector<Value, Value> aliases;
  /// The task that defines a value or token.
  llvm::DenseMap<Value, unsigned> makers;
  llvm::DenseSet<Value> taken;
  SmallVector<HostStream> lastStreams;
  /// Indexed by dialect.
  llvm::DenseMap<const HostConversionInterface *, std::unique_ptr<HostWork>>
      hostWork;
};

struct ConvertMoEToMoERT
    : public moe::impl::ConvertMoEToMoERTBase<ConvertMoEToMoERT> {
  using ConvertMoEToMoERTBase::ConvertMoEToMoERTBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertMoEToMoERTBase::getDependentDialects(registry);
    registerBodyBufferization(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    KernelTable kernels(&getContext());
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() &&
          !function->hasAttr(rt::MoERTDialect::getInputsAttrName()))
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      auto options = remark::RemarkOpts::name("buffers")
                         .category(getArgument())
                         .function(function.getSymName());
      Location loc = function.getLoc();
      std::string name = function.getSymName().str();
      schedule::BufferPlan plan;
      if (failed(FunctionConverter(function, symbols, kernels).run(plan)))
        return signalPassFailure();
      remark::passed(loc, options)
          << remark::add("buffers placed")
          << remark::metric("bytes", plan.bytes)
          << remark::metric("lower_bound_bytes", plan.lowerBound)
          << remark::metric("unshared_bytes", plan.unshared);
    }
    for (auto stream : llvm::make_early_inc_range(module.getOps<StreamOp>()))
      stream.erase();
    for (Operation &op : llvm::make_early_inc_range(module.getOps()))
      if (getExtension(&op))
        op.erase();
    OpPassManager manager(ModuleOp::getOperationName());
    addBodyBufferization(manager);
    if (failed(runPipeline(manager, module)))
      return signalPassFailure();
    lowerStridedCopies(module);
  }
};

} // namespace

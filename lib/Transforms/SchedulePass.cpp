// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules functions as tasks on streams.

#include "FlattenFunction.h"
#include "ScheduleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moe/Dialect/MoE/RaggedPermute.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/OrderTasks.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace moe {
#define GEN_PASS_DEF_SCHEDULE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Returns true if values of a type have no elements.
static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// Returns true if the number of elements exceeds 63 bits.
static bool isUncountable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t count = 1;
  return tensor && tensor.hasStaticShape() &&
         llvm::any_of(tensor.getShape(), [&](int64_t size) {
           return llvm::MulOverflow(count, size, count);
         });
}

/// Returns true if an op on tensors has a region that computes the elements.
static bool isStructured(Operation *op) {
  if (op->getNumRegions() != 0 && isStableHLOFunction(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasPureTensorSemantics();
}

/// Returns true if an op applies the same function to each part, for example to
/// each chunk.
static bool isOfParts(Operation *op) {
  std::optional<DimMap> map = getDimMap(op);
  return map && map->isPartwise;
}

/// Returns the reason why a branch or loop cannot be a task; empty if it can. A
/// branch or loop that communicates must do so equally on all ranks, because
/// the order of tasks must be the order of collectives. Its time must be known.
static std::string findControlObstacle(Operation *op,
                                       const ControlInfo *control) {
  StringRef name = op->getName().getStringRef();
  if (!isKnownControlFlow(op))
    return "expected branches and loops to be scf.if, scf.for, scf.while or "
           "scf.index_switch, got " +
           name.str();
  if (op->getParentOfType<PipelineOp>())
    return "branches and loops are not supported in pipelines, got " +
           name.str();
  bool meets = false, hasPipeline = false;
  op->walk([&](Operation *nested) {
    meets |= isa<CollectiveOpInterface>(nested);
    hasPipeline |= isa<PipelineOp>(nested);
  });
  if (hasPipeline)
    return "pipelines are not supported in branches, nor in loops that are not "
           "unrolled, got one in " +
           name.str();
  if (!meets)
    return "";
  if (isa<scf::WhileOp>(op))
    return "a loop around collectives requires a constant number of "
           "iterations, got scf.while";
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && !getTripCount(loop))
    return "a loop around collectives requires a constant number of "
           "iterations, got scf.for";
  if (!control || control->getControlAxes(op) != 0)
    return "a branch around collectives requires the same condition on all "
           "ranks, got " +
           name.str();
  return "";
}

std::string moe::findObstacle(func::FuncOp function,
                              const ControlInfo *control) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return "expected a function of one block";
  std::string reason;
  function.walk([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    // The region of a structured op computes one element. Outside of pipelines,
    // where sizes are known, such an op is an ordinary task. Inside of
    // pipelines it is one if it applies to parts.
    bool isStructure =
        isa<LayerOp, PipelineOp>(op) ||
        (isStructured(op) &&
         (!op->getParentOfType<PipelineOp>() || isOfParts(op)));
    if (isa<ScheduleOp>(op))
      reason = "the function already has a schedule";
    else if (isa<PipelineOp>(op) && op->getParentOfType<PipelineOp>())
      reason = "nested pipelines are not supported";
    else if (isa<PipelineOp>(op) &&
             llvm::any_of(op->getOperandTypes(), isEmpty))
      // tensor.extract_slice cannot slice a tensor without elements.
      reason = "pipelines over empty operands are not supported";
    else if (isStructured(op) && !isStructure)
      reason = "structured ops are not supported in pipelines, got " +
               op->getName().getStringRef().str();
    else if (auto call = dyn_cast<CallOpInterface>(op)) {
      reason = "calls that cannot be inlined are not supported, got " +
               op->getName().getStringRef().str();
      if (auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
        reason += " of @" + symbol.getLeafReference().str();
    } else if (op->getNumRegions() != 0 && !isStructure)
      reason = findControlObstacle(op, control);
    if (!reason.empty())
      return WalkResult::interrupt();
    if (llvm::any_of(op->getOperandTypes(), isUncountable))
      // The dims that packing joins must not exceed this either.
      reason = "expected tensors with fewer than 2^63 elements, got larger "
               "ones in " +
               op->getName().getStringRef().str();
    else if (!op->getParentOfType<PipelineOp>() &&
             (llvm::any_of(op->getOperandTypes(), isDynamic) ||
              llvm::any_of(op->getResultTypes(), isDynamic)))
      reason =
          "dynamic shapes are not supported outside pipelines, got one in " +
          op->getName().getStringRef().str();
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

static bool hasControlFlow(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa_and_nonnull<scf::SCFDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

std::string moe::explainUnscheduled(func::FuncOp function) {
  if (!hasTasks(function))
    return "it has no collectives";
  OpBuilder builder(function);
  auto flat = cast<func::FuncOp>(builder.clone(*function.getOperation()));
  std::string reason = flatten(flat);
  if (reason.empty()) {
    std::unique_ptr<ReplicationInfo> replication;
    std::optional<ControlInfo> control;
    if (hasControlFlow(flat)) {
      auto computed =
          ReplicationInfo::compute(function->getParentOfType<ModuleOp>());
      if (succeeded(computed)) {
        replication = std::move(*computed);
        control.emplace(*replication);
      }
    }
    reason = findObstacle(flat, control ? &*control : nullptr);
  }
  flat.erase();
  return reason;
}

SmallVector<ChunkTask> moe::scheduleFunction(func::FuncOp function,
                                             ArrayRef<std::string> priorities,
                                             Phase phase) {
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  StreamAssignment streams(symbols, priorities);
  ScheduleBuilder builder(function, streams);
  builder.run();
  return SmallVector<ChunkTask>(builder.getChunkTasks(phase));
}

namespace {

struct Schedule : public moe::impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    std::vector<std::string> order(priorities.begin(), priorities.end());
    bool isApart = collectives == CollectiveStreams::GradientsApart;
    if (order.empty())
      order = isApart ? std::vector<std::string>{"ep", "pp", "cp"}
                      : std::vector<std::string>{"ep", "pp", "cp", "dp"};
    // Streams of gradients have the lowest priority.
    const size_t most = StreamOp::kMaxPriority + (isApart ? 0 : 1);
    if (order.size() > most) {
      emitError(getOperation().getLoc())
          << getArgument() << ": expected priorities of at most " << most
          << " axes, got " << order.size();
      return signalPassFailure();
    }
    for (auto [i, axis] : llvm::enumerate(order))
      if (axis.empty() ||
          llvm::is_contained(ArrayRef(order).take_front(i), axis)) {
        emitError(getOperation().getLoc())
            << getArgument()
            << ": expected priorities of axes with a name each, got '" << axis
            << (axis.empty() ? "'" : "' twice");
        return signalPassFailure();
      }
    if (failed(checkAxes()))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    StreamAssignment streams(symbols, order, collectives);
    SmallVector<FunctionToSchedule> candidates = findCandidates();
    // Only programs with control flow need the analysis of divergence.
    std::unique_ptr<ReplicationInfo> replication;
    std::optional<ControlInfo> control;
    for (FunctionToSchedule &candidate : candidates) {
      if (!hasControlFlow(candidate.getFlat()))
        continue;
      auto computed = ReplicationInfo::compute(getOperation());
      if (failed(computed))
        return signalPassFailure();
      replication = std::move(*computed);
      control.emplace(*replication);
      break;
    }
    for (FunctionToSchedule &candidate : candidates)
      if (candidate.obstacle.empty())
        candidate.obstacle =
            findObstacle(candidate.getFlat(), control ? &*control : nullptr);
    for (FunctionToSchedule &candidate : candidates) {
      if (!candidate.flat)
        continue;
      if (candidate.obstacle.empty())
        candidate.function.getBody().takeBody(candidate.flat.getBody());
      candidate.flat.erase();
    }
    llvm::DenseSet<Operation *> erased = eraseInlined();
    // The platform of the module, loaded if tasks are ordered.
    std::optional<platform::Platform> loaded;
    for (FunctionToSchedule &candidate : candidates) {
      func::FuncOp function = candidate.function;
      if (erased.contains(function))
        continue;
      auto options = remark::RemarkOpts::name("schedule")
                         .category(getArgument())
                         .function(function.getSymName());
      if (!candidate.obstacle.empty()) {
        moe::missed(function.getLoc(), options)
            << remark::reason("{0}", candidate.obstacle);
        continue;
      }
      foldOneRankExchanges(function);
      ScheduleOp made = ScheduleBuilder(function, streams).run();
      JoinedProducts joined = joinProducts(
          made.getBody().front(), getExpertProducts(getOperation()),
          [&] { return streams.getCopyStream(function); });
      reportJoined(function, joined);
      const bool isInParts = hasParts(made);
      if (mergePasses || isInParts || (reorder && searchWidth != 0)) {
        if (!loaded && getPlatformAttr(getOperation())) {
          auto platform = loadPlatformOf(getOperation(), "", getArgument());
          if (failed(platform))
            return signalPassFailure();
          loaded = std::move(*platform);
        }
        const cost::Machine *machine = loaded ? &loaded->machine : nullptr;
        std::string reason;
        if (mergePasses)
          reason = moe::mergePasses(made, machine);
        if (!reason.empty())
          moe::missed(function.getLoc(), options)
              << remark::reason("{0}", reason);
        // A search starts from the merged order.
        const bool isMerged = mergePasses && reason.empty();
        if (reorder || (isInParts && !isMerged))
          orderTasks(made, machine, searchWidth);
      }
      moe::passed(function.getLoc(), options) << remark::add("scheduled");
    }
  }

private:
  /// Emits a remark with the numbers of expert gradients that reuse products,
  /// and that do not.
  void reportJoined(func::FuncOp function, const JoinedProducts &joined) {
    if (joined.kept + joined.recomputed + joined.handed + joined.alone == 0)
      return;
    moe::passed(function.getLoc(), remark::RemarkOpts::name("expert-products")
                                       .category(getArgument())
                                       .function(function.getSymName()))
        << remark::add("gradients of experts read what was multiplied before")
        << remark::metric("kept", joined.kept)
        << remark::metric("recomputed", joined.recomputed)
        << remark::metric("handed", joined.handed)
        << remark::metric("alone", joined.alone);
  }

  /// Checks that `priorities` are axes of the module, or the usual names.
  LogicalResult checkAxes() {
    llvm::SetVector<StringRef> known;
    for (auto mesh : getOperation().getOps<MeshOp>())
      for (StringAttr axis : mesh.getAxes().getAsRange<StringAttr>())
        known.insert(axis.getValue());
    if (known.empty())
      return success();
    const size_t numOwn = known.size();
    for (StringRef usual : {"ep", "pp", "cp", "dp", "tp", "esp"})
      known.insert(usual);
    for (StringRef axis : *priorities)
      if (!known.contains(axis))
        return emitError(getOperation().getLoc())
               << getArgument() << ": expected priorities of axes of meshes ("
               << llvm::join(known.getArrayRef().take_front(numOwn), ", ")
               << "), got '" << axis << "'";
    return success();
  }

  /// A function with collectives or pipelines, including those in called
  /// functions.
  struct FunctionToSchedule {
    func::FuncOp function;
    /// A copy without calls and without loops around layers; null if there is
    /// none.
    func::FuncOp flat;
    /// The reason why it cannot be scheduled.
    std::string obstacle;

    func::FuncOp getFlat() { return flat ? flat : function; }
  };

  /// Copies all functions before scheduling any of them, because a called
  /// function may have its own schedule afterwards.
  SmallVector<FunctionToSchedule> findCandidates() {
    SmallVector<FunctionToSchedule> candidates;
    called.clear();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (hasTasks(function))
        candidates.push_back({function, {}, ""});
    for (FunctionToSchedule &candidate : candidates) {
      bool isFlat = true;
      candidate.function.walk([&](Operation *op) {
        isFlat &= !isa<CallOpInterface, scf::ForOp>(op);
        if (auto call = dyn_cast<func::CallOp>(op))
          called.insert(call.getCallee());
      });
      // A function that has a schedule needs no copy.
      if (isFlat ||
          candidate.function
              .walk([](ScheduleOp) { return WalkResult::interrupt(); })
              .wasInterrupted())
        continue;
      OpBuilder builder(candidate.function);
      candidate.flat =
          cast<func::FuncOp>(builder.clone(*candidate.function.getOperation()));
      candidate.obstacle = flatten(candidate.flat);
    }
    return candidates;
  }

  /// Erases private functions that have no calls left, because their bodies
  /// were inlined into all callers.
  llvm::DenseSet<Operation *> eraseInlined() {
    llvm::DenseSet<Operation *> erased;
    for (bool changed = !called.empty(); changed;) {
      changed = false;
      for (auto function :
           llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
        if (function.isPrivate() && called.contains(function.getSymName()) &&
            SymbolTable::symbolKnownUseEmpty(function, getOperation())) {
          erased.insert(function);
          function.erase();
          changed = true;
        }
    }
    return erased;
  }

  /// The functions that are called in functions with collectives.
  llvm::StringSet<> called;
};

} // namespace

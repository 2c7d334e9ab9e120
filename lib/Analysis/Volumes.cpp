// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that collectives send.

#include "moe/Analysis/Volumes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "moe/Analysis/AutomaticDims.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Dialect/Text/Communication.h"
#include "moe/Dialect/Text/Ops.h"
#include "moe/Dialect/Text/StableHLO/Loops.h"
#include "moe/Dialect/Text/StableHLO/Text.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

std::optional<int64_t> CollectiveVolume::getTotalBytes() const {
  int64_t total;
  if (!bytes || llvm::MulOverflow(*bytes, times, total))
    return std::nullopt;
  return total;
}

/// Returns true if dim `dim` of `value` is the chunk of the surrounding
/// pipeline, that is, if it corresponds one to one to the cut dim of a region
/// argument.
static bool isChunkDim(Value value, int64_t dim, PipelineOp pipeline) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParentOp() == pipeline &&
           pipeline.getSplitDims()[argument.getArgNumber()] == dim;
  Operation *op = value.getDefiningOp();
  // A dim of any size that a reshape neither splits nor joins.
  auto throughReshape = [&](auto reshape, bool expands) -> bool {
    for (auto [single, group] :
         llvm::enumerate(reshape.getReassociationIndices()))
      if (group.size() == 1 &&
          (expands ? group.front() : static_cast<int64_t>(single)) == dim)
        return isChunkDim(
            reshape.getSrc(),
            expands ? static_cast<int64_t>(single) : group.front(), pipeline);
    return false;
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return throughReshape(expand, true);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return throughReshape(collapse, false);
  std::optional<DimMap> map = getDimMap(op);
  if (!map)
    return false;
  unsigned result = cast<OpResult>(value).getResultNumber();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (std::optional<unsigned> from = map->getOperandDim(result, dim, i))
      return isChunkDim(operand, *from, pipeline);
  return false;
}

namespace {

struct ChunkSize {
  PipelineOp pipeline;
  int64_t size;
};

} // namespace

/// Returns the bytes of a value; nullopt if its shape is dynamic for other
/// reasons than the size of chunks.
static std::optional<int64_t> getBytes(Value value,
                                       std::optional<ChunkSize> chunk) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 0;
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(extent)) {
      if (!chunk || !isChunkDim(value, dim, chunk->pipeline))
        return std::nullopt;
      extent = chunk->size;
    }
  FailureOr<int64_t> bytes = getTensorBytes(
      RankedTensorType::get(shape, type.getElementType(), type.getEncoding()));
  return succeeded(bytes) ? std::optional(*bytes) : std::nullopt;
}

namespace {

/// The data that one execution of an op sends in one stage, over `group`.
struct Sent {
  GroupAttrInterface group;
  std::optional<int64_t> bytes;
  VolumeBound bound;
};

} // namespace

/// Returns how the bytes of a stage relate to a run.
static VolumeBound getBound(const TrafficStage &stage) {
  return stage.dependsOnRouting ? VolumeBound::Even : VolumeBound::Exact;
}

/// Returns the data that an exchange sends, stage by stage; nullopt if its
/// group does not resolve.
static std::optional<SmallVector<Sent>>
findSent(ExchangeOpInterface op,
         std::optional<ChunkSize> chunk = std::nullopt) {
  bool isKnown = true;
  FailureOr<OpTraffic> exchange =
      op.getExchange([&](Value value) -> FailureOr<int64_t> {
        std::optional<int64_t> bytes = getBytes(value, chunk);
        isKnown &= bytes.has_value();
        return bytes.value_or(0);
      });
  SmallVector<Sent> all;
  if (failed(exchange))
    return std::nullopt;
  for (const TrafficStage &stage : exchange->stages) {
    FailureOr<int64_t> bytes = getSendBytes(stage, op);
    all.push_back(
        {stage.group,
         isKnown && succeeded(bytes) ? std::optional(*bytes) : std::nullopt,
         getBound(stage)});
  }
  return all;
}

/// In a pipeline with chunks of different sizes, splits the volume of a stage
/// into one volume per size. In nested pipelines, leaves the volume unchanged,
/// with unknown bytes.
static void addChunks(CollectiveVolume volume, size_t stage,
                      PipelineOp pipeline,
                      SmallVectorImpl<CollectiveVolume> &volumes) {
  llvm::MapVector<int64_t, int64_t> counts;
  for (int64_t size : pipeline.getChunkSizes())
    ++counts[size];
  int64_t around = volume.times / static_cast<int64_t>(pipeline.getDegree());
  SmallVector<CollectiveVolume> parts;
  for (auto [size, count] : counts) {
    CollectiveVolume &part = parts.emplace_back(volume);
    part.bytes = (*findSent(cast<ExchangeOpInterface>(volume.op),
                            ChunkSize{pipeline, size}))[stage]
                     .bytes;
    if (!part.bytes) {
      volumes.push_back(volume);
      return;
    }
    part.times = around * count;
  }
  llvm::append_range(volumes, parts);
}

namespace {

/// The number of executions of an op, and how it relates to a run.
struct Executions {
  int64_t times = 1;
  VolumeBound bound = VolumeBound::Exact;

  void multiply(int64_t factor) {
    int64_t product;
    if (llvm::MulOverflow(times, factor, product))
      bound = VolumeBound::PerIteration;
    else
      times = product;
  }
  /// Keeps the weaker of two bounds.
  void loosen(VolumeBound other) {
    if (static_cast<int>(other) > static_cast<int>(bound))
      bound = other;
  }
};

/// Counts executions of ops through loops, branches and calls.
class ExecutionCounter {
public:
  explicit ExecutionCounter(Operation *root) {
    root->walk([&](Operation *op) {
      if (!op->hasTrait<OpTrait::SymbolTable>())
        return;
      auto found = SymbolTable::getSymbolUses(&op->getRegion(0));
      if (!found)
        return;
      for (SymbolTable::SymbolUse use : *found) {
        Operation *used =
            symbols.lookupNearestSymbolFrom(use.getUser(), use.getSymbolRef());
        if (isa_and_nonnull<FunctionOpInterface>(used))
          uses[used].push_back(use.getUser());
      }
    });
    // A computation runs the function made from its region.
    root->walk([&](Operation *op) {
      auto name = op->getAttrOfType<StringAttr>(kShardyBodyAttr);
      Operation *body =
          name ? SymbolTable::lookupNearestSymbolFrom(op, name) : nullptr;
      if (body)
        uses[body].push_back(op);
    });
  }

  /// Counts around an op in its function, and around the calls of that
  /// function.
  Executions count(Operation *op) {
    Executions result = countAround(op);
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function)
      return result;
    Executions ofFunction = countCalls(function);
    result.loosen(ofFunction.bound);
    result.multiply(ofFunction.times);
    return result;
  }

private:
  /// Returns how often a function is called: the sum over all its calls, or
  /// once if there are none.
  Executions countCalls(Operation *function) {
    auto [it, isNew] = calls.try_emplace(function);
    if (!isNew) {
      // The function calls itself, so the count is unknown.
      if (open.contains(function))
        it->second.loosen(VolumeBound::PerIteration);
      return it->second;
    }
    SmallVector<Operation *> users = uses.lookup(function);
    if (users.empty())
      return it->second;
    open.insert(function);
    Executions total;
    total.times = 0;
    for (Operation *user : users) {
      auto call = dyn_cast<CallOpInterface>(user);
      bool runs = user->hasAttr(kShardyBodyAttr) ||
                  (call && call.resolveCallableInTable(&symbols) == function);
      if (!runs) {
        // The address of the function is taken.
        total.loosen(VolumeBound::PerIteration);
        continue;
      }
      Executions one = count(user);
      int64_t sum;
      if (llvm::AddOverflow(total.times, one.times, sum))
        one.bound = VolumeBound::PerIteration;
      else
        total.times = sum;
      total.loosen(one.bound);
    }
    open.erase(function);
    if (total.bound == VolumeBound::PerIteration)
      total.times = std::max<int64_t>(total.times, 1);
    Executions &known = calls[function];
    total.loosen(known.bound); // it may have turned out to call itself
    return known = total;
  }

  static Executions countAround(Operation *op) {
    Executions result;
    for (Operation *parent = op->getParentOp(); parent;
         parent = parent->getParentOp()) {
      if (auto function = dyn_cast<FunctionOpInterface>(parent)) {
        // Blocks of unstructured control flow run any number of times.
        Region &body = function.getFunctionBody();
        if (body.findAncestorBlockInRegion(*op->getBlock()) != &body.front())
          result.loosen(VolumeBound::PerIteration);
        break;
      }
      if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
        auto counted = dyn_cast<scf::ForOp>(parent);
        std::optional<APInt> trips =
            counted ? getTripCount(counted) : loop.getStaticTripCount();
        if (trips && trips->getActiveBits() < 63)
          result.multiply(static_cast<int64_t>(trips->getZExtValue()));
        else
          result.loosen(VolumeBound::PerIteration);
      } else if (auto pipeline = dyn_cast<PipelineOp>(parent)) {
        result.multiply(pipeline.getDegree()); // once per chunk
      } else if (isTextDialect(parent->getName().getDialectNamespace())) {
        countAroundText(parent, result);
      } else if (!isa<LayerOp, ScheduleOp, TaskOp>(parent) &&
                 isa<RegionBranchOpInterface>(parent)) {
        result.loosen(VolumeBound::Upper);
      }
    }
    return result;
  }

  /// Counts regions of StableHLO and Shardy: computations run once, loops as
  /// often as their trip count.
  static void countAroundText(Operation *op, Executions &result) {
    StringRef name = op->getName().getStringRef();
    if (name == "sdy.manual_computation" || name == "sdy.named_computation" ||
        name == "stablehlo.async_start")
      return;
    if (std::optional<CountedLoop> loop = findCountedLoop(op))
      result.multiply(loop->trips);
    else
      result.loosen(name == "stablehlo.if" || name == "stablehlo.case"
                        ? VolumeBound::Upper
                        : VolumeBound::PerIteration);
  }

  SymbolTableCollection symbols;
  /// The ops that name each function.
  llvm::DenseMap<Operation *, SmallVector<Operation *>> uses;
  llvm::DenseMap<Operation *, Executions> calls;
  /// Functions in the process of being counted.
  llvm::DenseSet<Operation *> open;
};

} // namespace

/// Returns the name of a collective of this dialect, or of another op that
/// exchanges data.
static StringRef getKindName(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective ? stringifyCollectiveKind(collective.getCollectiveKind())
                    : op->getName().getStringRef();
}

/// Returns the function, layer and phase of an op; the caller fills in bytes
/// and axes.
static CollectiveVolume describe(Operation *op) {
  CollectiveVolume volume{op,
                          /*function=*/{},
                          /*layer=*/{},
                          /*phase=*/{},
                          getKindName(op),
                          /*axes=*/"replica_groups",
                          /*bytes=*/std::nullopt,
                          /*times=*/1,
                          VolumeBound::Exact};
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    volume.function = SymbolTable::getSymbolName(function).getValue();
  if (auto layer = op->getParentOfType<LayerOp>()) {
    volume.layer = layer.getName();
    volume.phase = stringifyPhase(layer.getPhase());
  } else if (auto task = op->getParentOfType<TaskOp>()) {
    volume.layer = task.getLayer();
    volume.phase = stringifyPhase(task.getPhase());
  }
  return volume;
}

namespace {

/// Determines whether XLA shards the operand of an op, so that each rank sends
/// only a part of it.
class ShardedOperands {
public:
  bool contain(Operation *op) {
    SmallVector<StringRef> axes = AutomaticDims::getAxes(op);
    if (axes.empty() || op->getNumOperands() == 0)
      return false;
    auto function = op->getParentOfType<FunctionOpInterface>();
    std::unique_ptr<AutomaticDims> &dims = known[function];
    if (!dims)
      dims = std::make_unique<AutomaticDims>(function);
    Value sent = op->getOperand(0);
    auto type = dyn_cast<RankedTensorType>(sent.getType());
    for (int64_t d = 0; type && d < type.getRank(); ++d)
      if (!dims->find(sent, d, axes).empty())
        return true;
    return false;
  }

private:
  llvm::DenseMap<Operation *, std::unique_ptr<AutomaticDims>> known;
};

} // namespace

SmallVector<CollectiveVolume> moe::computeVolumes(Operation *root) {
  SmallVector<CollectiveVolume> volumes;
  ExecutionCounter counter(root);
  ShardedOperands sharded;
  auto addUnread = [&](Operation *op, StringRef name) {
    CollectiveVolume volume = describe(op);
    volume.kind = name;
    volume.axes = "unread";
    volume.times = counter.count(op).times;
    volume.bound = VolumeBound::Unread;
    volumes.push_back(std::move(volume));
  };
  root->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    auto op = dyn_cast<ExchangeOpInterface>(nested);
    if (!op) {
      StringRef unread = getUnreadCommunication(nested);
      if (!unread.empty())
        addUnread(nested, unread);
      return;
    }
    std::optional<SmallVector<Sent>> all = findSent(op);
    if (!all)
      return addUnread(op, getKindName(op));
    for (auto [stage, sent] : llvm::enumerate(*all)) {
      CollectiveVolume volume = describe(op);
      volume.bytes = sent.bytes;
      volume.bound = sent.bound;
      if (auto names = sent.group.getAxisNames())
        volume.axes = llvm::join(*names, "+");
      Executions executions = counter.count(op);
      volume.times = executions.times;
      executions.loosen(volume.bound);
      if (sharded.contain(op))
        executions.loosen(VolumeBound::Upper);
      volume.bound = executions.bound;
      auto pipeline = op->getParentOfType<PipelineOp>();
      if (!volume.bytes && pipeline &&
          volume.bound != VolumeBound::PerIteration)
        addChunks(std::move(volume), stage, pipeline, volumes);
      else
        volumes.push_back(std::move(volume));
    }
  });
  return volumes;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers with tokens that run in chunks.

#include "moe/Analysis/TokenChunks.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

using ChunkKind = ChunkValue::Kind;

int64_t TokenChunks::getLimit(int64_t chunkTokens) const {
  // Each token is sent to the same expert at most once.
  int64_t ofRank = llvm::SaturatingMultiply<uint64_t>(
      chunkTokens, std::min(choices, experts / std::max<int64_t>(ranks, 1)));
  return std::min<uint64_t>(limit,
                            llvm::SaturatingMultiply<uint64_t>(ranks, ofRank));
}

int64_t TokenChunks::getNodeLimit(int64_t chunkTokens) const {
  return std::min<uint64_t>(
      nodeLimit, llvm::SaturatingMultiply<uint64_t>(nodes, chunkTokens));
}

bool TokenChunks::isOrder(Operation *op) const {
  return llvm::is_contained(orders, op);
}

bool moe::isRowPlan(Operation *op) {
  return isa_and_nonnull<RaggedPlanOp, NodePlanOp>(op);
}

Operation *moe::findPlan(RaggedAllToAllOp exchange) {
  Operation *plan = exchange.getSendSizes().getDefiningOp();
  return isRowPlan(plan) ? plan : nullptr;
}

bool moe::isUniformValue(Value value) {
  DenseElementsAttr constant;
  return value.getDefiningOp<tensor::EmptyOp>() ||
         (matchPattern(value, m_Constant(&constant)) && constant.isSplat());
}

bool moe::canRemake(Value value) {
  return isUniformValue(value) || value.getDefiningOp<tensor::SplatOp>();
}

ChunkInput moe::getChunkInput(OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  auto cutIf = [&](bool cut) {
    return !cut                       ? ChunkInput::Whole
           : canRemake(operand.get()) ? ChunkInput::Remade
                                      : ChunkInput::Cut;
  };
  return TypeSwitch<Operation *, ChunkInput>(operand.getOwner())
      .Case([](PermuteRowsOp) { return ChunkInput::Cut; })
      .Case<ScatterOp, UnpermuteOp, UnpermuteWgradOp>(
          [&](auto) { return cutIf(true); })
      .Case([&](RaggedAllToAllOp) {
        return number == 1 ? ChunkInput::Remade : ChunkInput::Whole;
      })
      .Default([&](Operation *op) {
        return OpTrait::hasElementwiseMappableTraits(op) &&
                       canRemake(operand.get())
                   ? ChunkInput::Remade
                   : ChunkInput::Whole;
      });
}

namespace {

/// Follows the chunks' results through the ops that read them.
class Finder {
public:
  Finder(TokenChunks &chunks, std::string &reason)
      : chunks(chunks), reason(reason) {}

  bool find();

private:
  bool findSeeds();
  /// Finds the ops that make the counts of a `NodePlanOp`.
  bool findNodeCounts(AssembleOp both);
  /// Determines the chunks' results of an op that reads chunk values; returns
  /// false if it cannot run in chunks.
  bool visit(Operation *op);
  bool refuse(Operation *op, const Twine &why) {
    reason = ("expected ops that run in chunks of tokens, got " +
              op->getName().getStringRef() + ": " + why)
                 .str();
    return false;
  }
  /// Returns the chunk's replacement for an operand, or null if it is equal for
  /// all chunks.
  const ChunkValue *lookUp(Value value) const {
    auto it = chunks.values.find(value);
    return it == chunks.values.end() || it->second.isWhole ? nullptr
                                                           : &it->second;
  }
  void set(Value value, ChunkValue chunk) {
    chunks.values.try_emplace(value, chunk);
  }
  /// Returns the length of the outermost dim.
  static int64_t getLength(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() > 0 ? type.getDimSize(0) : -1;
  }
  /// Returns that dim of `value` in units of the layer's tokens or rows.
  std::optional<ChunkValue> measure(Value value, ChunkKind kind) const {
    int64_t unit = kind == ChunkKind::Tokens     ? chunks.tokens
                   : kind == ChunkKind::NodeRows ? chunks.nodeLimit
                                                 : chunks.limit;
    int64_t length = getLength(value);
    if (length < 0 || unit < 1 || length % unit != 0)
      return std::nullopt;
    return ChunkValue{kind, length / unit};
  }
  void addToPipeline(Operation *op);
  /// Returns the number of pipelines on the path to a value outside them.
  unsigned getLevelBehind(Value value) const {
    Operation *def = value.getDefiningOp();
    return levels.lookup(value) + (def && inside.contains(def) ? 1 : 0);
  }

  TokenChunks &chunks;
  std::string &reason;
  llvm::DenseSet<Operation *> inside;
  /// The number of pipelines on the path to each value.
  llvm::DenseMap<Value, unsigned> levels;
};

} // namespace

bool Finder::findNodeCounts(AssembleOp both) {
  bool isOne = both.getDim() == 0 && both.getParts().size() == 2;
  auto counts =
      isOne ? both.getParts()[0].getDefiningOp<ExpertCountsOp>() : nullptr;
  auto nodes =
      isOne ? both.getParts()[1].getDefiningOp<ExpertCountsOp>() : nullptr;
  if (!counts || !nodes || getLength(nodes.getIds()) < 0 ||
      getLength(nodes.getIds()) != getLength(counts.getIds())) {
    reason = "expected counts of experts and of nodes of the same tokens, "
             "joined along dim 0";
    return false;
  }
  chunks.counts = counts;
  chunks.nodeCounts = nodes;
  chunks.bothCounts = both;
  return true;
}

bool Finder::findSeeds() {
  auto nodePlan = dyn_cast<NodePlanOp>(chunks.plan);
  Value value = chunks.plan->getOperand(0);
  auto all = cast<RankedTensorType>(value.getType());
  while (true) {
    Operation *def = value.getDefiningOp();
    if (auto both = dyn_cast_or_null<AssembleOp>(def); both && nodePlan) {
      if (!findNodeCounts(both))
        return false;
      break;
    }
    if (auto counts = dyn_cast_or_null<ExpertCountsOp>(def);
        counts && !nodePlan) {
      chunks.counts = counts;
      break;
    }
    auto gather = dyn_cast_or_null<AllGatherOp>(def);
    auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(def);
    // Splits the outermost dim in two without touching the experts' dim.
    bool cutsRanks =
        expand && expand.getSrcType().getRank() > 0 &&
        expand.getResultType().getRank() == expand.getSrcType().getRank() + 1 &&
        expand.getReassociationIndices().front().size() == 2 &&
        (expand.getSrcType().getRank() > 1 ||
         expand.getResultType().getDimSize(0) == 1);
    auto type = cast<RankedTensorType>(value.getType());
    bool gathersRanks = gather && int64_t(gather.getDim()) < type.getRank() - 1;
    // At the top of a module, an op may read itself.
    if ((!cutsRanks && !gathersRanks) || !type.hasStaticShape() ||
        llvm::is_contained(chunks.exchange, def)) {
      reason = "expected counts of moe.expert_counts, seen with one more dim "
               "and all-gathered along outer dims, got those of " +
               (def ? def->getName().getStringRef().str() : "an argument");
      return false;
    }
    chunks.exchange.push_back(def);
    value = def->getOperand(0);
  }
  std::reverse(chunks.exchange.begin(), chunks.exchange.end());
  auto ids = cast<RankedTensorType>(chunks.counts.getIds().getType());
  if (ids.getRank() != 2 || !ids.hasStaticShape()) {
    reason = "expected ids [tokens, choices] of a static shape, got " +
             debugString(ids);
    return false;
  }
  chunks.tokens = ids.getDimSize(0);
  chunks.choices = ids.getDimSize(1);
  chunks.ranks = all.getDimSize(all.getRank() - 2);
  chunks.experts = all.getShape().back();
  chunks.copies = chunks.choices;
  Value sortedBy = chunks.counts.getIds();
  if (nodePlan) {
    chunks.limit = nodePlan.getLimit();
    chunks.nodeLimit = nodePlan.getNodeLimit();
    chunks.nodes = cast<RankedTensorType>(nodePlan.getNodeSendSizes().getType())
                       .getDimSize(0);
    chunks.experts -= chunks.nodes;
    sortedBy = chunks.nodeCounts.getIds();
    auto nodes = cast<RankedTensorType>(sortedBy.getType());
    if (nodes.getRank() != 2 || !nodes.hasStaticShape()) {
      reason = "expected nodes [tokens, most] of a static shape, got " +
               debugString(nodes);
      return false;
    }
    chunks.copies = nodes.getDimSize(1);
  } else {
    chunks.limit = cast<RaggedPlanOp>(chunks.plan).getLimit();
  }
  for (Operation *user : sortedBy.getUsers())
    if (auto order = dyn_cast<PermuteRowsOp>(user);
        order && order.getIds() == sortedBy)
      chunks.orders.push_back(order);
  if (chunks.orders.empty()) {
    reason = "expected moe.permute_rows by the ids that are counted, got none";
    return false;
  }
  // Each token has one row number per counted expert or node.
  for (PermuteRowsOp order : chunks.orders) {
    set(order.getRows(), {ChunkKind::Tokens, chunks.copies});
    set(order.getSlots(), {ChunkKind::Tokens, 1});
  }
  for (Value result : chunks.plan->getResults())
    set(result, {ChunkKind::Fixed});
  return true;
}

void Finder::addToPipeline(Operation *op) {
  unsigned level = 0;
  for (Value operand : op->getOperands())
    level = std::max(level, lookUp(operand) ? levels.lookup(operand)
                                            : getLevelBehind(operand));
  inside.insert(op);
  for (Value result : op->getResults())
    levels[result] = level;
  for (ChunkedOps &pipeline : chunks.pipelines)
    if (pipeline.block == op->getBlock() && pipeline.level == level) {
      pipeline.ops.push_back(op);
      return;
    }
  chunks.pipelines.push_back({op->getBlock(), level, {op}});
}

bool Finder::visit(Operation *op) {
  if (isa<FunctionOpInterface>(op->getParentOp()) &&
      op->hasTrait<OpTrait::IsTerminator>()) {
    reason = "expected the backward pass of the layer beside it, which runs in "
             "the same chunks, got a function that hands out what it reads of "
             "chunks";
    return false;
  }
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        !tensor || !tensor.hasStaticShape())
      return refuse(op, "its results are not of a static shape");
  for (OpOperand &operand : op->getOpOperands()) {
    if (lookUp(operand.get()))
      continue;
    ChunkInput input = getChunkInput(operand);
    if (input == ChunkInput::Cut && getLength(operand.get()) != chunks.tokens)
      return refuse(op, "an operand has other tokens");
    if (input == ChunkInput::Remade && !canRemake(operand.get()))
      return refuse(op, "it writes into what is no tensor.empty");
  }
  auto first = [&] { return lookUp(op->getOperand(0)); };
  auto is = [&](unsigned operand, ChunkValue expected) {
    const ChunkValue *value = lookUp(op->getOperand(operand));
    return value && *value == expected;
  };
  auto done = [&](std::optional<ChunkValue> value) {
    if (!value)
      return refuse(op, "its result has neither so many tokens nor rows");
    for (Value result : op->getResults())
      set(result, *value);
    return true;
  };
  auto readsRuns = [&](auto experts, Value second) {
    const ChunkValue *other = lookUp(second);
    return first() && first()->kind == ChunkKind::Rows && other &&
           *other == *first() && experts.getRunSizes() &&
           lookUp(experts.getRunSizes()) && lookUp(experts.getRunOffsets());
  };
  constexpr StringLiteral kNoRuns =
      "expected experts on runs of rows received by the plan";
  ChunkValue whole{ChunkKind::Tokens, 1, /*isWhole=*/true};
  ChunkValue slots{ChunkKind::Tokens, 1},
      rows{ChunkKind::Tokens, chunks.copies};
  // The same for tokens that arrived at their node.
  ChunkValue places{ChunkKind::NodeRows, 1},
      copies{ChunkKind::NodeRows, chunks.choices};
  bool ofNodes = isa<NodePlanOp>(chunks.plan);
  return TypeSwitch<Operation *, bool>(op)
      .Case<RaggedPlanOp, NodePlanOp>([&](auto) {
        // The plan must be this layer's, and unique.
        return op == chunks.plan ||
               refuse(op, "it reads what only a chunk has");
      })
      .Case([&](PermuteRowsOp order) {
        if (chunks.isOrder(op))
          return true;
        // Tokens that arrived at their node are permuted by its experts.
        if (!ofNodes || !is(0, places) || !is(1, places))
          return refuse(op, "it reads what only a chunk has");
        set(order.getRows(), copies);
        set(order.getSlots(), places);
        return true;
      })
      .Case([&](RaggedAllToAllOp exchange) {
        for (unsigned i = 2; i < 6; ++i)
          if (!is(i, {ChunkKind::Fixed}))
            return refuse(op, "offsets or sizes are of no plan");
        if (!first() || first()->kind == ChunkKind::Fixed)
          return refuse(op, "it sends what no chunk has made");
        ChunkKind from = first()->kind, to = ChunkKind::Tokens;
        if (!ofNodes) {
          to = from == ChunkKind::Tokens ? ChunkKind::Rows : ChunkKind::Tokens;
        } else {
          bool isBetween =
              exchange.getGroup() == cast<NodePlanOp>(chunks.plan).getGroup();
          if (from == ChunkKind::NodeRows)
            to = isBetween ? ChunkKind::Tokens : ChunkKind::Rows;
          else if (isBetween == (from == ChunkKind::Tokens))
            to = ChunkKind::NodeRows;
          else
            return refuse(op, "it sends rows that are no part of it");
        }
        return done(measure(exchange.getResult(), to));
      })
      .Case([&](UnpermuteOp unpermute) {
        if (ofNodes && is(0, copies) && is(1, places))
          return lookUp(unpermute.getWeights()) && !is(2, places)
                     ? refuse(op, "its weights are others")
                     : done(places);
        if (!is(0, rows) || !is(1, slots))
          return refuse(op, "it brings back other rows");
        return done(whole);
      })
      .Case([&](ScatterOp scatter) {
        bool inside = ofNodes && is(0, places) && is(1, places);
        if (!inside && !is(1, slots))
          return refuse(op, "its slots are others");
        auto type = cast<RankedTensorType>(scatter.getResult().getType());
        std::optional<ChunkValue> made =
            measure(scatter.getResult(),
                    inside ? ChunkKind::NodeRows : ChunkKind::Tokens);
        if (type.getRank() != 2 || !made || *made != (inside ? copies : rows))
          return refuse(op, "it makes other rows");
        return done(made);
      })
      .Case([&](UnpermuteWgradOp) {
        if (ofNodes && is(0, places) && is(1, copies) && is(2, places))
          return done(places);
        if (!is(1, rows) || !is(2, slots))
          return refuse(op, "it reads other rows");
        return done(whole);
      })
      .Case<QuantizeOp, DequantizeOp>([&](auto) {
        // Each row is processed separately.
        if (!first() || first()->kind == ChunkKind::Fixed ||
            !is(op->getNumOperands() - 1, *first()))
          return refuse(op, "it reads what only a chunk has");
        return done(*first());
      })
      .Case([&](ExpertsOp experts) {
        return readsRuns(experts, experts.getTokens()) ? done(*first())
                                                       : refuse(op, kNoRuns);
      })
      .Case([&](ExpertsDgradOp experts) {
        return readsRuns(experts, experts.getCotangent()) ? done(*first())
                                                          : refuse(op, kNoRuns);
      })
      .Case([&](ExpertsWgradOp experts) {
        return readsRuns(experts, experts.getCotangent())
                   ? done(ChunkValue{ChunkKind::Part, 1, /*isWhole=*/true})
                   : refuse(op, kNoRuns);
      })
      .Case<AllGatherOp, ReduceScatterOp, DropOp>([&](auto moved) {
        if (first()->kind == ChunkKind::Fixed)
          return refuse(op, "it moves the sizes of an exchange");
        if (moved.getDim() != 0)
          return done(*first());
        // Consecutive buffers of several ranks.
        if (first()->kind != ChunkKind::Rows || isa<DropOp>(op))
          return refuse(op, "it joins or cuts tokens");
        return done(measure(moved.getResult(), ChunkKind::Rows));
      })
      .Default([&](Operation *) {
        bool mayRun = isa<AllReduceOp, HookOp>(op) ||
                      (OpTrait::hasElementwiseMappableTraits(op) &&
                       isMemoryEffectFree(op));
        const ChunkValue *read = nullptr;
        for (OpOperand &operand : op->getOpOperands()) {
          const ChunkValue *value = lookUp(operand.get());
          if (!value && getChunkInput(operand) == ChunkInput::Remade)
            continue;
          mayRun &= value && (!read || *read == *value);
          read = value;
        }
        if (!mayRun || !read)
          return refuse(op, "it reads what only a chunk has");
        return done(*read);
      });
}

bool Finder::find() {
  if (!findSeeds())
    return false;
  auto function = chunks.plan->getParentOfType<FunctionOpInterface>();
  bool isDone = true;
  Operation *root =
      function ? function.getOperation() : chunks.plan->getParentOp();
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool reads = llvm::any_of(op->getOperands(),
                              [&](Value value) { return lookUp(value); });
    if (chunks.isOrder(op) || op == chunks.plan || reads) {
      if (auto layer = dyn_cast<LayerOp>(op->getParentOp());
          layer && op->hasTrait<OpTrait::IsTerminator>()) {
        for (auto [value, result] :
             llvm::zip_equal(op->getOperands(), layer.getResults()))
          if (const ChunkValue *chunk = lookUp(value))
            set(result, *chunk);
      } else if (!visit(op)) {
        isDone = false;
        return WalkResult::interrupt();
      } else {
        addToPipeline(op);
        return WalkResult::advance();
      }
    }
    // Ops that use results of a pipeline follow that pipeline.
    unsigned level = 0;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        level = std::max(level, getLevelBehind(operand));
    });
    auto layer = dyn_cast_or_null<LayerOp>(op->getParentOp());
    if (layer && op->hasTrait<OpTrait::IsTerminator>())
      for (auto [value, result] :
           llvm::zip_equal(op->getOperands(), layer.getResults()))
        levels[result] = getLevelBehind(value);
    if (level > 0)
      for (Value result : op->getResults())
        levels[result] = level;
    return WalkResult::advance();
  });
  if (!isDone)
    return false;
  for (const ChunkedOps &pipeline : chunks.pipelines)
    if (!isa<LayerOp, FunctionOpInterface>(pipeline.block->getParentOp())) {
      reason = "expected ops of a layer or function, got ops in " +
               pipeline.block->getParentOp()->getName().getStringRef().str();
      return false;
    }
  return true;
}

/// Finds the chunks under the assumption that all ops keep rows separate.
static std::optional<TokenChunks> outlineTokenChunks(Operation *plan,
                                                     std::string &reason) {
  TokenChunks chunks;
  chunks.plan = plan;
  if (!Finder(chunks, reason).find())
    return std::nullopt;
  return chunks;
}

std::optional<TokenChunks> moe::findTokenChunks(Operation *plan,
                                                const RowProvenance &rows,
                                                int64_t degree,
                                                std::string &reason) {
  std::optional<TokenChunks> chunks = outlineTokenChunks(plan, reason);
  if (!chunks)
    return std::nullopt;
  // A chunk places its tokens in other rows than the whole layer does.
  for (const ChunkedOps &pipeline : chunks->pipelines)
    for (Operation *op : pipeline.ops)
      if (StringRef why = rows.getReason(op); !why.empty()) {
        reason = ("expected ops that run in chunks of tokens, got " +
                  op->getName().getStringRef() + ": " + why)
                     .str();
        return std::nullopt;
      }
  if (chunks->tokens < degree) {
    reason =
        std::to_string(chunks->tokens) + " tokens are fewer than the degree";
    return std::nullopt;
  }
  return chunks;
}

SmallVector<LayerOp> moe::findLayersInChunks(LayerOp layer) {
  SmallVector<LayerOp> layers{layer};
  for (Operation &op : layer.getBody().front()) {
    if (!isRowPlan(&op))
      continue;
    std::string reason;
    std::optional<TokenChunks> chunks = outlineTokenChunks(&op, reason);
    for (const ChunkedOps &pipeline :
         chunks ? ArrayRef(chunks->pipelines) : ArrayRef<ChunkedOps>())
      if (auto other = dyn_cast<LayerOp>(pipeline.block->getParentOp()))
        if (!llvm::is_contained(layers, other))
          layers.push_back(other);
  }
  return layers;
}

SmallVector<LayerOp> moe::findLayersAround(LayerOp layer) {
  SmallVector<LayerOp> none{layer};
  for (auto exchange : layer.getBody().getOps<RaggedAllToAllOp>())
    if (auto forward = exchange.getSendSizes().getDefiningOp<LayerOp>()) {
      SmallVector<LayerOp> layers = findLayersInChunks(forward);
      return llvm::is_contained(layers, layer) ? layers : none;
    }
  return findLayersInChunks(layer);
}

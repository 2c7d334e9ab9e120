// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds layers that can send tokens once per node.

#include "moe/Transforms/NodeDedup.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "moe/Transforms/Rules.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

bool moe::isAllOnes(Value value) {
  DenseFPElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) && constant.isSplat() &&
         constant.getSplatValue<APFloat>().isExactlyValue(1.0);
}

namespace {

class Finder {
public:
  Finder(NodeDedup &form, std::string &reason) : form(form), reason(reason) {}

  bool find() {
    return findGroups() && findCounts() && findOrder() && findExchanges() &&
           findReaders() && findSources();
  }

private:
  bool refuse(const Twine &why) {
    reason = why.str();
    return false;
  }
  static std::string nameOf(Value value) {
    Operation *def = value.getDefiningOp();
    return def ? def->getName().getStringRef().str() : "an argument";
  }
  bool findGroups();
  bool findCounts();
  bool findOrder();
  bool findExchanges();
  bool findReaders();
  bool findSources();
  bool addReader(OpOperand &use);
  bool addWeights(Value value);
  /// Calls `body` for every use of a value, including uses of layer results for
  /// it, until `body` returns false.
  bool forUses(Value value, llvm::function_ref<bool(OpOperand &)> body);

  NodeDedup &form;
  std::string &reason;
};

} // namespace

bool Finder::forUses(Value value, llvm::function_ref<bool(OpOperand &)> body) {
  for (OpOperand &use : value.getUses()) {
    auto layer = dyn_cast_or_null<LayerOp>(use.getOwner()->getParentOp());
    if (layer && isa<YieldOp>(use.getOwner())) {
      if (!forUses(layer.getResult(use.getOperandNumber()), body))
        return false;
    } else if (!body(use)) {
      return false;
    }
  }
  return true;
}

bool Finder::findGroups() {
  // Inside of functions, no op can be its own operand.
  if (!form.plan->getParentOfType<FunctionOpInterface>())
    return refuse("expected a layer in a function");
  if (form.plan->getParentOfType<TaskOp>() ||
      form.plan->getParentOfType<PipelineOp>())
    return refuse("expected a layer in no task and no pipeline");
  std::optional<AxisSplit> axes =
      splitAxes(form.plan, form.plan.getGroup(), reason);
  if (!axes)
    return false;
  form.inside = axes->inner;
  form.between = axes->outer;
  form.nodes = axes->outerSize;
  form.places = axes->innerSize;
  return true;
}

/// Returns the group of all ranks whose counts a plan reads, with the joined
/// group outermost; null if a group is not defined by axes.
static GroupAttrInterface getAllRanks(RaggedPlanOp plan) {
  if (!plan.getJoined())
    return plan.getGroup();
  auto group = dyn_cast<GroupAttr>(Attribute(plan.getGroup()));
  auto joined = dyn_cast<GroupAttr>(Attribute(plan.getJoinedAttr()));
  if (!group || !joined)
    return {};
  SmallVector<StringRef> names = *joined.getAxisNames();
  llvm::append_range(names, *group.getAxisNames());
  return GroupAttr::get(group.getMesh(), names);
}

bool Finder::findCounts() {
  Value all = form.plan.getCounts();
  if (form.plan.getJoined())
    if ((form.cut = all.getDefiningOp<tensor::ExpandShapeOp>()))
      all = form.cut.getSrc();
  form.gather = all.getDefiningOp<AllGatherOp>();
  if (form.gather)
    form.expand =
        form.gather.getOperand().getDefiningOp<tensor::ExpandShapeOp>();
  if (form.expand)
    form.counts = form.expand.getSrc().getDefiningOp<ExpertCountsOp>();
  if (!form.counts || form.gather.getDim() != 0 ||
      form.gather.getGroup() != getAllRanks(form.plan) ||
      form.expand.getResultType().getRank() != 2 ||
      form.expand.getResultType().getDimSize(0) != 1)
    return refuse("expected counts of moe.expert_counts, seen with one more "
                  "dim and all-gathered over the plan's groups, got those of " +
                  nameOf(all));
  auto ids = cast<RankedTensorType>(form.counts.getIds().getType());
  if (ids.getRank() != 2 || !ids.hasStaticShape())
    return refuse("expected ids [tokens, choices] of a static shape, got " +
                  Twine(debugString(ids)));
  form.tokens = ids.getDimSize(0);
  form.choices = ids.getDimSize(1);
  return true;
}

bool Finder::findOrder() {
  SmallVector<PermuteRowsOp> orders;
  for (Operation *user : form.counts.getIds().getUsers())
    if (auto order = dyn_cast<PermuteRowsOp>(user))
      orders.push_back(order);
  if (orders.size() != 1)
    return refuse("expected one moe.permute_rows by the ids that are counted, "
                  "got " +
                  Twine(orders.size()));
  form.order = orders.front();
  form.experts = form.order.getExperts();
  auto counted = cast<RankedTensorType>(form.counts.getCounts().getType());
  if (counted.getShape().back() != form.experts ||
      !isStatic(form.order.getTokens()))
    return refuse("expected tokens of a static shape, sorted by the experts "
                  "that are counted");
  // A gate that chooses from few groups of experts sends to few nodes.
  form.width = std::min(form.choices, form.nodes);
  auto gate = form.counts.getIds().getDefiningOp<GateOp>();
  if (gate && gate.getTopGroups()) {
    int64_t groups = *gate.getNumGroups(), top = *gate.getTopGroups();
    if (groups % form.nodes == 0)
      form.width = std::min(form.width, top);
    else if (form.nodes % groups == 0)
      form.width = std::min(form.width, top * (form.nodes / groups));
  }
  form.nodeLimit = std::min<uint64_t>(
      llvm::SaturatingMultiply<uint64_t>(form.nodes, form.tokens),
      llvm::SaturatingMultiply<uint64_t>(form.places, form.plan.getLimit()));
  int64_t rows;
  if (llvm::MulOverflow(form.nodeLimit, form.choices, rows))
    return refuse("expected fewer tokens");
  return true;
}

bool Finder::findExchanges() {
  Value plan[] = {form.plan.getSendOffsets(), form.plan.getSendSizes(),
                  form.plan.getRecvOffsets(), form.plan.getRecvSizes()};
  for (auto [number, value] : llvm::enumerate(plan)) {
    bool known = forUses(value, [&](OpOperand &use) {
      auto exchange = dyn_cast<RaggedAllToAllOp>(use.getOwner());
      if (!exchange || exchange.getGroup() != form.plan.getGroup() ||
          !isStatic(exchange.getResult()) ||
          cast<RankedTensorType>(exchange.getType()).getRank() != 2)
        return refuse("expected offsets and sizes that exchanges of rows over "
                      "the plan's group read, got " +
                      use.getOwner()->getName().getStringRef());
      Value own[] = {exchange.getSendOffsets(), exchange.getSendSizes(),
                     exchange.getRecvOffsets(), exchange.getRecvSizes()};
      bool isThere = true, isBack = true;
      for (unsigned i = 0; i < 4; ++i) {
        isThere &= getLiveOut(own[i]) == plan[i];
        isBack &= getLiveOut(own[i]) == plan[(i + 2) % 4];
      }
      if (!isThere && !isBack)
        return refuse("expected exchanges by offsets and sizes of one plan");
      if (!getLiveOut(exchange.getInit()).getDefiningOp<tensor::EmptyOp>())
        return refuse("expected rows received into a tensor.empty, got " +
                      nameOf(exchange.getInit()));
      // Each exchange must use each of the four results once.
      if (number !=
          (isThere ? use.getOperandNumber() - 2 : use.getOperandNumber() % 4))
        return refuse("expected exchanges by offsets and sizes of one plan");
      if (number != 0)
        return true;
      if (isBack) {
        form.back.push_back(exchange);
        return true;
      }
      Value rows = exchange.getOperand();
      if (rows == form.order.getRows() && !form.dispatch) {
        form.dispatch = exchange;
        return true;
      }
      auto scatter = rows.getDefiningOp<ScatterOp>();
      if (!scatter || !rows.hasOneUse() ||
          getLiveOut(scatter.getSlots()) != form.order.getSlots())
        return refuse("expected rows of moe.permute_rows, or of moe.scatter by "
                      "its slots, got those of " +
                      Twine(nameOf(rows)));
      if (scatter.getWeights() && !form.dispatch &&
          scatter.getRows() == form.order.getTokens()) {
        form.weighted = scatter;
        form.dispatch = exchange;
        return true;
      }
      form.scattered.push_back(exchange);
      return true;
    });
    if (!known)
      return false;
  }
  bool isRead = form.order.getRows().hasOneUse();
  if (form.weighted)
    isRead = form.order.getRows().use_empty() &&
             form.weighted->getBlock() == form.order->getBlock();
  if (!form.dispatch || !isRead ||
      form.dispatch->getBlock() != form.order->getBlock() ||
      form.dispatch->getBlock() != form.plan->getBlock())
    return refuse(
        "expected one exchange of the rows of moe.permute_rows, in the "
        "block of its plan");
  for (Value runs : {form.plan.getRunOffsets(), form.plan.getRunSizes()})
    if (!forUses(runs, [&](OpOperand &use) {
          return isa<ExpertsOp, ExpertsDgradOp, ExpertsWgradOp>(
                     use.getOwner()) ||
                 refuse("expected runs that experts read, got " +
                        use.getOwner()->getName().getStringRef());
        }))
      return false;
  return true;
}

bool Finder::addWeights(Value value) {
  if (!value || isAllOnes(value))
    return true;
  Value origin = getLiveOut(value);
  Operation *def = origin.getDefiningOp();
  bool isThere = def && def->getBlock() == form.dispatch->getBlock()
                     ? def->isBeforeInBlock(form.dispatch)
                     : origin.getParentRegion()->isAncestor(
                           form.dispatch->getParentRegion());
  if ((form.weights && origin != form.weights) || !isThere)
    return refuse("expected weights that are one before tokens are sent, or "
                  "all 1, got those of " +
                  Twine(nameOf(origin)));
  form.weights = origin;
  return true;
}

bool Finder::addReader(OpOperand &use) {
  auto isBack = [&](Value buffer) {
    return llvm::any_of(form.back, [&](RaggedAllToAllOp exchange) {
      return getLiveOut(buffer) == exchange.getResult();
    });
  };
  auto isSlots = [&](Value slots) {
    return getLiveOut(slots) == form.order.getSlots();
  };
  if (use.getOwner() == form.weighted)
    return addWeights(form.weighted.getWeights());
  if (use.getOwner()->getBlock() == form.dispatch->getBlock() &&
      use.getOwner()->isBeforeInBlock(form.dispatch))
    return refuse("expected rows and slots that are read once tokens are sent");
  return TypeSwitch<Operation *, bool>(use.getOwner())
      .Case([&](UnpermuteOp op) {
        if (!isBack(op.getBuffer()) || !isSlots(op.getSlots()))
          return refuse("expected rows and slots of one layer at "
                        "moe.unpermute");
        if (!llvm::is_contained(form.unpermutes, op))
          form.unpermutes.push_back(op);
        return addWeights(op.getWeights());
      })
      .Case([&](UnpermuteWgradOp op) {
        if (!isBack(op.getBuffer()) || !isSlots(op.getSlots()))
          return refuse("expected rows and slots of one layer at "
                        "moe.unpermute_wgrad");
        if (!llvm::is_contained(form.wgrads, op))
          form.wgrads.push_back(op);
        return true;
      })
      .Case([&](ScatterOp op) {
        for (RaggedAllToAllOp exchange : form.scattered)
          if (exchange.getOperand() == op.getResult())
            return addWeights(op.getWeights());
        return refuse("expected gradients that are sent at once, got a "
                      "moe.scatter of others");
      })
      .Case([&](func::ReturnOp) {
        return refuse("expected the forward and the backward pass in one "
                      "function, got one that returns its rows or slots for a "
                      "backward function, as --phase=layer imports it; import "
                      "the step with --phase=train, or use another strategy");
      })
      .Default([&](Operation *op) {
        return refuse("expected rows and slots that moe.unpermute, "
                      "moe.unpermute_wgrad and moe.scatter read, got " +
                      op->getName().getStringRef());
      });
}

bool Finder::findReaders() {
  auto add = [&](OpOperand &use) { return addReader(use); };
  if (!forUses(form.order.getSlots(), add))
    return false;
  for (RaggedAllToAllOp exchange : form.back)
    if (!forUses(exchange.getResult(), add))
      return false;
  return true;
}

bool Finder::findSources() {
  for (UnpermuteWgradOp wgrad : form.wgrads) {
    ScatterOp source;
    if (form.weighted && form.weighted.getRows() == wgrad.getCotangent())
      source = form.weighted;
    for (RaggedAllToAllOp exchange : form.scattered) {
      auto scatter = exchange.getOperand().getDefiningOp<ScatterOp>();
      if (scatter.getRows() == wgrad.getCotangent() &&
          scatter->getBlock() == wgrad->getBlock() &&
          scatter->isBeforeInBlock(wgrad))
        source = scatter;
    }
    if (!source)
      return refuse("expected gradients of weights from gradients of tokens "
                    "that are sent before");
    form.sources.push_back(source);
  }
  return true;
}

std::optional<NodeDedup> moe::findNodeDedup(RaggedPlanOp plan,
                                            const RowProvenance &rows,
                                            std::string &reason) {
  NodeDedup form;
  form.plan = plan;
  if (!Finder(form, reason).find())
    return std::nullopt;
  // Rows from nodes have another order than rows from separate ranks.
  if (std::string why = rows.explain(form.order); !why.empty()) {
    reason = "expected ops that treat rows one by one, got " + why;
    return std::nullopt;
  }
  return form;
}

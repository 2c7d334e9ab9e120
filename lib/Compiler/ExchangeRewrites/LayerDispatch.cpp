// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits on the rows that ranks send in a layer.

#include "LayerDispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/DebugStringHelper.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Traffic/Routing.h"
#include <cmath>

using namespace mlir;
using namespace moe;

std::optional<RowLayer> moe::findRowLayer(RaggedPlanOp plan,
                                          std::string &reason) {
  auto refuse = [&](const Twine &why) {
    reason = why.str();
    return std::nullopt;
  };
  if (plan->getParentOfType<TaskOp>() || plan->getParentOfType<PipelineOp>())
    return refuse("expected a layer that is in no task and no pipeline, whose "
                  "tokens are all counted together");
  RowLayer layer;
  layer.plan = plan;
  Value value = plan.getCounts();
  SmallVector<Operation *> seen;
  while (Operation *def = value.getDefiningOp()) {
    // At the top of a module, an op may read itself.
    if (!isa<AllGatherOp, tensor::ExpandShapeOp, ExpertCountsOp>(def) ||
        llvm::is_contained(seen, def))
      break;
    seen.push_back(def);
    if ((layer.counts = dyn_cast<ExpertCountsOp>(def)))
      break;
    value = def->getOperand(0);
  }
  if (!layer.counts)
    return refuse("expected counts of moe.expert_counts, all-gathered, got "
                  "those of " +
                  Twine(value.getDefiningOp()
                            ? value.getDefiningOp()->getName().getStringRef()
                            : "an argument"));
  SmallVector<PermuteRowsOp> orders;
  for (Operation *user : layer.counts.getIds().getUsers())
    if (auto order = dyn_cast<PermuteRowsOp>(user))
      orders.push_back(order);
  if (orders.size() != 1 ||
      orders.front()->getBlock() != layer.counts->getBlock())
    return refuse("expected one moe.permute_rows by the ids that are counted, "
                  "beside it, got " +
                  Twine(orders.size()));
  layer.order = orders.front();
  auto ids = cast<RankedTensorType>(layer.getIds().getType());
  auto rows = cast<RankedTensorType>(layer.order.getRows().getType());
  FailureOr<int64_t> ranks = plan.getGroup().getGroupSize(plan);
  if (!ids.hasStaticShape() || !rows.hasStaticShape() || failed(ranks) ||
      rows.getElementType().isIndex() || rows.getNumElements() == 0)
    return refuse("expected tokens of a static shape, got " +
                  debugString(rows));
  layer.name = getLayerName(plan).str();
  layer.ranks = *ranks;
  layer.experts = layer.order.getExperts();
  layer.tokens = ids.getDimSize(0);
  layer.choices = ids.getDimSize(1);
  layer.bytesPerToken =
      double(rows.getDimSize(1)) * double(rows.getElementTypeBitWidth()) / 8;
  return layer;
}

LimitTable moe::makeLimits(const RowLayer &layer,
                           const dispatch::DispatchPlan &plan, double factor,
                           bool perExpert) {
  // Tokens are sent to each expert at most once.
  int64_t ofExpert = layer.tokens;
  int64_t ofRank =
      layer.tokens * std::min(layer.choices, layer.getExpertsPerRank());
  auto round = [&](int64_t rows, int64_t most) {
    return int64_t(std::min(std::ceil(factor * double(rows)), double(most)));
  };
  LimitTable table =
      perExpert
          ? dispatch::spreadOverExperts(plan.tokens, layer.getExpertsPerRank())
          : plan.tokens;
  for (int64_t &limit : table.getValues())
    limit = round(limit, perExpert ? ofExpert : ofRank);
  return table;
}

void moe::limitChoices(RowLayer &layer, const LimitTable &table) {
  Operation *first = layer.order;
  if (layer.counts->isBeforeInBlock(first))
    first = layer.counts;
  OpBuilder b(first);
  Location loc = layer.order.getLoc();
  int64_t columns = table.getNumColumns();
  auto integers = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getI32Type());
  };
  auto limits =
      llvm::to_vector_of<int32_t>(ArrayRef<int64_t>(table.getValues()));
  Value all = arith::ConstantOp::create(
      b, loc,
      DenseIntElementsAttr::get(integers({layer.ranks, columns}),
                                ArrayRef<int32_t>(limits)));
  Value own = DropOp::create(b, loc, all, layer.plan.getGroup(),
                             /*dim=*/0, layer.ranks);
  own = tensor::CollapseShapeOp::create(b, loc, integers({columns}), own,
                                        ArrayRef{ReassociationIndices{0, 1}});
  Value ids = layer.getIds();
  Value sent = LimitChoicesOp::create(
      b, loc, ids.getType(), layer.order.getKind(), ids, layer.experts, own);
  layer.counts.getIdsMutable().assign(sent);
  layer.order.getIdsMutable().assign(sent);
}

/// Returns the rows of each rank for each column of a table at one iteration.
static cost::Result<schedule::ExpertCounts>
getWanted(const RowLayer &layer, int64_t columns, const traffic::Trace &trace,
          const std::string &file, size_t step) {
  traffic::Routing routing(
      std::shared_ptr<const traffic::Trace>(std::shared_ptr<void>(), &trace),
      file, step);
  traffic::RoutedLayer routed{layer.name, layer.ranks, layer.experts};
  if (columns == layer.ranks && columns != layer.experts)
    return routing.getRows(routed, double(layer.getCopies()));
  cost::Result<double> scale =
      routing.getScale(routed, double(layer.getCopies()));
  if (!scale)
    return scale.getFailure();
  auto wanted = schedule::ExpertCounts::of(layer.ranks, columns);
  for (const traffic::LayerTraffic &each : trace.steps[step].layers) {
    if (!each.layer.empty() && each.layer != layer.name)
      continue;
    // A single row has the total of all ranks.
    bool isShared = each.counts.getNumRows() == 1;
    double factor = *scale / double(isShared ? layer.ranks : 1);
    for (int64_t i = 0; i < layer.ranks; ++i)
      for (int64_t e = 0; e < columns; ++e)
        wanted.at(i, e) = factor * each.counts.at(isShared ? 0 : i, e);
    break;
  }
  return wanted;
}

cost::Result<DroppedCopies> moe::countDropped(const RowLayer &layer,
                                              const LimitTable &table,
                                              const traffic::Trace &trace,
                                              const std::string &file) {
  int64_t columns = table.getNumColumns();
  if (trace.isRankToRank && columns != layer.ranks)
    return cost::Failure{file + ": rank_counts: expected counts of experts, "
                                "which limits of experts are compared with, "
                                "got those between ranks"};
  DroppedCopies result;
  for (size_t step = 0; step < trace.steps.size(); ++step) {
    cost::Result<schedule::ExpertCounts> counts =
        getWanted(layer, columns, trace, file, step);
    if (!counts)
      return counts.getFailure();
    double all = 0, dropped = 0;
    for (int64_t i = 0; i < layer.ranks; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        double rows = counts->at(i, j);
        double beyond = std::max(0.0, rows - double(table.at(i, j)));
        all += rows;
        dropped += beyond;
      }
    ++result.steps;
    result.copies += all;
    result.dropped += dropped;
    result.worst = std::max(result.worst, dropped / all);
  }
  return result;
}

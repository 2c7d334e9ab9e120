// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of uneven runs through delegates.

#include "DelegatedRows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

std::optional<DelegatedPlan> moe::findDelegatedPlan(RaggedPlanOp plan,
                                                    ocs::FabricOp fabric,
                                                    int64_t numaNodes,
                                                    std::string &reason) {
  auto refuse = [&](const Twine &why) {
    reason = why.str();
    return std::nullopt;
  };
  if (plan->getParentOfType<PipelineOp>())
    return refuse("expected rows that are planned outside of pipelines: "
                  "delegates come before chunks of tokens");
  if (plan.getJoined())
    return refuse("expected rows of one group, got such that ranks of another "
                  "one join");
  if (fabric.getEps() < 1)
    return refuse("expected servers with network cards on EPS, as nothing is "
                  "known of circuits before, got none");
  auto group = getRankGroups(plan, plan.getGroup());
  auto region = getRankGroups(plan, fabric.getRegionGroup());
  if (!group || !region)
    return refuse(group ? region.getError() : group.getError());
  if (!(*group == *region))
    return refuse("expected a group of all ranks of a region, in their order, "
                  "got other ones");
  auto counts = cast<RankedTensorType>(plan.getCounts().getType());
  if (!counts.hasStaticShape() || !counts.getElementType().isInteger() ||
      !llvm::is_contained({32u, 64u},
                          counts.getElementType().getIntOrFloatBitWidth()))
    return refuse("expected counts of a static shape, of 32 or 64 bits");
  int64_t most = std::max<int64_t>(fabric.getOptical(), 1);
  if (numaNodes < 1 || numaNodes > most)
    return refuse("expected 1 to " + Twine(most) + " NUMA nodes, got " +
                  Twine(numaNodes));
  auto exchanges = PlannedExchanges::find(plan, reason);
  if (!exchanges)
    return std::nullopt;
  // An even share is one destination per other server.
  constexpr int64_t kMostOfEvenShare = 2;
  return DelegatedPlan{plan, *exchanges,
                       kMostOfEvenShare * (fabric.getNumServers() - 1),
                       numaNodes};
}

namespace {

class Router {
public:
  Router(DelegatedPlan &delegated, ocs::FabricOp fabric)
      : delegated(delegated), fabric(fabric), builder(delegated.plan) {
    SmallVector<StringRef> names =
        llvm::to_vector(fabric.getServer().getAsValueRange<StringAttr>());
    server = GroupAttr::get(fabric.getMeshAttr(), names);
  }

  void run() {
    RaggedPlanOp plan = delegated.plan;
    int64_t places = fabric.getServerRanks(), servers = fabric.getNumServers(),
            limit = plan.getLimit(), rows = delegated.exchanges.getNearRows();
    auto times = [](uint64_t a, uint64_t b) {
      return int64_t(std::min<uint64_t>(llvm::SaturatingMultiply(a, b),
                                        std::numeric_limits<int64_t>::max()));
    };
    // `held` is limited by the server's rows and by the rows for a delegate's
    // destinations; `received` by the rows that a server may receive and by the
    // rows of all ranks.
    held = std::min(times(places, rows), times(delegated.turns, limit));
    received = std::min(times(places, limit), times(servers * places, rows));
    builder.setInsertionPointAfter(plan);
    auto typeOf = [&](ArrayRef<int64_t> shape) {
      return RankedTensorType::get(shape, builder.getI64Type());
    };
    auto made = ocs::DelegatesOp::create(
        builder, plan.getLoc(),
        TypeRange{typeOf({4, delegated.turns, places}),
                  typeOf({4, servers * places}),
                  typeOf({4, servers - 1, places}), typeOf({4, places})},
        fabric.getSymName(), plan.getCounts(), delegated.turns,
        delegated.numaNodes);
    delegated.exchanges.handOut(made);
    for (const PlannedExchange &exchange : delegated.exchanges.get())
      route(exchange, delegated.exchanges.see(made, exchange.op));
  }

private:
  /// Returns row `kind` of exchange `turn` of the delegates' numbers.
  Value slice(Value numbers, int64_t kind, int64_t turn) {
    auto type = cast<RankedTensorType>(numbers.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        sizes(type.getRank(), builder.getIndexAttr(1)),
        strides(type.getRank(), builder.getIndexAttr(1));
    offsets.front() = builder.getIndexAttr(kind);
    if (type.getRank() == 3)
      offsets[1] = builder.getIndexAttr(turn);
    int64_t peers = type.getShape().back();
    sizes.back() = builder.getIndexAttr(peers);
    return tensor::ExtractSliceOp::create(
        builder, like.getLoc(),
        RankedTensorType::get({peers}, type.getElementType()), numbers, offsets,
        sizes, strides);
  }

  Value send(Value rows, Value init, GroupAttrInterface group, Value numbers,
             int64_t turn = 0) {
    int64_t sent = isBack ? 2 : 0, came = isBack ? 0 : 2;
    auto made = RaggedAllToAllOp::create(
        builder, like.getLoc(), init.getType(), rows, init,
        slice(numbers, sent, turn), slice(numbers, sent + 1, turn),
        slice(numbers, came, turn), slice(numbers, came + 1, turn), group);
    carryOver(like, made);
    return made;
  }

  /// Builds one exchange inside servers per turn.
  Value sendInTurns(Value rows, Value init, Value numbers) {
    int64_t turns = cast<RankedTensorType>(numbers.getType()).getDimSize(1);
    for (int64_t turn = 0; turn < turns; ++turn)
      init = send(rows, init, server, numbers, turn);
    return init;
  }

  Value empty(int64_t rows) {
    auto type = cast<RankedTensorType>(like.getOperand().getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.front() = rows;
    return tensor::EmptyOp::create(builder, like.getLoc(), shape,
                                   type.getElementType());
  }

  void route(const PlannedExchange &exchange, ArrayRef<Value> numbers) {
    like = exchange.op;
    isBack = exchange.isBack;
    builder.setInsertionPoint(like);
    Value x = like.getOperand(), gather = numbers[0], between = numbers[1],
          scatter = numbers[2], own = numbers[3];
    Value first = isBack ? scatter : gather, last = isBack ? gather : scatter;
    Value away = sendInTurns(x, empty(isBack ? received : held), first);
    away =
        send(away, empty(isBack ? held : received), like.getGroup(), between);
    // Rows that stay on the server use a separate exchange, concurrent with the
    // exchange between servers.
    Value result = send(x, like.getInit(), server, own);
    result = sendInTurns(away, result, last);
    like.replaceAllUsesWith(result);
    like.erase();
  }

  DelegatedPlan &delegated;
  ocs::FabricOp fabric;
  OpBuilder builder;
  GroupAttr server;
  /// Maximum rows of each delegate: from its server, and for its server.
  int64_t held = 0, received = 0;
  /// The current exchange, and whether it returns rows.
  RaggedAllToAllOp like;
  bool isBack = false;
};

} // namespace

void moe::routeRows(DelegatedPlan &delegated, ocs::FabricOp fabric) {
  Router(delegated, fabric).run();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traffic of collectives.

#include "ExchangeSteps.h"
#include "Models.h"
#include "MultiStepExchanges.h"
#include "SentRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include <cmath>

using namespace mlir;
using namespace moe;

using GetBytes = llvm::function_ref<FailureOr<int64_t>(Value)>;

/// Returns the kind in the cost model, and the value with the collective's
/// buffer.
static std::pair<cost::CollectiveKind, Value> getBuffer(AllToAllOp op) {
  return {cost::CollectiveKind::AllToAll, op.getOperand()};
}
static std::pair<cost::CollectiveKind, Value> getBuffer(AllGatherOp op) {
  return {cost::CollectiveKind::AllGather, op.getResult()};
}
static std::pair<cost::CollectiveKind, Value> getBuffer(ReduceScatterOp op) {
  return {cost::CollectiveKind::ReduceScatter, op.getOperand()};
}
static std::pair<cost::CollectiveKind, Value> getBuffer(AllReduceOp op) {
  return {cost::CollectiveKind::AllReduce, op.getOperand()};
}

namespace {

/// A collective of equal blocks.
template <typename OpT>
struct BlockModel
    : public ExchangeOpInterface::ExternalModel<BlockModel<OpT>, OpT> {
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    auto collective = cast<OpT>(op);
    auto [kind, buffer] = getBuffer(collective);
    FailureOr<int64_t> bytes = getBytes(buffer);
    if (failed(bytes))
      return failure();
    return OpTraffic{
        {{collective.getGroup(), cost::BlockExchange{kind, *bytes}}}};
  }
};

struct PermuteModel
    : public ExchangeOpInterface::ExternalModel<PermuteModel,
                                                CollectivePermuteOp> {
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    auto permute = cast<CollectivePermuteOp>(op);
    FailureOr<int64_t> bytes = getBytes(permute.getOperand());
    if (failed(bytes))
      return failure();
    cost::MessageList traffic;
    for (auto [from, to] : llvm::zip_equal(permute.getFrom(), permute.getTo()))
      traffic.messages.push_back({from, to, *bytes});
    return OpTraffic{{{permute.getGroup(), std::move(traffic)}}};
  }
};

/// Returns true if a value is computed from constants and rank positions only.
bool isMadeOfConstants(Value value) {
  SmallVector<Value> rest{value};
  // Sizes are only a few steps away from their tables.
  for (int step = 0; step < 64 && !rest.empty(); ++step) {
    Operation *maker = findMaker(rest.pop_back_val());
    if (!maker || !isMemoryEffectFree(maker))
      return false;
    llvm::append_range(rest, maker->getOperands());
  }
  return rest.empty();
}

/// Returns true if the sizes of an exchange are known at compile time, for any
/// choices of the gates. This includes padded layers with exchanges that
/// collect on one rank.
bool hasFixedSizes(RaggedAllToAllOp op) {
  return isMadeOfConstants(op.getSendSizes()) &&
         isMadeOfConstants(op.getRecvSizes());
}

/// Returns the rows that each position of a group sends to each position, row
/// by row, if each rank's sizes are its row of a constant table.
std::optional<SmallVector<int64_t>> readSizeTable(RaggedAllToAllOp op) {
  Operation *maker = findMaker(op.getSendSizes());
  if (auto view = dyn_cast_or_null<tensor::CollapseShapeOp>(maker))
    maker = findMaker(view.getSrc());
  auto drop = dyn_cast_or_null<DropOp>(maker);
  if (!drop || drop.getDim() != 0 || drop.getGroup() != op.getGroup())
    return std::nullopt;
  auto table =
      dyn_cast_or_null<arith::ConstantOp>(findMaker(drop.getOperand()));
  auto rows =
      table ? dyn_cast<DenseIntElementsAttr>(table.getValue()) : nullptr;
  FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
  if (!rows || failed(size) ||
      rows.getType().getShape() != ArrayRef{*size, *size})
    return std::nullopt;
  SmallVector<int64_t> counts;
  for (const APInt &count : rows.getValues<APInt>())
    counts.push_back(count.getSExtValue());
  return counts;
}

/// Traffic of runs of rows between all ranks, which depends on the gate's
/// routing. Either the operand or the result has all the rows that gates send,
/// and the other one has the maximum size that any rank may receive. The rows
/// that are sent are the smaller of the two, or the rows that traffic and
/// limits leave of the routed ones. An exchange in two steps has one exchange
/// inside nodes per target node, which determines the rows. The plan determines
/// them if tokens are sent once per node, and the op that makes the runs if
/// there are several steps.
class RaggedTraffic {
public:
  RaggedTraffic(RaggedAllToAllOp op, GetBytes getBytes,
                const traffic::Routing *routing)
      : op(op), getBytes(getBytes), routing(routing) {}

  FailureOr<OpTraffic> get();

private:
  FailureOr<std::optional<OpTraffic>> getFixed();
  FailureOr<int64_t> getSent(RaggedAllToAllOp whole);
  FailureOr<int64_t> getRouted(RaggedAllToAllOp whole);
  FailureOr<OpTraffic> getOfNodes(const NodeExchange &exchange);
  FailureOr<OpTraffic> getMade(MadeRuns &runs);
  static double getBytesOf(const ExchangeStep &step,
                           const cost::Matrix<double> &bytes, int64_t from,
                           int64_t to);
  static double getRowsOf(const NodeExchange &exchange, const SentOnce &sent,
                          int64_t from, int64_t to);
  /// Returns traffic that sends an equal part of `bytes` between each pair of
  /// ranks.
  OpTraffic getEven(int64_t bytes) {
    return {{{op.getGroup(),
              cost::BlockExchange{cost::CollectiveKind::AllToAll, bytes},
              /*dependsOnRouting=*/!hasFixedSizes(op)}}};
  }
  /// Returns traffic with `getBlock(from, to)` bytes between the positions of a
  /// group of `size`; if `isBack`, all messages are reversed.
  OpTraffic getBlocks(int64_t size, bool isBack,
                      llvm::function_ref<double(int64_t, int64_t)> getBlock);

  RaggedAllToAllOp op;
  GetBytes getBytes;
  const traffic::Routing *routing;
};

} // namespace

/// Returns the exact traffic of an exchange with a constant table of sizes.
FailureOr<std::optional<OpTraffic>> RaggedTraffic::getFixed() {
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  std::optional<SmallVector<int64_t>> table;
  if (!type.isDynamicDim(0) && type.getDimSize(0) > 0)
    table = readSizeTable(op);
  if (!table)
    return std::optional<OpTraffic>();
  FailureOr<int64_t> bytes = getBytes(op.getOperand());
  if (failed(bytes))
    return failure();
  int64_t row = *bytes / type.getDimSize(0);
  FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
  cost::MessageList blocks{{}, /*isAllToAll=*/true};
  for (auto [i, count] : llvm::enumerate(*table))
    if (count > 0)
      blocks.messages.push_back({static_cast<int64_t>(i) / *size,
                                 static_cast<int64_t>(i) % *size, count * row});
  return std::optional(OpTraffic{{{op.getGroup(), std::move(blocks),
                                   /*dependsOnRouting=*/false}}});
}

/// Returns the bytes of all rows that a balanced gate sends.
FailureOr<int64_t> RaggedTraffic::getSent(RaggedAllToAllOp whole) {
  FailureOr<int64_t> sent = getBytes(whole.getOperand());
  auto type = cast<RankedTensorType>(whole.getOperand().getType());
  if (std::optional<NodeExchange> ofNodes = findNodeExchange(whole);
      ofNodes && succeeded(sent) && !type.isDynamicDim(0) &&
      type.getDimSize(0) > 0)
    return std::llround(double(*sent) / double(type.getDimSize(0)) *
                        ofNodes->getExpectedRows());
  // A result of dynamic size gives no bound.
  if (failed(sent) || !cast<RankedTensorType>(whole.getType()).hasStaticShape())
    return sent;
  FailureOr<int64_t> received = getBytes(whole.getResult());
  if (failed(received))
    return failure();
  return std::min(*sent, *received);
}

/// Returns the bytes of all rows that a gate routes, before limits.
FailureOr<int64_t> RaggedTraffic::getRouted(RaggedAllToAllOp whole) {
  Value routed = findRouted(whole);
  return routed ? getBytes(routed) : getSent(whole);
}

/// Returns the maximum bytes from one position to another over all groups that
/// exchange concurrently. Positions are nodes, or ranks in one.
double RaggedTraffic::getBytesOf(const ExchangeStep &step,
                                 const cost::Matrix<double> &bytes,
                                 int64_t from, int64_t to) {
  double most = 0;
  if (step.node) {
    for (int64_t node = 0; node < step.nodes; ++node)
      most = std::max(most, bytes.at(node * step.places + from,
                                     *step.node * step.places + to));
    return most;
  }
  for (int64_t place = 0; place < step.places; ++place) {
    double sum = 0;
    for (int64_t source = 0; source < step.places; ++source)
      sum += bytes.at(from * step.places + source, to * step.places + place);
    most = std::max(most, sum);
  }
  return most;
}

/// Returns the maximum number of rows from one position to another over all
/// groups that exchange concurrently, in the direction of the experts. Groups
/// connect equal positions of all nodes, or all ranks inside one node.
double RaggedTraffic::getRowsOf(const NodeExchange &exchange,
                                const SentOnce &sent, int64_t from,
                                int64_t to) {
  double most = 0;
  if (exchange.isBetween) {
    for (int64_t place = 0; place < exchange.places; ++place)
      most = std::max(most, sent.tokens.at(from * exchange.places + place, to));
    return most;
  }
  for (int64_t node = 0; node < exchange.nodes; ++node) {
    double sum = 0;
    for (int64_t source = 0; source < exchange.nodes; ++source)
      sum += sent.copies.at(source * exchange.places + from,
                            node * exchange.places + to);
    most = std::max(most, sum);
  }
  return most;
}

OpTraffic RaggedTraffic::getBlocks(
    int64_t size, bool isBack,
    llvm::function_ref<double(int64_t, int64_t)> getBlock) {
  cost::MessageList blocks{{}, /*isAllToAll=*/true};
  blocks.messages.reserve(static_cast<size_t>(size * size));
  bool isEven = true;
  for (int64_t from = 0; from < size; ++from)
    for (int64_t to = 0; to < size; ++to) {
      int64_t block = std::llround(getBlock(from, to));
      if (block > 0)
        blocks.messages.push_back(
            {isBack ? to : from, isBack ? from : to, block});
      isEven &=
          !blocks.messages.empty() && blocks.messages.front().bytes == block;
    }
  // Limits usually leave even routing even.
  if (isEven && !routing)
    return getEven(size * blocks.messages.front().bytes);
  // An initializer list would copy the stages with all their messages.
  OpTraffic traffic;
  traffic.stages.push_back(
      {op.getGroup(), std::move(blocks), /*dependsOnRouting=*/true});
  return traffic;
}

FailureOr<OpTraffic> RaggedTraffic::getOfNodes(const NodeExchange &exchange) {
  auto sent = findSentOnce(op, exchange, routing);
  if (!sent)
    return op->emitOpError() << sent.getError();
  if (!*sent) {
    FailureOr<int64_t> bytes = getSent(op);
    if (failed(bytes))
      return failure();
    return getEven(*bytes);
  }
  FailureOr<int64_t> operand = getBytes(op.getOperand());
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  if (failed(operand) || type.isDynamicDim(0))
    return failure();
  double rowBytes =
      double(*operand) / double(std::max<int64_t>(type.getDimSize(0), 1));
  return getBlocks(exchange.isBetween ? exchange.nodes : exchange.places,
                   exchange.isBack, [&](int64_t from, int64_t to) {
                     return rowBytes * getRowsOf(exchange, **sent, from, to);
                   });
}

FailureOr<OpTraffic> RaggedTraffic::getMade(MadeRuns &runs) {
  FailureOr<int64_t> operand = getBytes(op.getOperand());
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  if (failed(operand) || type.isDynamicDim(0))
    return failure();
  double routed = double(runs.copies) * double(*operand) /
                  double(std::max<int64_t>(type.getDimSize(0), 1));
  auto bytes = findSentRows(runs.maker, runs.numRanks, runs.numExperts, routed,
                            routing);
  if (!bytes)
    return op->emitOpError() << bytes.getError();
  if (!*bytes)
    *bytes = traffic::getEvenRows(runs.numRanks, routed, /*limits=*/{});
  auto sent = runs.maker.getMessages(runs.result, runs.turn, **bytes);
  if (!sent)
    return op->emitOpError() << sent.getError();
  if (runs.isBack)
    for (cost::Message &message : *sent)
      std::swap(message.from, message.to);
  return OpTraffic{
      {{op.getGroup(), cost::MessageList{std::move(*sent), /*isAllToAll=*/true},
        /*dependsOnRouting=*/true}}};
}

FailureOr<OpTraffic> RaggedTraffic::get() {
  FailureOr<std::optional<OpTraffic>> fixed = getFixed();
  if (failed(fixed))
    return failure();
  if (*fixed)
    return **fixed;
  std::optional<NodeExchange> ofNodes = findNodeExchange(op);
  if (ofNodes && !hasFixedSizes(op))
    return getOfNodes(*ofNodes);
  if (std::optional<MadeRuns> runs = findMadeRuns(op))
    return getMade(*runs);
  std::optional<ExchangeStep> step = findStep(op);
  RaggedAllToAllOp whole = step ? step->inside : op;
  FailureOr<int64_t> sent = getSent(whole);
  if (failed(sent))
    return failure();
  int64_t even = step && step->node ? *sent / step->nodes : *sent;
  FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
  if (hasFixedSizes(op) || (failed(size) && !routing))
    return getEven(even);
  FailureOr<int64_t> routed = getRouted(whole);
  FailureOr<int64_t> operand = getBytes(op.getOperand());
  if (failed(size) || failed(routed) || failed(operand))
    return failure();
  // The rows are scaled in units of bytes, because the result is the bytes of
  // each message.
  int64_t ranks = step ? step->nodes * step->places : *size;
  auto bytes =
      findSentRows(op, ranks, /*numExperts=*/std::nullopt, *routed, routing);
  if (!bytes)
    return op->emitOpError() << bytes.getError();
  if (!*bytes)
    return getEven(even);
  Value own = findRouted(op);
  bool isBack = step  ? step->isBack
                : own ? own == op.getResult()
                      : *operand > *sent;
  return getBlocks(*size, isBack, [&](int64_t from, int64_t to) {
    return step ? getBytesOf(*step, **bytes, from, to) : (*bytes)->at(from, to);
  });
}

namespace {

struct RaggedModel
    : public ExchangeOpInterface::ExternalModel<RaggedModel, RaggedAllToAllOp> {
  /// Returns the traffic of balanced gates.
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    return RaggedTraffic(cast<RaggedAllToAllOp>(op), getBytes,
                         /*routing=*/nullptr)
        .get();
  }
};

/// Traffic according to the tokens per expert of a routing trace.
struct RoutedRaggedModel
    : public RoutedExchangeOpInterface::ExternalModel<RoutedRaggedModel,
                                                      RaggedAllToAllOp> {
  FailureOr<OpTraffic>
  getRoutedExchange(Operation *op, GetBytes getBytes,
                    const traffic::Routing &routing) const {
    return RaggedTraffic(cast<RaggedAllToAllOp>(op), getBytes, &routing).get();
  }
};

template <typename... OpTs> void attachBlocks(MLIRContext &context) {
  (OpTs::template attachInterface<BlockModel<OpTs>>(context), ...);
}

} // namespace

void moe::attachExchanges(MLIRContext &context) {
  attachBlocks<AllToAllOp, AllGatherOp, ReduceScatterOp, AllReduceOp>(context);
  CollectivePermuteOp::attachInterface<PermuteModel>(context);
  RaggedAllToAllOp::attachInterface<RaggedModel, RoutedRaggedModel>(context);
}

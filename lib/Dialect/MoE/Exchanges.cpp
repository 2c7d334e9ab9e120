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

/// The kind as the cost model knows it, and the value that is its buffer.
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
    cost::SparseTraffic traffic;
    for (auto [from, to] : llvm::zip_equal(permute.getFrom(), permute.getTo()))
      traffic.messages.push_back({from, to, *bytes});
    return OpTraffic{{{permute.getGroup(), std::move(traffic)}}};
  }
};

/// Whether a value is made of constants and places of ranks only.
bool isMadeOfConstants(Value value) {
  SmallVector<Value> rest{value};
  // Sizes are a few steps from their tables.
  for (int step = 0; step < 64 && !rest.empty(); ++step) {
    Operation *maker = findMaker(rest.pop_back_val());
    if (!maker || !isMemoryEffectFree(maker))
      return false;
    llvm::append_range(rest, maker->getOperands());
  }
  return rest.empty();
}

/// Whether an exchange sends what is known when it is compiled, whatever gates
/// choose: so do padded layers whose exchanges collect on one rank.
bool hasFixedSizes(RaggedAllToAllOp op) {
  return isMadeOfConstants(op.getSendSizes()) &&
         isMadeOfConstants(op.getRecvSizes());
}

/// Rows that each position of a group sends to each, row by row, where its
/// sizes are its row of a table of constants.
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

/// Runs of rows between all ranks, as many as a gate sends tokens. Of the
/// operand and the result one has all the rows that gates send, the other room
/// for the most that a rank may receive: what is sent is the smaller of the
/// two, or what traffic and limits leave of the first. Of an exchange in two
/// steps those inside nodes are one a node that rows go to, and tell what there
/// is to send; of tokens that are sent once a node, the plan tells, and of ways
/// of several steps, the op that makes their runs.
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
                           const traffic::RowMatrix &bytes, int64_t from,
                           int64_t to);
  static double getRowsOf(const NodeExchange &exchange, const SentOnce &sent,
                          int64_t from, int64_t to);
  /// Every rank sends as much to each, `bytes` together.
  OpTraffic getEven(int64_t bytes) {
    return {{{op.getGroup(),
              cost::BlockExchange{cost::CollectiveKind::AllToAll, bytes},
              /*dependsOnRouting=*/!hasFixedSizes(op)}}};
  }
  /// What `getBlock` says of each position of a group of `size` to each; on the
  /// way back all messages are turned round.
  OpTraffic getBlocks(int64_t size, bool isBack,
                      llvm::function_ref<double(int64_t, int64_t)> getBlock);

  RaggedAllToAllOp op;
  GetBytes getBytes;
  const traffic::Routing *routing;
};

} // namespace

/// Of an exchange whose sizes are a table of constants, exactly these.
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
  cost::UnequalExchange blocks;
  for (auto [i, count] : llvm::enumerate(*table))
    if (count > 0)
      blocks.messages.push_back({static_cast<int64_t>(i) / *size,
                                 static_cast<int64_t>(i) % *size, count * row});
  return std::optional(OpTraffic{{{op.getGroup(), std::move(blocks),
                                   /*dependsOnRouting=*/false}}});
}

/// Bytes of all the rows that a balanced gate sends.
FailureOr<int64_t> RaggedTraffic::getSent(RaggedAllToAllOp whole) {
  FailureOr<int64_t> sent = getBytes(whole.getOperand());
  auto type = cast<RankedTensorType>(whole.getOperand().getType());
  if (std::optional<NodeExchange> ofNodes = findNodeExchange(whole);
      ofNodes && succeeded(sent) && !type.isDynamicDim(0) &&
      type.getDimSize(0) > 0)
    return std::llround(double(*sent) / double(type.getDimSize(0)) *
                        ofNodes->getExpectedRows());
  // A result of a size that is not known says nothing.
  if (failed(sent) || !cast<RankedTensorType>(whole.getType()).hasStaticShape())
    return sent;
  FailureOr<int64_t> received = getBytes(whole.getResult());
  if (failed(received))
    return failure();
  return std::min(*sent, *received);
}

/// Bytes of all the rows that a gate routes, whatever limits leave of them.
FailureOr<int64_t> RaggedTraffic::getRouted(RaggedAllToAllOp whole) {
  Value routed = findRouted(whole);
  return routed ? getBytes(routed) : getSent(whole);
}

/// Of all groups that exchange at once, the most that one sends from a position
/// to another: of places of a node, or of nodes.
double RaggedTraffic::getBytesOf(const ExchangeStep &step,
                                 const traffic::RowMatrix &bytes, int64_t from,
                                 int64_t to) {
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

/// Of all groups that exchange at once, between the ranks of one place in all
/// nodes or inside a node, the most rows that one sends from a position to
/// another on the way to the experts.
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
  cost::UnequalExchange blocks;
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
  // What limits leave of even routing is even again, as a rule.
  if (isEven && !routing)
    return getEven(size * blocks.messages.front().bytes);
  // A list of stages would be copied, messages and all.
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
  return OpTraffic{{{op.getGroup(), cost::UnequalExchange{std::move(*sent)},
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
  // In proportion: what is wanted of each message is its bytes.
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
  /// What balanced gates send.
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    return RaggedTraffic(cast<RaggedAllToAllOp>(op), getBytes,
                         /*routing=*/nullptr)
        .get();
  }
};

/// Every rank sends as much to each as the counts say.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that experts compute.

#include "ExpertRows.h"
#include "MultiStepExchanges.h"
#include "SentRows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

/// Returns the value that a value is derived from and that holds the same rows
/// or a superset; null if it is unknown.
static Value findSource(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto pipeline = dyn_cast<PipelineOp>(argument.getOwner()->getParentOp());
    return pipeline ? pipeline->getOperand(argument.getArgNumber()) : Value();
  }
  Operation *op = value.getDefiningOp();
  if (isa<TaskOp, LayerOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    Operation *yield = op->getRegion(0).front().getTerminator();
    return number < yield->getNumOperands() ? yield->getOperand(number)
                                            : Value();
  }
  if (isa<ChainOpInterface>(op))
    return op->getOperand(getChainedOperand(op));
  if (isReshape(op) ||
      isa<tensor::ExtractSliceOp, tensor::CastOp, DequantizeOp>(op) ||
      OpTrait::hasElementwiseMappableTraits(op))
    return op->getOperand(0);
  return {};
}

/// Returns the exchange that the rows of a value have passed through, or null.
static RaggedAllToAllOp findExchange(Value value) {
  while (value) {
    if (auto exchange = value.getDefiningOp<RaggedAllToAllOp>())
      return exchange;
    value = findSource(value);
  }
  return {};
}

FailureOr<double> moe::countExpertRows(Operation *op, Value data, Value sizes,
                                       CostContext &context) {
  auto type = cast<RankedTensorType>(data.getType());
  auto runs = cast<RankedTensorType>(sizes.getType());
  RaggedAllToAllOp exchange = findExchange(data);
  if (!exchange || runs.getRank() < 2 || !runs.hasStaticShape())
    return double(type.getDimSize(0));
  // The last but one dim of runs counts the source ranks; outer dims count the
  // groups with joined buffers.
  int64_t numRanks = runs.getDimSize(runs.getRank() - 2);
  int64_t perRank = runs.getShape().back();
  double joined = 1;
  for (int64_t dim : runs.getShape().drop_back(2))
    joined *= double(dim);
  auto countRows = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getDimSize(0);
  };
  double sent = double(std::min(countRows(exchange.getOperand()),
                                countRows(exchange.getResult())));
  if (std::optional<NodeExchange> ofNodes = findNodeExchange(exchange)) {
    // Each rank receives as many rows inside nodes as it sends there.
    sent = double(ofNodes->getCopies());
    numRanks = ofNodes->nodes * ofNodes->places;
  } else if (std::optional<MadeRuns> made = findMadeRuns(exchange)) {
    sent = double(made->copies);
  }
  context.addRouted();
  Value routed = findRouted(exchange);
  auto rows = findSentRows(op, numRanks, numRanks * perRank,
                           routed ? double(countRows(routed)) : sent,
                           context.getRouting());
  if (!rows)
    return op->emitOpError() << rows.getError();
  return joined * (*rows ? traffic::getMostReceived(**rows) : sent);
}

FailureOr<std::optional<double>> moe::countNodeRows(Operation *op, Value data,
                                                    bool ofCopies,
                                                    CostContext &context) {
  RaggedAllToAllOp exchange = findExchange(data);
  std::optional<NodeExchange> found =
      exchange ? findNodeExchange(exchange) : std::nullopt;
  // Only rows sent to the experts' node, or copies returned inside it, are
  // counted; tokens that return to their senders are neither.
  if (!found || found->isBetween == found->isBack)
    return std::optional<double>();
  context.addRouted();
  auto sent = findSentOnce(op, *found, context.getRouting());
  if (!sent)
    return op->emitOpError() << sent.getError();
  if (!*sent) {
    found->isBetween = !ofCopies;
    return std::optional(found->getExpectedRows());
  }
  double most = 0;
  for (int64_t node = 0; node < found->nodes; ++node)
    for (int64_t place = 0; place < found->places; ++place) {
      double sum = 0;
      for (int64_t source = 0; source < found->nodes; ++source) {
        int64_t from = source * found->places + place;
        if (!ofCopies)
          sum += (*sent)->tokens.at(from, node);
        for (int64_t i = 0; ofCopies && i < found->places; ++i)
          sum += (*sent)->copies.at(from, node * found->places + i);
      }
      most = std::max(most, sum);
    }
  return std::optional(most);
}

FailureOr<double> moe::getShareOfNode(Operation *op, Value data, bool ofCopies,
                                      CostContext &context) {
  FailureOr<std::optional<double>> rows =
      countNodeRows(op, data, ofCopies, context);
  if (failed(rows))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!*rows || type.getDimSize(0) < 1)
    return 1.0;
  return std::min(1.0, **rows / double(type.getDimSize(0)));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that ranks send each other in a layer.

#include "SentRows.h"
#include "moe/Dialect/MoE/CopyLimits.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

Value moe::findRouted(RaggedAllToAllOp exchange) {
  Value sizes = findOrigin(exchange.getSendSizes());
  if (auto plan = sizes.getDefiningOp<RaggedPlanOp>())
    return sizes == plan.getSendSizes() ? exchange.getOperand()
                                        : exchange.getResult();
  return {};
}

cost::Result<std::optional<cost::Matrix<double>>>
moe::findSentRows(Operation *op, int64_t numRanks,
                  std::optional<int64_t> numExperts, double rows,
                  const traffic::Routing *routing) {
  std::vector<traffic::CopyLimits> limits = findCopyLimits(op, numRanks);
  if (routing) {
    cost::Result<cost::Matrix<double>> sent = routing->getRows(
        {getLayerName(op).str(), numRanks, numExperts}, rows, limits);
    if (!sent)
      return sent.getFailure();
    return std::optional(std::move(*sent));
  }
  if (limits.empty())
    return std::optional<cost::Matrix<double>>();
  return std::optional(traffic::getEvenRows(numRanks, rows, limits));
}

cost::Result<std::optional<SentOnce>>
moe::findSentOnce(Operation *op, const NodeExchange &exchange,
                  const traffic::Routing *routing) {
  int64_t numRanks = exchange.nodes * exchange.places;
  double copies = double(exchange.getCopies());
  auto rows = findSentRows(op, numRanks, exchange.experts, copies, routing);
  if (!rows)
    return rows.getFailure();
  if (!*rows)
    return std::optional<SentOnce>();
  SentOnce sent{std::move(**rows), {}};
  if (routing) {
    auto tokens = routing->getNodeTokens(
        {getLayerName(op).str(), numRanks, exchange.experts}, copies,
        exchange.choices, exchange.nodes);
    if (!tokens)
      return tokens.getFailure();
    sent.tokens = std::move(*tokens);
  } else {
    NodeExchange between = exchange;
    between.isBetween = true;
    sent.tokens = cost::Matrix<double>::of(numRanks, exchange.nodes,
                                           between.getExpectedRows() /
                                               double(exchange.nodes));
  }
  for (int64_t from = 0; from < numRanks; ++from)
    for (int64_t node = 0; node < exchange.nodes; ++node) {
      double kept = 0;
      for (int64_t place = 0; place < exchange.places; ++place)
        kept += sent.copies.at(from, node * exchange.places + place);
      double &tokens = sent.tokens.at(from, node);
      tokens = std::min(tokens, kept);
    }
  return std::optional(std::move(sent));
}

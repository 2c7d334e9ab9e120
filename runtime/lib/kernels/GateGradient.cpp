// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of the gates.

#include "core/Types.h"
#include "kernels/Choose.h"
#include "kernels/GateLogits.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <cmath>

using namespace moert;

/// Returns the arguments of the forward gate that determine its logits.
static moert_gate_args getGate(const moert_gate_grad_args &args) {
  moert_gate_args gate = {};
  gate.size = sizeof(gate);
  gate.kind = args.kind;
  gate.tokens = args.tokens;
  gate.hidden = args.hidden;
  gate.experts = args.experts;
  gate.x = args.x;
  gate.router = args.router;
  gate.type = args.type;
  gate.router_type = args.router_type;
  gate.noise = args.noise;
  gate.projection = args.projection;
  gate.seed = args.seed;
  gate.projected = args.projected;
  gate.temperature = args.temperature;
  gate.jitter = args.jitter;
  gate.noise_type = gate.projection_type = args.further_type;
  gate.biased = args.biased != 0;
  return gate;
}

Status moert::verifyGateGrad(const moert_gate_grad_args &args) {
  if (args.kind != MOERT_GATE_SOFTMAX && !scoresAlone(args.kind) &&
      args.kind != MOERT_GATE_GSHARD)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a known kind of gate, got %d",
                 static_cast<int>(args.kind));
  if (!(args.scale > 0) || std::isinf(args.scale))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a scale that is finite and positive, got %g",
                 args.scale);
  int64_t routed =
      (args.projection ? args.projected : args.hidden) + (args.biased ? 1 : 0);
  int64_t further = args.projection ? args.projected
                    : args.noise    ? args.experts
                                    : 0;
  return firstError(
      {verifyFloat("tokens", args.type),
       verifyFloat("a router", args.router_type),
       verifyInteger("expert numbers", args.ids_type),
       verifyFloat("the weights' gradient", args.dw_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0, INT64_MAX - 1},
                    {"experts", args.experts, 1},
                    {"top_k", args.top_k, 1, args.experts}}),
       verifyGateLogits(getGate(args)),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the router", {routed, args.experts}),
       verifyVolume("the noise", {args.hidden, further}),
       verifyVolume("the scores", {args.tokens, args.experts}),
       verifyPointer("the tokens", args.x, {args.tokens, args.hidden}),
       verifyPointer("the router", args.router, {routed, args.tokens}),
       verifyPointer("the ids", args.ids, {args.tokens}),
       verifyPointer("the weights' gradient", args.dw, {args.tokens}),
       verifyPointer("the tokens' gradient", args.dx,
                     {args.tokens, args.hidden}),
       verifyPointer("the router's gradient", args.drouter, {routed}),
       verifyPointer(args.projection ? "the projection's gradient"
                                     : "the noise's gradient",
                     args.dfurther, {args.hidden, further})});
}

/// Computes the gradient of the logits of one token.
static void differentiate(const moert_gate_grad_args &args, double *scores,
                          const std::vector<int64_t> &ids,
                          const std::vector<double> &dw, double *result) {
  int64_t count = args.experts;
  if (scoresAlone(args.kind))
    for (int64_t e = 0; e < count; ++e)
      scores[e] = scoreAlone(args.kind, scores[e]);
  else
    softmax(scores, count);
  double total = 0, mean = 0;
  for (int64_t expert : ids)
    total += scores[expert];
  for (int64_t j = 0; j < args.top_k; ++j)
    mean += dw[j] * scores[ids[j]] / total;
  std::fill(result, result + count, 0.0);
  for (int64_t j = 0; j < args.top_k; ++j)
    result[ids[j]] = args.normalize ? args.scale * (dw[j] - mean) / total
                                    : args.scale * dw[j];
  if (scoresAlone(args.kind)) {
    for (int64_t e = 0; e < count; ++e)
      result[e] *= differentiateAlone(args.kind, scores[e]);
    return;
  }
  double sum = 0;
  for (int64_t e = 0; e < count; ++e)
    sum += result[e] * scores[e];
  for (int64_t e = 0; e < count; ++e)
    result[e] = scores[e] * (result[e] - sum);
}

/// Like `differentiate`, for weights that are the softmax over the chosen
/// logits.
static void differentiateChosen(const moert_gate_grad_args &args,
                                const double *logits,
                                const std::vector<int64_t> &ids,
                                const std::vector<double> &dw, double *result) {
  std::vector<double> scores(args.top_k);
  for (int64_t j = 0; j < args.top_k; ++j)
    scores[j] = logits[ids[j]];
  softmax(scores.data(), args.top_k);
  double sum = 0;
  for (int64_t j = 0; j < args.top_k; ++j)
    sum += args.scale * dw[j] * scores[j];
  std::fill(result, result + args.experts, 0.0);
  for (int64_t j = 0; j < args.top_k; ++j)
    result[ids[j]] = scores[j] * (args.scale * dw[j] - sum);
}

/// Reads one token's experts and checks that they are in range and distinct.
static Status readExperts(const moert_gate_grad_args &args, int64_t token,
                          std::vector<int64_t> &ids) {
  for (int64_t j = 0; j < args.top_k; ++j) {
    ids[j] = loadInteger(args.ids_type, args.ids, token * args.top_k + j);
    if (ids[j] < 0 || ids[j] >= args.experts ||
        std::find(ids.begin(), ids.begin() + j, ids[j]) != ids.begin() + j)
      return error(MOERT_INVALID_ARGUMENT,
                   "gate_grad: expected expert numbers in [0, %lld), distinct "
                   "for a token, got %lld as choice %lld of token %lld",
                   static_cast<long long>(args.experts),
                   static_cast<long long>(ids[j]), static_cast<long long>(j),
                   static_cast<long long>(token));
  }
  return {};
}

namespace {
/// Converts gradients of logits to gradients of a gate's operands, one block of
/// tokens at a time.
class RouterGradient {
public:
  RouterGradient(const moert_gate_grad_args &args, const GateLogits &logits)
      : args(args), logits(logits), inner(args.projection ? args.projected
                                          : args.noise    ? args.experts
                                                          : 0),
        ofRouter((args.projection ? args.projected : logits.getWidth()) *
                     args.experts,
                 0.0),
        ofFurther(args.hidden * inner, 0.0),
        ofInner(GateLogits::kTokens * inner), columns(args.experts, 0.0),
        shares(args.projection ? GateLogits::kTokens * args.experts : 0) {}

  /// Adds to the gradients of the router and of the noise or projection, and
  /// adds the gradients of the tokens to `sums` [count, hidden].
  void add(const double *dLogits, int64_t count, double *sums) {
    int64_t M = args.hidden, E = args.experts;
    if (args.projection) {
      addCosines(dLogits, count);
    } else {
      product.addTransposed(dLogits, count, E, args.router_type, args.router, M,
                            sums);
      addOuterProducts(logits.getRows(), dLogits, count, logits.getWidth(), E,
                       ofRouter.data());
    }
    for (int64_t i = 0; args.noise && i < count * E; ++i)
      ofInner[i] =
          dLogits[i] * logits.getNormals()[i] * sigmoid(logits.getScales()[i]);
    if (inner) {
      product.addTransposed(ofInner.data(), count, inner, args.further_type,
                            args.projection ? args.projection : args.noise, M,
                            sums);
      addOuterProducts(logits.getRows(), ofInner.data(), count, M, inner,
                       ofFurther.data());
    }
    for (int64_t i = 0; args.jitter != 0 && i < count * M; ++i)
      sums[i] *= logits.getFactors()[i];
  }

  /// Writes the gradients that sum over all tokens.
  void store() {
    int64_t E = args.experts, elements = static_cast<int64_t>(ofRouter.size());
    if (args.projection) {
      std::vector<double> router(elements);
      loadRow(args.router_type, args.router, elements, router.data());
      for (int64_t i = 0; i < elements; ++i) {
        double length = logits.getLengths()[i % E];
        if (length != 0)
          ofRouter[i] -= router[i] * columns[i % E] / (length * length);
      }
    }
    storeRow(args.router_type, ofRouter.data(), elements, args.drouter);
    if (inner)
      storeRow(args.further_type, ofFurther.data(), args.hidden * inner,
               args.dfurther);
  }

private:
  /// Sets `ofInner` to the gradients of the projected tokens.
  void addCosines(const double *dLogits, int64_t count) {
    int64_t D = args.projected, E = args.experts;
    std::vector<double> along(count, 0.0);
    for (int64_t s = 0; s < count; ++s)
      for (int64_t e = 0; e < E; ++e) {
        double lengths =
            logits.getProjectedLengths()[s] * logits.getLengths()[e];
        double value = dLogits[s * E + e] / args.temperature;
        shares[s * E + e] = lengths == 0 ? 0.0 : value / lengths;
        double own =
            lengths == 0 ? 0.0 : value * logits.getCosines()[s * E + e];
        along[s] += own;
        columns[e] += own;
      }
    std::fill(ofInner.begin(), ofInner.end(), 0.0);
    product.addTransposed(shares.data(), count, E, args.router_type,
                          args.router, D, ofInner.data());
    addOuterProducts(logits.getProjected(), shares.data(), count, D, E,
                     ofRouter.data());
    for (int64_t s = 0; s < count; ++s) {
      double length = logits.getProjectedLengths()[s];
      for (int64_t d = 0; length != 0 && d < D; ++d)
        ofInner[s * D + d] -=
            along[s] / (length * length) * logits.getProjected()[s * D + d];
    }
  }

  const moert_gate_grad_args &args;
  const GateLogits &logits;
  int64_t inner;
  std::vector<double> ofRouter, ofFurther, ofInner, columns, shares;
  RowTimesMatrix product;
};
} // namespace

Status moert::runGateGrad(const moert_gate_grad_args &args) {
  // Process a block of tokens at a time, so that matrices are converted once
  // per block.
  constexpr int64_t kTokens = GateLogits::kTokens;
  int64_t hidden = args.hidden, numExperts = args.experts;
  std::vector<double> sums(kTokens * hidden), scores(kTokens * numExperts),
      dLogits(scores.size()), dw(args.top_k);
  std::vector<int64_t> ids(args.top_k);
  moert_gate_args gate = getGate(args);
  GateLogits logits(gate);
  RouterGradient router(args, logits);
  for (int64_t begin = 0; begin < args.tokens; begin += kTokens) {
    int64_t count = std::min(kTokens, args.tokens - begin);
    logits.compute(begin, count, scores.data());
    for (int64_t s = 0; s < count; ++s) {
      Status status = readExperts(args, begin + s, ids);
      if (!status.ok())
        return status;
      loadRow(args.dw_type,
              static_cast<const char *>(args.dw) +
                  (begin + s) * args.top_k * moert_type_size(args.dw_type),
              args.top_k, dw.data());
      double *own = scores.data() + s * numExperts;
      double *result = dLogits.data() + s * numExperts;
      if (args.kind == MOERT_GATE_GSHARD)
        differentiateChosen(args, own, ids, dw, result);
      else
        differentiate(args, own, ids, dw, result);
    }
    std::fill(sums.begin(), sums.end(), 0.0);
    router.add(dLogits.data(), count, sums.data());
    storeRow(args.type, sums.data(), count * hidden,
             static_cast<char *>(args.dx) +
                 begin * hidden * moert_type_size(args.type));
  }
  router.store();
  return {};
}

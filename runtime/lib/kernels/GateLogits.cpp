// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logits of gates.

#include "kernels/GateLogits.h"
#include "core/Types.h"
#include "kernels/CounterNoise.h"
#include "kernels/Verify.h"

using namespace moert;

Status moert::verifyGateLogits(const moert_gate_args &args) {
  if (args.noise && args.kind != MOERT_GATE_GSHARD)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected noise with the gshard gate only");
  if ((args.projection || args.jitter != 0) && args.kind != MOERT_GATE_SOFTMAX)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a projection or jitter with the softmax gate only");
  if (args.biased &&
      (args.kind == MOERT_GATE_GSHARD || args.projection || args.jitter != 0))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a biased router with plain softmax and sigmoid "
                 "gates only");
  if (args.projection && args.jitter != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected no jitter with a projection");
  if (!(args.jitter >= 0 && args.jitter < 1))
    return error(MOERT_INVALID_ARGUMENT, "expected jitter in [0, 1), got %g",
                 args.jitter);
  if (args.projection && !(args.temperature > 0 && args.temperature < INFINITY))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a temperature that is finite and positive, got %g",
                 args.temperature);
  if ((args.noise || args.jitter != 0) && !args.seed)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a seed for noise or jitter, got NULL");
  return firstError(
      {args.noise ? verifyFloat("noise", args.noise_type) : Status(),
       args.projection ? verifyFloat("a projection", args.projection_type)
                       : Status(),
       verifySizes({{"a projected size", args.projected, 0}}),
       verifyVolume("the projection", {args.hidden, args.projected}),
       verifyVolume("the projected tokens", {args.tokens, args.projected})});
}

GateLogits::GateLogits(const moert_gate_args &args)
    : args(args), rows(kTokens, args.hidden, args.biased) {
  if (args.seed)
    std::memcpy(&seed, args.seed, sizeof(seed));
  if (args.jitter != 0)
    factors.resize(kTokens * args.hidden);
  if (args.noise) {
    scales.resize(kTokens * args.experts);
    normals.resize(scales.size());
  }
  if (!args.projection)
    return;
  projected.resize(kTokens * args.projected);
  ownLengths.resize(kTokens);
  cosines.resize(kTokens * args.experts);
  // Lengths of the router's columns.
  lengths.assign(args.experts, 0.0);
  std::vector<double> row(args.experts);
  for (int64_t d = 0; d < args.projected; ++d) {
    loadRow(args.router_type,
            static_cast<const char *>(args.router) +
                d * args.experts * moert_type_size(args.router_type),
            args.experts, row.data());
    for (int64_t e = 0; e < args.experts; ++e)
      lengths[e] += row[e] * row[e];
  }
  for (double &length : lengths)
    length = std::sqrt(length);
}

void GateLogits::compute(int64_t begin, int64_t count, double *logits) {
  int64_t hidden = args.hidden, numExperts = args.experts;
  rows.load(args.type,
            static_cast<const char *>(args.x) +
                begin * hidden * moert_type_size(args.type),
            count);
  if (args.projection)
    return computeCosines(count, logits);
  for (int64_t i = 0; args.jitter != 0 && i < count * hidden; ++i) {
    double u = CounterNoise::uniform(seed, begin + i / hidden, i % hidden);
    factors[i] = 1.0 + args.jitter * (2.0 * u - 1.0);
    rows.data()[i] *= factors[i];
  }
  product.multiply(rows.data(), count, rows.width(), args.router_type,
                   args.router, numExperts, logits);
  if (!args.noise)
    return;
  product.multiply(rows.data(), count, hidden, args.noise_type, args.noise,
                   numExperts, scales.data());
  for (int64_t i = 0; i < count * numExperts; ++i) {
    normals[i] =
        CounterNoise::normal(seed, begin + i / numExperts, i % numExperts);
    logits[i] += normals[i] * softplus(scales[i]);
  }
}

void GateLogits::computeCosines(int64_t count, double *logits) {
  int64_t inner = args.projected, numExperts = args.experts;
  product.multiply(rows.data(), count, args.hidden, args.projection_type,
                   args.projection, inner, projected.data());
  product.multiply(projected.data(), count, inner, args.router_type,
                   args.router, numExperts, logits);
  for (int64_t s = 0; s < count; ++s) {
    double length = 0;
    for (int64_t d = 0; d < inner; ++d)
      length += projected[s * inner + d] * projected[s * inner + d];
    length = std::sqrt(length);
    ownLengths[s] = length;
    for (int64_t e = 0; e < numExperts; ++e) {
      int64_t at = s * numExperts + e;
      double lengthsProduct = length * lengths[e];
      cosines[at] = lengthsProduct == 0 ? 0.0 : logits[at] / lengthsProduct;
      logits[at] = cosines[at] / args.temperature;
    }
  }
}

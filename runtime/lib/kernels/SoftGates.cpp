// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that mix or choose tokens.

#include "kernels/Choose.h"
#include "kernels/Kernels.h"
#include "kernels/RouterProduct.h"
#include <numeric>

using namespace moert;

Status moert::verifyExpertChoice(const moert_expert_choice_args &args) {
  int64_t S = args.tokens, E = args.experts;
  Status status =
      firstError({verifyScores(args.scores),
                  RouterProduct(args, E).verify("experts", "the scores"),
                  verifyInteger("slots", args.slots_type),
                  verifyFloat("weights", args.weights_type),
                  verifySizes({{"a capacity", args.capacity, 0}}),
                  verifyVolume("the slots", {E, args.capacity}),
                  verifyPointer("the slots", args.slots, {S, E}),
                  verifyPointer("the weights", args.weights, {S, E})});
  if (status.ok() &&
      args.experts * args.capacity - 1 > getLargestInteger(args.slots_type))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected numbers of %lld slots to fit %s, they do not",
                 static_cast<long long>(args.experts * args.capacity),
                 getTypeName(args.slots_type));
  return status;
}

Status moert::runExpertChoice(const moert_expert_choice_args &args) {
  int64_t numTokens = args.tokens, numExperts = args.experts;
  int64_t taken = std::min(args.capacity, numTokens);
  auto store = [&](int64_t at, int64_t slot, double weight) {
    storeInteger(args.slots_type, args.slots, at, slot);
    storeRow(args.weights_type, &weight, 1,
             static_cast<char *>(args.weights) +
                 at * moert_type_size(args.weights_type));
  };
  for (int64_t at = 0; at < numTokens * numExperts; ++at)
    store(at, -1, 0.0);
  if (taken == 0)
    return {};
  std::vector<double> scores = RouterProduct(args, numExperts).compute();
  bool overTokens = args.scores == MOERT_CHOICE_TOKENS;
  for (int64_t s = 0; !overTokens && s < numTokens; ++s)
    softmax(scores.data() + s * numExperts, numExperts);
  std::vector<double> column(numTokens), chosen(taken);
  std::vector<int64_t> best;
  for (int64_t e = 0; e < numExperts; ++e) {
    for (int64_t s = 0; s < numTokens; ++s)
      column[s] = scores[s * numExperts + e];
    best.resize(numTokens);
    std::iota(best.begin(), best.end(), 0);
    keepBest(best, column, taken);
    for (int64_t c = 0; c < taken; ++c)
      chosen[c] = column[best[c]];
    if (overTokens)
      softmax(chosen.data(), taken);
    for (int64_t c = 0; c < taken; ++c)
      store(best[c] * numExperts + e, e * args.capacity + c, chosen[c]);
  }
  return {};
}

Status moert::verifySoftGate(const moert_soft_gate_args &args) {
  int64_t S = args.tokens, N = args.slots;
  return firstError(
      {RouterProduct(args, N).verify("slots", "the logits"),
       verifyFloat("dispatch weights", args.dispatch_type),
       verifyFloat("combine weights", args.combine_type),
       verifyPointer("the dispatch weights", args.dispatch, {S, N}),
       verifyPointer("the combine weights", args.combine, {S, N})});
}

Status moert::runSoftGate(const moert_soft_gate_args &args) {
  int64_t numTokens = args.tokens, numSlots = args.slots;
  std::vector<double> logits = RouterProduct(args, numSlots).compute();
  std::vector<double> dispatch(logits.size()), column(numTokens);
  for (int64_t slot = 0; slot < numSlots; ++slot) {
    for (int64_t s = 0; s < numTokens; ++s)
      column[s] = logits[s * numSlots + slot];
    softmax(column.data(), numTokens);
    for (int64_t s = 0; s < numTokens; ++s)
      dispatch[s * numSlots + slot] = column[s];
  }
  storeRow(args.dispatch_type, dispatch.data(), dispatch.size(), args.dispatch);
  for (int64_t s = 0; s < numTokens; ++s)
    softmax(logits.data() + s * numSlots, numSlots);
  storeRow(args.combine_type, logits.data(), logits.size(), args.combine);
  return {};
}

static Status verifyMix(const moert_soft_mix_args &args, int64_t mixed,
                        int64_t made) {
  return firstError(
      {verifyFloat("rows", args.type),
       verifyFloat("weights", args.weights_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"slots", args.slots, 0}}),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the slots", {args.slots, args.hidden}),
       verifyVolume("the weights", {args.tokens, args.slots}),
       verifyPointer("the rows", args.x, {mixed, args.hidden}),
       verifyPointer("the weights", args.weights, {args.tokens, args.slots}),
       verifyPointer("the result", args.result, {made, args.hidden})});
}

/// Sums `weights[i, j]`, in row-major order, times row `j`.
static void mix(const moert_soft_mix_args &args, int64_t count,
                int64_t summands, const std::vector<double> &weights) {
  std::vector<double> sums(count * args.hidden);
  RowTimesMatrix().multiply(weights.data(), count, summands, args.type, args.x,
                            args.hidden, sums.data());
  storeRow(args.type, sums.data(), sums.size(), args.result);
}

static std::vector<double> loadWeights(const moert_soft_mix_args &args) {
  return loadValues(args.weights_type, args.weights, args.tokens * args.slots);
}

Status moert::verifySoftPermute(const moert_soft_mix_args &args) {
  return verifyMix(args, args.tokens, args.slots);
}

Status moert::runSoftPermute(const moert_soft_mix_args &args) {
  std::vector<double> weights = loadWeights(args), turned(weights.size());
  for (int64_t s = 0; s < args.tokens; ++s)
    for (int64_t slot = 0; slot < args.slots; ++slot)
      turned[slot * args.tokens + s] = weights[s * args.slots + slot];
  mix(args, args.slots, args.tokens, turned);
  return {};
}

Status moert::verifySoftUnpermute(const moert_soft_mix_args &args) {
  return verifyMix(args, args.slots, args.tokens);
}

Status moert::runSoftUnpermute(const moert_soft_mix_args &args) {
  mix(args, args.tokens, args.slots, loadWeights(args));
  return {};
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choice of experts.

#include "core/Types.h"
#include "kernels/Choose.h"
#include "kernels/GateLogits.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace moert;

Status moert::verifyGate(const moert_gate_args &args) {
  if (args.kind != MOERT_GATE_SOFTMAX && !scoresAlone(args.kind) &&
      args.kind != MOERT_GATE_GSHARD)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a known kind of gate, "
                 "got %d",
                 static_cast<int>(args.kind));
  Status status = firstError(
      {verifyFloat("tokens", args.type),
       verifyFloat("a router", args.router_type),
       args.bias ? verifyFloat("a bias", args.bias_type) : Status(),
       verifyInteger("expert numbers", args.ids_type),
       verifyFloat("weights", args.weights_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0, INT64_MAX - 1},
                    {"experts", args.experts, 1},
                    {"top_k", args.top_k, 1, args.experts},
                    {"num_groups", args.num_groups, 1, args.experts},
                    {"top_groups", args.top_groups, 1, args.num_groups}})});
  if (!status.ok())
    return status;
  if (args.experts - 1 > getLargestInteger(args.ids_type))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected numbers of %lld experts to fit %s, they do not",
                 static_cast<long long>(args.experts),
                 getTypeName(args.ids_type));
  if (args.experts % args.num_groups != 0 ||
      args.top_groups * (args.experts / args.num_groups) < args.top_k)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected num_groups to divide the experts and top_groups to "
                 "hold top_k of them, got %lld of %lld groups of %lld experts",
                 static_cast<long long>(args.top_groups),
                 static_cast<long long>(args.num_groups),
                 static_cast<long long>(args.experts));
  if (args.bias && !scoresAlone(args.kind) && args.kind != MOERT_GATE_SOFTMAX)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a bias with the softmax, sigmoid or sqrtsoftplus "
                 "gate only");
  if (!(args.scale > 0) || std::isinf(args.scale))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a scale that is finite and positive, got %g",
                 args.scale);
  int64_t routed =
      (args.projection ? args.projected : args.hidden) + (args.biased ? 1 : 0);
  return firstError(
      {verifyGateLogits(args),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the router", {routed, args.experts}),
       verifyVolume("the scores", {args.tokens, args.experts}),
       verifyPointer("the tokens", args.x, {args.tokens, args.hidden}),
       verifyPointer("the router", args.router, {routed, args.tokens}),
       verifyPointer("the ids", args.ids, {args.tokens}),
       verifyPointer("the weights", args.weights, {args.tokens})});
}

namespace {
/// Chooses the experts of tokens. The lower number wins a tie, and NaN loses.
class Chooser {
public:
  Chooser(const moert_gate_args &args)
      : args(args), groupSize(args.experts / args.num_groups) {}

  /// Returns the numbers of the `top_k` best experts, best first.
  const std::vector<int64_t> &choose(const std::vector<double> &scores) {
    candidates.clear();
    if (args.num_groups == 1) {
      candidates.resize(args.experts);
      std::iota(candidates.begin(), candidates.end(), 0);
    } else {
      chooseGroups(scores);
      for (int64_t group : groups)
        for (int64_t i = 0; i < groupSize; ++i)
          candidates.push_back(group * groupSize + i);
    }
    keepBest(candidates, scores, args.top_k);
    return candidates;
  }

private:
  void chooseGroups(const std::vector<double> &scores) {
    groupScores.clear();
    for (int64_t group = 0; group < args.num_groups; ++group) {
      own.assign(scores.begin() + group * groupSize,
                 scores.begin() + (group + 1) * groupSize);
      std::sort(own.begin(), own.end(), isBetter);
      bool two = scoresAlone(args.kind) && groupSize > 1;
      groupScores.push_back(two ? own[0] + own[1] : own[0]);
    }
    groups.resize(args.num_groups);
    std::iota(groups.begin(), groups.end(), 0);
    keepBest(groups, groupScores, args.top_groups);
    std::sort(groups.begin(), groups.end());
  }

  const moert_gate_args &args;
  int64_t groupSize;
  std::vector<int64_t> candidates, groups;
  std::vector<double> groupScores, own;
};
} // namespace

static void score(moert_gate_kind kind, double *scores, int64_t count) {
  if (kind == MOERT_GATE_SOFTMAX)
    softmax(scores, count);
  for (int64_t e = 0; scoresAlone(kind) && e < count; ++e)
    scores[e] = scoreAlone(kind, scores[e]);
}

Status moert::runGate(const moert_gate_args &args) {
  int64_t numExperts = args.experts, topK = args.top_k;
  constexpr int64_t kTokens = GateLogits::kTokens;
  std::vector<double> logits(kTokens * numExperts);
  std::vector<double> bias(numExperts), choice(numExperts), chosen(topK);
  if (args.bias)
    loadRow(args.bias_type, args.bias, numExperts, bias.data());
  GateLogits router(args);
  Chooser chooser(args);
  for (int64_t begin = 0; begin < args.tokens; begin += kTokens) {
    int64_t count = std::min(kTokens, args.tokens - begin);
    router.compute(begin, count, logits.data());
    for (int64_t s = 0; s < count; ++s) {
      double *scores = logits.data() + s * numExperts;
      score(args.kind, scores, numExperts);
      choice.assign(scores, scores + numExperts);
      if (args.bias)
        for (int64_t e = 0; e < numExperts; ++e)
          choice[e] += bias[e];
      const std::vector<int64_t> &best = chooser.choose(choice);
      double sum = 0;
      for (int64_t j = 0; j < topK; ++j)
        sum += chosen[j] = scores[best[j]];
      if (args.kind == MOERT_GATE_GSHARD)
        softmax(chosen.data(), topK);
      int64_t first = (begin + s) * topK;
      for (int64_t j = 0; j < topK; ++j) {
        if (args.normalize)
          chosen[j] /= sum;
        chosen[j] *= args.scale;
        storeInteger(args.ids_type, args.ids, first + j, best[j]);
      }
      storeRow(args.weights_type, chosen.data(), topK,
               static_cast<char *>(args.weights) +
                   first * moert_type_size(args.weights_type));
    }
  }
  return {};
}

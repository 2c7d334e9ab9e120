// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of gates that mix or choose tokens.

#include "kernels/Choose.h"
#include "kernels/Kernels.h"
#include "kernels/RouterProduct.h"

using namespace moert;

/// Converts `gradients` of the results of a softmax to gradients of its inputs.
/// `scores` are the results, and only the elements `at` take part.
static void differentiateSoftmax(const std::vector<double> &scores,
                                 std::vector<double> &gradients,
                                 const std::vector<int64_t> &at) {
  double sum = 0;
  for (int64_t i : at)
    sum += gradients[i] * scores[i];
  for (int64_t i : at)
    gradients[i] = scores[i] * (gradients[i] - sum);
}

/// Replaces the elements `at` by their softmax.
static void scoreElements(std::vector<double> &values,
                          const std::vector<int64_t> &at) {
  std::vector<double> line;
  for (int64_t i : at)
    line.push_back(values[i]);
  softmax(line.data(), line.size());
  for (size_t j = 0; j < at.size(); ++j)
    values[at[j]] = line[j];
}

/// Returns `count` numbers that start at `first` with a distance of `stride`.
static std::vector<int64_t> getNumbers(int64_t first, int64_t count,
                                       int64_t stride = 1) {
  std::vector<int64_t> numbers(count);
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = first + i * stride;
  return numbers;
}

Status
moert::verifyExpertChoiceGrad(const moert_expert_choice_grad_args &args) {
  int64_t S = args.tokens, M = args.hidden, E = args.experts;
  return firstError(
      {verifyScores(args.scores),
       RouterProduct(args, E).verify("experts", "the scores"),
       verifyInteger("slots", args.slots_type),
       verifyFloat("the weights' gradient", args.dw_type),
       verifyPointer("the slots", args.slots, {S, E}),
       verifyPointer("the weights' gradient", args.dw, {S, E}),
       verifyPointer("the tokens' gradient", args.dx, {S, M}),
       verifyPointer("the router's gradient", args.drouter, {M, E})});
}

Status moert::runExpertChoiceGrad(const moert_expert_choice_grad_args &args) {
  int64_t S = args.tokens, E = args.experts;
  RouterProduct product(args, E);
  std::vector<double> scores = product.compute();
  std::vector<double> gradients = loadValues(args.dw_type, args.dw, S * E);
  std::vector<int64_t> slots(S * E);
  for (int64_t i = 0; i < S * E; ++i) {
    slots[i] = loadInteger(args.slots_type, args.slots, i);
    if (slots[i] < 0)
      gradients[i] = 0.0;
  }
  bool overTokens = args.scores == MOERT_CHOICE_TOKENS;
  for (int64_t s = 0; !overTokens && s < S; ++s) {
    std::vector<int64_t> at = getNumbers(s * E, E);
    scoreElements(scores, at);
    differentiateSoftmax(scores, gradients, at);
  }
  for (int64_t e = 0; overTokens && e < E; ++e) {
    std::vector<int64_t> taken = getNumbers(e, S, E);
    taken.erase(std::remove_if(taken.begin(), taken.end(),
                               [&](int64_t at) { return slots[at] < 0; }),
                taken.end());
    // Use the expert's order of choices.
    std::sort(taken.begin(), taken.end(), [&](int64_t a, int64_t b) {
      return slots[a] != slots[b] ? slots[a] < slots[b] : a < b;
    });
    scoreElements(scores, taken);
    differentiateSoftmax(scores, gradients, taken);
  }
  product.differentiate(gradients, args.dx, args.drouter);
  return {};
}

Status moert::verifySoftGateGrad(const moert_soft_gate_grad_args &args) {
  int64_t S = args.tokens, M = args.hidden, N = args.slots;
  return firstError(
      {RouterProduct(args, N).verify("slots", "the logits"),
       verifyFloat("the dispatch weights' gradient", args.ddispatch_type),
       verifyFloat("the combine weights' gradient", args.dcombine_type),
       verifyPointer("the dispatch weights' gradient", args.ddispatch, {S, N}),
       verifyPointer("the combine weights' gradient", args.dcombine, {S, N}),
       verifyPointer("the tokens' gradient", args.dx, {S, M}),
       verifyPointer("the router's gradient", args.drouter, {M, N})});
}

Status moert::runSoftGateGrad(const moert_soft_gate_grad_args &args) {
  int64_t S = args.tokens, N = args.slots;
  RouterProduct product(args, N);
  std::vector<double> combine = product.compute(), dispatch = combine;
  std::vector<double> gradients =
      loadValues(args.ddispatch_type, args.ddispatch, S * N);
  std::vector<double> ofCombine =
      loadValues(args.dcombine_type, args.dcombine, S * N);
  for (int64_t slot = 0; slot < N; ++slot) {
    std::vector<int64_t> at = getNumbers(slot, S, N);
    scoreElements(dispatch, at);
    differentiateSoftmax(dispatch, gradients, at);
  }
  for (int64_t s = 0; s < S; ++s) {
    std::vector<int64_t> at = getNumbers(s * N, N);
    scoreElements(combine, at);
    differentiateSoftmax(combine, ofCombine, at);
  }
  for (int64_t i = 0; i < S * N; ++i)
    gradients[i] += ofCombine[i];
  product.differentiate(gradients, args.dx, args.drouter);
  return {};
}

Status moert::verifySoftWgrad(const moert_soft_wgrad_args &args) {
  return firstError(
      {verifyFloat("rows", args.type),
       verifyFloat("the result", args.result_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"slots", args.slots, 0}}),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the slots", {args.slots, args.hidden}),
       verifyVolume("the result", {args.tokens, args.slots}),
       verifyPointer("the rows", args.x, {args.tokens, args.hidden}),
       verifyPointer("the buffer", args.buffer, {args.slots, args.hidden}),
       verifyPointer("the result", args.result, {args.tokens, args.slots})});
}

Status moert::runSoftWgrad(const moert_soft_wgrad_args &args) {
  std::vector<double> rows =
      loadValues(args.type, args.x, args.tokens * args.hidden);
  std::vector<double> sums(args.tokens * args.slots, 0.0);
  RowTimesMatrix().addTransposed(rows.data(), args.tokens, args.hidden,
                                 args.type, args.buffer, args.slots,
                                 sums.data());
  storeRow(args.result_type, sums.data(), sums.size(), args.result);
  return {};
}

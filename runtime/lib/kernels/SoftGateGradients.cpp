//===- SoftGateGradients.cpp - Gradients of gates that mix ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Types.h"
#include "kernels/Choose.h"
#include "kernels/Gemm.h"
#include "kernels/Kernels.h"
#include "kernels/Verify.h"

using namespace moert;

static std::vector<double> load(moert_type type, const void *source,
                                int64_t count) {
  std::vector<double> values(count);
  loadRow(type, source, count, values.data());
  return values;
}

namespace {
/// The product of tokens [S, M] and a router [M, columns], and its gradients.
struct Product {
  int64_t tokens, hidden, columns;
  moert_type type, routerType;
  const void *x, *router;

  std::vector<double> compute() const {
    std::vector<double> rows = load(type, x, tokens * hidden);
    std::vector<double> products(tokens * columns);
    RowTimesMatrix().multiply(rows.data(), tokens, hidden, routerType, router,
                              columns, products.data());
    return products;
  }

  /// Of the product's gradient.
  void differentiate(const std::vector<double> &dProduct, void *dx,
                     void *dRouter) const {
    std::vector<double> rows = load(type, x, tokens * hidden);
    std::vector<double> sums(rows.size(), 0.0),
        routerSums(hidden * columns, 0.0);
    RowTimesMatrix().addTransposed(dProduct.data(), tokens, columns, routerType,
                                   router, hidden, sums.data());
    addOuterProducts(rows.data(), dProduct.data(), tokens, hidden, columns,
                     routerSums.data());
    storeRow(type, sums.data(), sums.size(), dx);
    storeRow(routerType, routerSums.data(), routerSums.size(), dRouter);
  }
};
} // namespace

/// `gradients` of a softmax to those of what it runs over; `scores` are what it
/// gave, and only the elements `at` are part of it.
static void differentiateSoftmax(const std::vector<double> &scores,
                                 std::vector<double> &gradients,
                                 const std::vector<int64_t> &at) {
  double sum = 0;
  for (int64_t i : at)
    sum += gradients[i] * scores[i];
  for (int64_t i : at)
    gradients[i] = scores[i] * (gradients[i] - sum);
}

/// Puts the softmax over the elements `at` in their place.
static void scoreElements(std::vector<double> &values,
                          const std::vector<int64_t> &at) {
  std::vector<double> line;
  for (int64_t i : at)
    line.push_back(values[i]);
  softmax(line.data(), line.size());
  for (size_t j = 0; j < at.size(); ++j)
    values[at[j]] = line[j];
}

/// `count` numbers from `first` on, `stride` apart.
static std::vector<int64_t> getNumbers(int64_t first, int64_t count,
                                       int64_t stride = 1) {
  std::vector<int64_t> numbers(count);
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = first + i * stride;
  return numbers;
}

Status
moert::verifyExpertChoiceGrad(const moert_expert_choice_grad_args &args) {
  if (args.scores != MOERT_CHOICE_EXPERTS && args.scores != MOERT_CHOICE_TOKENS)
    return error(MOERT_INVALID_ARGUMENT, "expected known scores, got %d",
                 static_cast<int>(args.scores));
  return firstError(
      {verifyFloat("tokens", args.type),
       verifyFloat("a router", args.router_type),
       verifyInteger("slots", args.slots_type),
       verifyFloat("the weights' gradient", args.dw_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"experts", args.experts, 0}}),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the router", {args.hidden, args.experts}),
       verifyVolume("the scores", {args.tokens, args.experts}),
       verifyPointer("the tokens", args.x, {args.tokens, args.hidden}),
       verifyPointer("the router", args.router, {args.hidden, args.experts}),
       verifyPointer("the slots", args.slots, {args.tokens, args.experts}),
       verifyPointer("the weights' gradient", args.dw,
                     {args.tokens, args.experts}),
       verifyPointer("the tokens' gradient", args.dx,
                     {args.tokens, args.hidden}),
       verifyPointer("the router's gradient", args.drouter,
                     {args.hidden, args.experts})});
}

Status moert::runExpertChoiceGrad(const moert_expert_choice_grad_args &args) {
  int64_t S = args.tokens, E = args.experts;
  Product product{S,      args.hidden, E, args.type, args.router_type,
                  args.x, args.router};
  std::vector<double> scores = product.compute();
  std::vector<double> gradients = load(args.dw_type, args.dw, S * E);
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
    // In the order in which the expert chose them.
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
  return firstError(
      {verifyFloat("tokens", args.type),
       verifyFloat("a router", args.router_type),
       verifyFloat("the dispatch weights' gradient", args.ddispatch_type),
       verifyFloat("the combine weights' gradient", args.dcombine_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"slots", args.slots, 0}}),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the router", {args.hidden, args.slots}),
       verifyVolume("the logits", {args.tokens, args.slots}),
       verifyPointer("the tokens", args.x, {args.tokens, args.hidden}),
       verifyPointer("the router", args.router, {args.hidden, args.slots}),
       verifyPointer("the dispatch weights' gradient", args.ddispatch,
                     {args.tokens, args.slots}),
       verifyPointer("the combine weights' gradient", args.dcombine,
                     {args.tokens, args.slots}),
       verifyPointer("the tokens' gradient", args.dx,
                     {args.tokens, args.hidden}),
       verifyPointer("the router's gradient", args.drouter,
                     {args.hidden, args.slots})});
}

Status moert::runSoftGateGrad(const moert_soft_gate_grad_args &args) {
  int64_t S = args.tokens, N = args.slots;
  Product product{S,      args.hidden, N, args.type, args.router_type,
                  args.x, args.router};
  std::vector<double> combine = product.compute(), dispatch = combine;
  std::vector<double> gradients =
      load(args.ddispatch_type, args.ddispatch, S * N);
  std::vector<double> ofCombine =
      load(args.dcombine_type, args.dcombine, S * N);
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
  std::vector<double> rows = load(args.type, args.x, args.tokens * args.hidden);
  std::vector<double> sums(args.tokens * args.slots, 0.0);
  RowTimesMatrix().addTransposed(rows.data(), args.tokens, args.hidden,
                                 args.type, args.buffer, args.slots,
                                 sums.data());
  storeRow(args.result_type, sums.data(), sums.size(), args.result);
  return {};
}
